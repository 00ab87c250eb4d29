#!/usr/bin/env bash
# Run each step of deploy/Containerfile without a container engine, in a fresh folder, and ask the server for its health.
# Run it as root, since a step gives folders to the image's user, who then runs the server if this Python lets others run it
# (PYTHON=/usr/bin/python3). Base images, VOLUME and EXPOSE are not tried: programs are this machine's.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$(mktemp -d); server=
chmod 711 "$root" # the image's user passes through
trap '[ -z "$server" ] || kill "$server"; rm -rf "$root"' EXIT
python=$(command -v "${PYTHON:-python3}")
mkdir -p "$root/bin" "$root/opt" && ln -s "$python" "$root/bin/python"
settings=() as_user=() stage=last folder=

# /source is each stage's own; what is in /opt has to keep its path, so that all stages share it.
inside() { sed -E "s#(^|[ =:])/(source|data|cache)#\1$root/$stage/\2#g; s#(^|[ =:])/opt#\1$root/opt#g" <<<"$1"; }

copy() {
    local from=$PWD target
    if [[ $1 == --from=* ]]; then
        from=$root/${1#--from=}
        shift
    fi
    target=$(inside "${!#}")
    [[ $target == /* ]] || target=$folder/$target
    for each in "${@:1:$#-1}"; do
        [[ $each != /opt/* ]] || continue # it is there already
        mkdir -p "$(dirname "$target")"
        git ls-files --error-unmatch "$each" >/dev/null 2>&1 || [[ $from != "$PWD" ]] || exit 1
        if [[ -d $from/$each ]]; then
            mkdir -p "$target" && tar -C "$from/$each" --exclude=__pycache__ --exclude=./ludotheque/server/static -cf - . | tar -C "$target" -xf -
        else
            cp "$from/$each" "$target"
        fi
    done
}

# Steps that go over several lines are joined.
while read -r step rest; do
    case $step in
    '' | '#'*) continue ;;
    FROM) stage=$(sed -nE 's/.* AS (\w+)/\1/p' <<<"$rest") && stage=${stage:-last} && folder=$root/$stage && mkdir -p "$folder" ;;
    WORKDIR) folder=$(inside "$rest") && mkdir -p "$folder" ;;
    ENV) for each in $rest; do settings+=("$(inside "$each")"); done ;;
    COPY) copy $rest ;;
    RUN) (cd "$folder" && env PATH="$root/bin:$PATH" "${settings[@]}" bash -ec "$(inside "$rest")") ;;
    USER)
        as_user=(setpriv --reuid "${rest%:*}" --regid "${rest#*:}" --clear-groups)
        "${as_user[@]}" "$root/bin/python" -c "" 2>/dev/null || { echo "not tried: $step $rest" && as_user=() && continue; }
        ;;
    VOLUME | EXPOSE) echo "not tried: $step $rest" && continue ;;
    HEALTHCHECK) health=${rest#*CMD } ;;
    ENTRYPOINT | CMD) command+=($(tr -d '[],"' <<<"$rest")) ;;
    *) echo "unknown step: $step" && exit 1 ;;
    esac
    echo "ok: $step $rest"
done < <(sed -e ':a' -e '/\\$/N; s/\\\n//; ta' deploy/Containerfile)

port=$((20000 + RANDOM % 20000))
env "${settings[@]}" "${as_user[@]}" "${command[@]}" --host 127.0.0.1 --port "$port" &
server=$!
health=${health//8000/$port}
for _ in $(seq 60); do
    if env "${settings[@]}" "${as_user[@]}" python3 -c "import json, subprocess, sys; sys.exit(subprocess.run(json.loads(sys.argv[1])).returncode)" "$health" 2>/dev/null; then
        echo "ok: HEALTHCHECK"
        env "${settings[@]}" "${command[0]}" settings | grep -E "data|port"
        echo "$("$root/bin/python" --version), Node $(node --version), tables of the user $(stat -c %u "$root"/last/data/tables.sqlite)"
        exit 0
    fi
    sleep 1
done
echo "the server does not answer" && exit 1
