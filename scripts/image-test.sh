#!/usr/bin/env bash
# Starts the image with crun or runc, without a container engine. The container runs as a user, with its two volumes. It fetches a job
# from a loopback server, is interrupted by kill -9, and the next container continues. Needs root; reports a machine that allows no
# containers.
# Usage: scripts/image-test.sh [ARCHIVE]     an archive of `make image`, instead of a new one
# DRAY_RUNTIME=runc chooses runc where crun is installed.

set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "image-test: $*" >&2
  exit 1
}

if [ "${1:-}" != --within ]; then
  [ "$(id -u)" = 0 ] || fail "this needs root: it starts containers"
  scripts/setup.sh image
  archive=${1:-$(scripts/image.sh)}
  work=$(mktemp -d "${TMPDIR:-/tmp}/dray-image-test.XXXXXX")
  trap 'rm -rf --one-file-system "$work"' EXIT
  skopeo copy -q "oci-archive:$archive" "oci:$work/image:test"
  umoci --log=error unpack --image "$work/image:test" "$work/bundle"
  unshare --mount --mount-proc --pid --net --fork --kill-child "$0" --within "$work" || fail "failed"
  exit 0
fi

# From here on mounts, processes and the network are private to the test.
work=$2
bundle=$work/bundle
mkdir "$work/site" "$work/state" "$work/downloads"
chown 1000:1000 "$work/state" "$work/downloads"
chmod 700 "$work/state"
scripts/package-server.py "$work/site" &
for _ in $(seq 100); do
  [ ! -e "$work/site/ready" ] || break
  sleep 0.1
done
[ -e "$work/site/ready" ] || fail "the server does not start"

# crun rejects a mixture of both versions of control groups, and needs none here. These mounts are private to the test.
umount /sys/fs/cgroup/unified 2>/dev/null || true

# Gives the container the network of the test, no resource limits, and the two volumes.
python3 - "$bundle/config.json" "$work" <<'PYTHON'
import json, sys
place, work = sys.argv[1:]
with open(place, encoding="utf-8") as file:
    config = json.load(file)
user = config["process"]["user"]
assert (user["uid"], user["gid"]) == (1000, 1000), user
assert config["process"]["args"] == ["/usr/bin/dray", "serve", "--root", "/downloads"], config["process"]["args"]
config["process"]["terminal"] = False
config["linux"]["namespaces"] = [space for space in config["linux"]["namespaces"] if space["type"] not in ("network", "cgroup")]
config["linux"].pop("resources", None)
volumes = {"/var/lib/dray": "state", "/downloads": "downloads"}
config["mounts"] = [mount for mount in config["mounts"]
                    if mount["destination"] not in volumes and not mount["destination"].startswith("/sys")]
config["mounts"] += [{"destination": there, "type": "none", "source": f"{work}/{here}", "options": ["bind", "rw"]}
                     for there, here in volumes.items()]
config["root"]["readonly"] = True  # it writes to its volumes only
with open(place, "w", encoding="utf-8") as file:
    json.dump(config, file)
PYTHON

runtime=${DRAY_RUNTIME:-$(command -v crun || command -v runc)} || fail "neither crun nor runc is installed"
options=(--root "$work/run")
case $runtime in
  *crun) options+=(--cgroup-manager=disabled) ;;
esac
start() { "$runtime" "${options[@]}" run --bundle "$bundle" dray-test >"$work/log" 2>&1 & }
within() { "$runtime" "${options[@]}" exec --user 1000:1000 --cwd /downloads dray-test /usr/bin/dray "$@"; }
recorded() { python3 -c 'import sqlite3, sys
store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
print(store.execute("select max(received) from jobs").fetchone()[0])' "$work/state/dray.sqlite"; }

start
container=$!
for _ in $(seq 100); do
  ! within list >/dev/null 2>&1 || break
  if ! kill -0 "$container" 2>/dev/null; then
    grep -qiE 'cgroup|operation not permitted|not supported|permission' "$work/log" || fail "the container ends: $(cat "$work/log")"
    echo "image-test: skipped, because this machine allows no containers: $(tail -1 "$work/log")" >&2
    exit 0
  fi
  sleep 0.1
done
within list >/dev/null || fail "the health check fails: $(cat "$work/log")"
echo "image-test: $(basename "$runtime") started it, not as root; \`dray list\` says it is healthy: $(within --version | sed -n 1,2p | paste -sd ' ')"

said=$(within list --store 'postgresql://127.0.0.1:9/jobs?connect_timeout=2' 2>&1 || true)
grep -qi 'refused' <<<"$said" || fail "it cannot speak to PostgreSQL: $said"

touch "$work/site/hold"
within add -q http://127.0.0.1:8080/big >/dev/null
for _ in $(seq 300); do
  [ "$(recorded)" -lt 1000000 ] || break
  sleep 0.1
done
[ "$(recorded)" -ge 1000000 ] || fail "nothing was recorded: $(cat "$work/log")"
"$runtime" "${options[@]}" kill dray-test KILL
wait "$container" || true
"$runtime" "${options[@]}" delete -f dray-test 2>/dev/null || true
rm "$work/site/hold"
: >"$work/site/log"

start
container=$!
for _ in $(seq 100); do
  ! within list >/dev/null 2>&1 || break
  sleep 0.1
done
within wait -q 1 >/dev/null || fail "the job does not become complete: $(cat "$work/log")"
want=$(python3 -c 'import hashlib, sys; sys.stdout.buffer.write(hashlib.shake_128(b"/big").digest(6 << 20))' | sha256sum)
[ "$(sha256sum <"$work/downloads/big")" = "$want" ] || fail "the file is not what the server has"
grep -q ' - 200' "$work/site/log" && fail "the job was started over: $(cat "$work/site/log")"
grep -qE '^/big bytes=[1-9][0-9]*-[0-9]* 206' "$work/site/log" || fail "the job was not continued: $(cat "$work/site/log")"
[ "$(stat -c %u "$work/downloads/big")" = 1000 ] || fail "the file belongs to another user"
echo "image-test: killed with -9, and continued by the next container: $(grep -E "^/big bytes" "$work/site/log" | tail -1)"

status=0
"$runtime" "${options[@]}" kill dray-test TERM
wait "$container" || status=$?
[ "$status" = 143 ] || fail "stopped by SIGTERM it ends with $status, not with 143: $(cat "$work/log")"
echo "image-test: SIGTERM ends it with 143, after a clean checkpoint"
