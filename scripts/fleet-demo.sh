#!/usr/bin/env bash
# Shows a fleet: PostgreSQL, nginx and three runners in network namespaces, which fetch 500 files into a directory that they share.
# One runner is killed, another one is cut off for 45 seconds; a fourth machine watches. Every file is compared by SHA-256.
# Usage, as root: scripts/fleet-demo.sh [--bucket]
#
# --bucket writes into a bucket of SeaweedFS instead. All its files are in one temporary directory, removed at the end, and all its
# interfaces in a namespace of their own. DRAY=PROGRAM uses an existing program. FILES=NUMBER changes the number of files.

set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "fleet-demo: $*" >&2
  exit 1
}

bucket=''
for word in "$@"; do
  case $word in
    --bucket) bucket=yes ;;
    *) fail "no such option: $word" ;;
  esac
done
[ "$(id -u)" = 0 ] || fail "network namespaces take root: sudo scripts/fleet-demo.sh"

if [ -z "${DRAY_FLEET_INSIDE:-}" ]; then
  if [ -z "${DRAY:-}" ]; then
    scripts/setup.sh fleet
    make build
    DRAY=$PWD/.build/release/dray
  fi
  [ -z "$bucket" ] || scripts/setup.sh s3
  DRAY=$(realpath "$DRAY")
  export DRAY DRAY_FLEET_INSIDE=yes
  exec unshare --net --mount "$PWD/scripts/fleet-demo.sh" "$@"
fi

