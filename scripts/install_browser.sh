#!/usr/bin/env bash
# Chromium for the browser tests: the system's own, installed from Debian's packages if it is missing.
set -euo pipefail
command -v chromium >/dev/null && exit 0
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The browser tests need Chromium; install it, so that 'chromium' is found." >&2
  exit 1
fi
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends chromium fonts-dejavu-core
