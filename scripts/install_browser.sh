#!/usr/bin/env bash
# The browsers of the browser tests: the system's own, installed from Debian's packages if one is missing.
set -euo pipefail

# What has to be found, and the packages that bring it.
declare -A packages=(
  [chromium]="chromium fonts-dejavu-core"
  [chromium-headless-shell]="chromium-headless-shell"
  [firefox-esr]="firefox-esr"
  [WebKitWebDriver]="webkit2gtk-driver"
  [Xvfb]="xvfb"
)
missing=()
for command in "${!packages[@]}"; do
  command -v "$command" >/dev/null || missing+=("$command")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The browser tests need ${missing[*]}; install them, so that they are found on the path." >&2
  exit 1
fi
wanted=()
for command in "${missing[@]}"; do
  read -ra names <<<"${packages[$command]}"
  wanted+=("${names[@]}")
done
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends "${wanted[@]}"