files=${FILES:-500}
rate=150000 # bytes a second that nginx sends on a connection, so that there is time to watch
cut=45      # seconds, longer than a lease
hub=10.77.0.1
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-fleet-demo.XXXXXX")
chmod 755 "$work"
site=$work/site downloads=$work/downloads objects=$PWD/Tests/EndToEndTests/Servers
mkdir "$site" "$downloads" "$work/postgres" "$work/bucket"
declare -A pids=()
finish() {
  local pid
  kill -INT "${pids[postgres]:-}" 2>/dev/null || true # at once: SIGTERM waits for the end of all sessions
  for pid in "${pids[@]}"; do [ "$pid" = "${pids[postgres]:-}" ] || kill "$pid" 2>/dev/null || true; done
  for _ in $(seq 50); do [ -n "$(jobs -rp)" ] || break; sleep 0.1; done
  for pid in "${pids[@]}"; do kill -9 "$pid" 2>/dev/null || true; done
  for name in r1 r2 r3 desk; do ip netns del "$name" 2>/dev/null || true; done
  wait
  if [ -n "${DRAY_KEEP:-}" ]; then echo "kept: $work" >&2; else rm -rf "$work"; fi
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n== %s\n' "$*"; }
since() { printf '%3d s  ' $((SECONDS - began)); }

# --- The network: a hub with all servers, and a namespace a machine.
ip link set lo up
mkdir -p /run/netns
mount -t tmpfs tmpfs /run/netns # the names of these namespaces are nobody else's concern
ip link add hub type bridge
ip address add $hub/24 dev hub
ip link set hub up
number=10
for name in r1 r2 r3 desk; do
  number=$((number + 1))
  ip netns add $name
  ip link add "to-$name" type veth peer name net0 netns $name
  ip link set "to-$name" master hub up
  ip -n $name address add 10.77.0.$number/24 dev net0
  ip -n $name link set net0 up
  ip -n $name link set lo up
done

# --- The files, 50 to 450 KB each, and what they should be.
for index in $(seq "$files"); do
  head -c $((50000 + index * 7919 % 400 * 1000)) /dev/urandom >"$site/f$index.bin"
done
(cd "$site" && sha256sum -- *.bin | sort -k2) >"$work/expected"
total=$(du -cb "$site"/*.bin | tail -1 | cut -f1)

# --- nginx.
nginx=$(PATH=$PATH:/usr/sbin command -v nginx)
cat >"$work/nginx.conf" <<EOF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
user root;
events { worker_connections 1024; }
http {
  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
  uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
  log_format served '\$status \$body_bytes_sent \$remote_addr \$uri';
  access_log $work/access.log served;
  default_type application/octet-stream;
  limit_rate $rate;
  server { listen $hub:8000; root $site; }
}
EOF
"$nginx" -p "$work" -c "$work/nginx.conf" -e "$work/error.log" &
pids[nginx]=$!

# --- PostgreSQL, which refuses to run as root.
programs=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
user=$(getent passwd postgres nobody | head -1 | cut -d: -f1)
chown "$user" "$work/postgres"
as_server() { setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- env -C / "$@"; }
as_server "$programs/initdb" --no-sync -D "$work/postgres/data" -U dray --auth=trust -E UTF8 --locale=C.UTF-8 >"$work/initdb.log" 2>&1 ||
  fail "initdb: $(tail -3 "$work/initdb.log")"
echo "host all all 10.77.0.0/24 trust" >>"$work/postgres/data/pg_hba.conf"
setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- env -C / "$programs/postgres" -D "$work/postgres/data" \
  -c "listen_addresses=$hub" -c "unix_socket_directories=$work/postgres" </dev/null >"$work/postgres.log" 2>&1 &
pids[postgres]=$!
for _ in $(seq 300); do
  ! "$programs/pg_isready" -q -h $hub || break
  sleep 0.1
done
"$programs/pg_isready" -q -h $hub || fail "PostgreSQL does not start: $(tail -3 "$work/postgres.log")"
sql() { "$programs/psql" -X -q -A -t -h $hub -U dray postgres -c "SET search_path = dray; $1"; }

# --- SeaweedFS.
place=$downloads where=(--shared-dir "$downloads") # the namespaces have the disk in common, as machines have shared storage
if [ -n "$bucket" ]; then
  python3 -B "$objects/s3server.py" seaweedfs "$work/bucket" $hub >"$work/store.json" 2>"$work/store.log" &
  pids[seaweedfs]=$!
  for _ in $(seq 600); do
    [ ! -s "$work/store.json" ] || break
    kill -0 "${pids[seaweedfs]}" 2>/dev/null || break
    sleep 0.1
  done
  said() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$work/store.json"; }
  [ -s "$work/store.json" ] || fail "SeaweedFS does not start: $(tail -3 "$work/store.log")"
  AWS_ENDPOINT_URL_S3=$(said endpoint) AWS_ACCESS_KEY_ID=$(said access) AWS_SECRET_ACCESS_KEY=$(said secret) AWS_REGION=$(said region)
  export AWS_ENDPOINT_URL_S3 AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION
  place=s3://bucket/data/ where=()
fi

# --- The machines. Each has its own state directory.
export DRAY_STORE=postgresql://dray@$hub/postgres
machine() {
  local name=$1
  shift
  DRAY_HOME=$work/home-$name ip netns exec "$name" "$@"
}
runner() {
  local name=$1
  shift
  # Without a shell in between, so that a kill meets the runner itself.
  DRAY_HOME=$work/home-$name ip netns exec "$name" "$DRAY" run "${where[@]}" --name "$name" -j 8 --max-per-host 24 --progress none "$@" \
    >"$work/$name.log" 2>&1 &
  pids[$name]=$!
}
complete() { sql "SELECT count(*) FROM hot WHERE state = 'complete'"; }
wait_for() {
  local deadline=$((SECONDS + 300))
  until [ "$(complete)" -ge "$1" ]; do
    [ $SECONDS -lt $deadline ] || fail "no progress beyond $(complete) of $files files: $(tail -2 "$work"/r?.log)"
    sleep 0.5
  done
}
held() {
  sql "SELECT coalesce(string_agg(name || ' ' || jobs, ', ' ORDER BY name), 'none') FROM (SELECT name, count(*) AS jobs FROM hot JOIN runners ON runners.id = hot.runner GROUP BY 1) AS t"
}

say "1. One command queues $files files, $((total / 1000000)) MB, in PostgreSQL"
for index in $(seq "$files"); do echo "http://$hub:8000/f$index.bin"; done >"$work/list"
words=${where[*]}
words=${words//"$work/"/}${words:+ }
echo "\$ dray add -q ${words}-d ${place#"$work/"} -i list"
machine desk "$DRAY" add -q "${where[@]}" -d "$place" -i "$work/list" >"$work/ids" # one a line
echo '$ dray list --count'
machine desk "$DRAY" list --count

say "2. Three machines run it"
began=$SECONDS
runner r1
runner r2
runner r3 --metrics 10.77.0.13:9100
echo "\$ dray run ${words}--name r1 -j 8 --max-per-host 24        # and r2, r3"
wait_for $((files / 10))
since && echo "$(complete) complete; jobs held: $(held)"

say "3. r1 is killed, r2 is cut off for $cut seconds"
kill -9 "${pids[r1]}"
wait "${pids[r1]}" 2>/dev/null || true
unset 'pids[r1]'
since && echo "r1 killed"
ip link set to-r2 down
since && echo "r2 cut off"
down=$SECONDS

say "4. A fourth machine looks"
echo "\$ dray watch --json"
{ machine desk timeout 4 "$DRAY" watch --json || true; } | head -4 | cut -c1-150
echo "\$ curl http://r3:9100/metrics"
machine desk curl -sS --max-time 10 http://10.77.0.13:9100/metrics | grep -v '^#' | head -25 || fail "no metrics"

while [ $((SECONDS - down)) -lt $cut ]; do
  sleep 9
  since && echo "$(complete) complete; jobs held: $(held)"
done

say "5. r2 is back"
ip link set to-r2 up
since && echo "r2 connected"
wait_for "$files"
since && echo "$(complete) complete"
for name in r2 r3; do
  status=0
  for _ in $(seq 600); do
    kill -0 "${pids[$name]}" 2>/dev/null || break
    sleep 0.1
  done
  ! kill -0 "${pids[$name]}" 2>/dev/null || fail "$name does not end: $(tail -3 "$work/$name.log")"
  wait "${pids[$name]}" || status=$?
  unset "pids[$name]"
  since && echo "$name ended with exit status $status"
  [ $status = 0 ] || fail "$name: $(tail -3 "$work/$name.log")"
done

say "6. What each machine did, by PostgreSQL and by nginx"
sql "SELECT state || ': ' || count(*) FROM hot GROUP BY state"
awk -v total="$total" '
  $1 == 200 || $1 == 206 { bytes[$3] += $2; all += $2; answers[$3]++ }
  END { for (name in bytes) printf "%s: %d answers, %.1f MB\n", name, answers[name], bytes[name] / 1e6
        printf "sent: %.1f MB for files of %.1f MB\n", all / 1e6, total / 1e6 }' "$work/access.log" | sort
[ "$(sql "SELECT count(*) FROM (SELECT job FROM attempts WHERE outcome = 'complete' GROUP BY job HAVING count(*) > 1) AS t")" = 0 ] ||
  fail "jobs were completed twice"
[ "$(sql 'SELECT count(*) FROM hot WHERE runner IS NOT NULL')" = 0 ] || fail "jobs are held"

say "7. The same bytes?"
if [ -n "$bucket" ]; then
  for index in $(seq "$files"); do echo "f$index.bin"; done |
    xargs -P 4 -I NAME sh -c 'echo "$(python3 -B "$0" sha256 "data/NAME")  NAME"' "$objects/s3client.py" | sort -k2 >"$work/found"
  uploads=$(python3 -B "$objects/s3client.py" uploads)
  [ "$uploads" = '[]' ] || fail "uploads are left: $uploads"
  echo "no upload is left in the bucket"
else
  (cd "$downloads" && sha256sum -- *.bin | sort -k2) >"$work/found"
  left=$(find "$downloads" -mindepth 1 ! -name '*.bin')
  [ -z "$left" ] || fail "something is left beside the files: $left"
  echo "nothing is left beside the files"
fi
diff "$work/expected" "$work/found" >"$work/differences" || fail "files differ: $(head -3 "$work/differences")"
head -3 "$work/found"

say "Done: $(wc -l <"$work/found") of $files files are exact."
