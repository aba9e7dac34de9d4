#!/usr/bin/env bash
# Shows a fleet: PostgreSQL, nginx and three runners in network namespaces, which fetch 500 files into a directory that they share.
# One runner is killed, another one is cut off for 45 seconds; a fourth machine watches. Every file is compared by SHA-256.
# Usage, as root: scripts/fleet-demo.sh [--bucket]
#
# --bucket writes into a bucket of SeaweedFS instead. All its files are in one temporary directory, removed at the end, and all its
# interfaces in a namespace. DRAY_KEEP=yes keeps the directory. DRAY=PROGRAM uses an existing program. FILES=NUMBER changes the number
# of files.

set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/demo-common.sh
. scripts/demo-common.sh

bucket=''
for word in "$@"; do
  case $word in
    --bucket) bucket=yes ;;
    *) fail "no such option: $word" ;;
  esac
done
[ "$(id -u)" = 0 ] || fail "network namespaces take root: sudo scripts/fleet-demo.sh"

if [ -z "${DRAY_FLEET_INSIDE:-}" ]; then
  find_program fleet
  [ -z "$bucket" ] || scripts/setup.sh s3
  export DRAY DRAY_FLEET_INSIDE=yes
  exec unshare --net --mount "$PWD/scripts/fleet-demo.sh" "$@"
fi

files=${FILES:-500}
rate=150000 # bytes a second that nginx sends on a connection, so that there is time to watch
cut=45      # seconds, longer than a lease
hub=10.77.0.1
begin
chmod 755 "$work" # PostgreSQL runs as another user
downloads=$work/downloads
mkdir "$downloads" "$work/postgres"

since() { printf '%3d s  ' $((SECONDS - began)); }

# --- The network: a hub with all servers, and one namespace for each machine.
ip link set lo up
mkdir -p /run/netns
mount -t tmpfs tmpfs /run/netns # hides the names of these namespaces, and removes them at the end
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

# --- The files, 50 to 450 KB each, and their digests.
for index in $(seq "$files"); do
  head -c $((50000 + index * 7919 % 400 * 1000)) /dev/urandom >"$site/f$index.bin"
done
names=("$site"/*)
names=("${names[@]##*/}")
list_files "$site" >"$work/expected"
total=$(du -cb "$site"/*.bin | tail -1 | cut -f1)

start_nginx $hub $rate 8000

# --- PostgreSQL, which refuses to run as root.
programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -1)
user=$(getent passwd postgres nobody | head -1 | cut -d: -f1)
chown "$user" "$work/postgres"
as_server=(setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups -- env -C /)
"${as_server[@]}" "$programs/initdb" --no-sync -D "$work/postgres/data" -U dray --auth=trust -E UTF8 --locale=C.UTF-8 \
  >"$work/initdb.log" 2>&1 || fail "initdb: $(tail -3 "$work/initdb.log")"
echo "host all all 10.77.0.0/24 trust" >>"$work/postgres/data/pg_hba.conf"
"${as_server[@]}" "$programs/postgres" -D "$work/postgres/data" -c "listen_addresses=$hub" -c "unix_socket_directories=$work/postgres" \
  </dev/null >"$work/postgres.log" 2>&1 &
pids[postgres]=$!
signals[postgres]=INT # TERM would wait until all sessions have ended
await_ready postgres 30 "$programs/pg_isready" -q -h $hub || fail "PostgreSQL does not start: $(tail -3 "$work/postgres.log")"
sql() { "$programs/psql" -X -q -A -t -h $hub -U dray postgres -c "SET search_path = dray; $1"; }

# --- Where the files go.
place=$downloads where=(--shared-dir "$downloads") # the disk stands for shared storage
if [ -n "$bucket" ]; then
  start_seaweedfs $hub
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
  # Not by `machine`, whose shell would be killed in place of the runner.
  DRAY_HOME=$work/home-$name ip netns exec "$name" "$DRAY" run "${where[@]}" --name "$name" -j 8 --max-per-host 24 --progress none "$@" \
    >"$work/$name.log" 2>&1 &
  pids[$name]=$!
}
complete() { sql "SELECT count(*) FROM hot WHERE state = 'complete'"; }
reached() { [ "$(complete)" -ge "$1" ]; }
await_complete() {
  await 300 reached "$1" || fail "no progress beyond $(complete) of $files files: $(tail -2 "$work"/r?.log)"
}
held() {
  sql "SELECT coalesce(string_agg(name || ' ' || jobs, ', ' ORDER BY name), 'none') FROM (SELECT name, count(*) AS jobs FROM hot JOIN runners ON runners.id = hot.runner GROUP BY 1) AS t"
}

say "1. One command queues $files files, $((total / 1000000)) MB, in PostgreSQL"
for index in $(seq "$files"); do echo "$origin/f$index.bin"; done >"$work/list"
show dray add -q "${where[@]}" -d "$place" -i "$work/list"
machine desk "$DRAY" add -q "${where[@]}" -d "$place" -i "$work/list" >"$work/ids" 
show dray list --count
machine desk "$DRAY" list --count

say "2. Three machines run it"
began=$SECONDS
runner r1
runner r2
runner r3 --metrics 10.77.0.13:9100
show dray run "${where[@]}" --name r1 -j 8 --max-per-host 24 "       # and r2, r3"
await_complete $((files / 10))
since && echo "$(complete) complete; jobs held: $(held)"

say "3. r1 is killed, r2 is cut off for $cut seconds"
kill_hard r1
since && echo "r1 killed"
ip link set to-r2 down
since && echo "r2 cut off"
down=$SECONDS

say "4. A fourth machine looks"
show dray watch --json
{ machine desk timeout 4 "$DRAY" watch --json || true; } | head -4 | cut -c1-150
show curl http://r3:9100/metrics
machine desk curl -sS --max-time 10 http://10.77.0.13:9100/metrics | grep -v '^#' | head -25 || fail "no metrics"

while [ $((SECONDS - down)) -lt $cut ]; do
  sleep 9
  since && echo "$(complete) complete; jobs held: $(held)"
done

say "5. r2 is back"
ip link set to-r2 up
since && echo "r2 connected"
await_complete "$files"
since && echo "$(complete) complete"
for name in r2 r3; do
  await 60 ended "$name" || fail "$name does not end: $(tail -3 "$work/$name.log")"
  status=0
  wait "${pids[$name]}" || status=$?
  unset "pids[$name]"
  since && echo "$name ended with exit status $status"
  [ $status = 0 ] || fail "$name: $(tail -3 "$work/$name.log")"
done

say "6. What each machine did, by PostgreSQL and by nginx"
sql "SELECT state || ': ' || count(*) FROM hot GROUP BY state"
awk -v total="$total" '
  $1 == 200 || $1 == 206 { bytes[$4] += $2; all += $2; answers[$4]++ }
  END { for (name in bytes) printf "%s: %d answers, %.1f MB\n", name, answers[name], bytes[name] / 1e6
        printf "sent: %.1f MB for files of %.1f MB\n", all / 1e6, total / 1e6 }' "$work/access.log" | sort
[ "$(sql "SELECT count(*) FROM (SELECT job FROM attempts WHERE outcome = 'complete' GROUP BY job HAVING count(*) > 1) AS t")" = 0 ] ||
  fail "jobs were completed twice"
[ "$(sql 'SELECT count(*) FROM hot WHERE runner IS NOT NULL')" = 0 ] || fail "jobs are held"

say "7. The same bytes?"
if [ -n "$bucket" ]; then
  list_objects >"$work/found"
  check_no_uploads
  echo "no upload is left in the bucket"
else
  list_files "$downloads" >"$work/found"
  check_nothing_else "$downloads"
  echo "nothing is left beside the files"
fi
compare "$work/expected" "$work/found"
head -3 "$work/expected"

say "Done: $(wc -l <"$work/found") of $files files are exact."
