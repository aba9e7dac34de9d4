#!/usr/bin/env bash
# Shows dray at work on an object store: three files with digests from nginx straight into a bucket of SeaweedFS, a kill -9
# half-way, continued, listed, verified, cleaned, and compared. Nothing of them touches this machine's disk on the way.
# All its files are in one temporary directory, removed at the end. DRAY=PROGRAM uses an existing program.

set -euo pipefail
cd "$(dirname "$0")/.."

rate=2 # MB/s of each connection: long enough to watch

if [ -z "${DRAY:-}" ]; then
  scripts/setup.sh demo
  make build
  DRAY=$PWD/.build/release/dray
fi
DRAY=$(realpath "$DRAY")
scripts/setup.sh s3

work=$(mktemp -d "${TMPDIR:-/tmp}/dray-object-demo.XXXXXX")
export DRAY_HOME=$work/home
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY # both servers are on this machine
objects=$PWD/Tests/EndToEndTests/Servers
site=$work/site
mkdir "$site" "$work/bucket"
nginx='' store='' runner='' watcher=''
finish() {
  local pid
  for pid in $runner $watcher $nginx $store; do kill "$pid" 2>/dev/null || true; done
  wait
  [ ! -t 2 ] || tput cnorm >&2 || true # a runner that was killed could not show the cursor again
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n== %s\n' "$*"; }
run() {
  printf '$ %s\n' "$(sed "s|$work/||g; s|$DRAY|dray|; s|python3 -B $objects/s3client.py|s3client|" <<<"$*")"
  "$@"
}
fail() {
  echo "object-demo: $*" >&2
  exit 1
}
look() { run python3 -B "$objects/s3client.py" "$@"; }

names=(forty.bin seventy.bin hundred.bin) sizes=(40 70 100)
total=0 digests=()
for index in 0 1 2; do
  head -c $((sizes[index] * 1000000)) /dev/urandom >"$site/${names[index]}"
  digests+=("$(sha256sum <"$site/${names[index]}" | cut -d' ' -f1)")
  total=$((total + sizes[index] * 1000000))
done

# SeaweedFS, whose launcher prints one line when the bucket is there.
python3 -B "$objects/s3server.py" seaweedfs "$work/bucket" >"$work/store.json" 2>"$work/store.log" &
store=$!
for _ in $(seq 600); do
  [ ! -s "$work/store.json" ] || break
  kill -0 "$store" 2>/dev/null || break
  sleep 0.1
done
said() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$work/store.json"; }
[ -s "$work/store.json" ] || fail "SeaweedFS does not start: $(tail -3 "$work/store.log")"
AWS_ENDPOINT_URL_S3=$(said endpoint) AWS_ACCESS_KEY_ID=$(said access) AWS_SECRET_ACCESS_KEY=$(said secret) AWS_REGION=$(said region)
export AWS_ENDPOINT_URL_S3 AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION

# nginx with a separate prefix, configuration and port; it runs in the foreground, so that this script can end it by its pid.
program=$(PATH=$PATH:/usr/sbin command -v nginx)
cat >"$work/nginx.conf" <<EOF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
$([ "$(id -u)" != 0 ] || echo "user root;")
events { worker_connections 256; }
http {
  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
  uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
  log_format served '\$status \$body_bytes_sent \$http_range \$uri';
  access_log $work/access.log served;
  default_type application/octet-stream;
  sendfile on;
  limit_rate $((rate * 1000000));
  server { listen 127.0.0.1:PORT; root $site; }
}
EOF
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for port in $(shuf -i 20000-32000 -n 10); do
  ! answers "$port" || continue
  sed "s/127.0.0.1:PORT/127.0.0.1:$port/" "$work/nginx.conf" >"$work/this.conf"
  "$program" -p "$work" -c "$work/this.conf" -e "$work/error.log" &
  nginx=$!
  for _ in $(seq 50); do
    ! answers "$port" || break 2
    kill -0 "$nginx" 2>/dev/null || break
    sleep 0.1
  done
done
answers "$port" || fail "nginx does not start: $(tail -1 "$work/error.log")"

say "1. Queue three files, $((total / 1000000)) MB in all, with their digests, for s3://bucket/data/"
for index in 0 1 2; do
  run "$DRAY" add --checksum "sha-256=${digests[index]}" -d s3://bucket/data/ "http://127.0.0.1:$port/${names[index]}"
done

# Kills the runner, like a power cut, once the bucket has confirmed a quarter of the bytes: then about half have come.
confirmed() { "$DRAY" list --parts 2>/dev/null | awk '/ s3:/ { n += $3 } END { print n + 0 }'; }
kill_half_way() {
  local deadline=$((SECONDS + 60))
  while [ "$SECONDS" -lt "$deadline" ]; do
    if [ "$(confirmed)" -gt $((total / 4)) ]; then
      kill -9 "$runner"
      return
    fi
    sleep 0.1
  done
}

say "2. Transfer them; half-way the runner gets a kill -9. The rates are nginx's limit, for each connection"
echo '$ dray run'
"$DRAY" run &
runner=$!
kill_half_way &
watcher=$!
status=0
wait "$runner" 2>/dev/null || status=$? # the shell would report the kill itself
[ ! -t 2 ] || tput cnorm >&2 || true
kill "$watcher" 2>/dev/null || true
runner='' watcher=''
[ "$status" = 137 ] || fail "the runner was to be killed half-way, and ended with exit status $status"
echo 'Killed'

say "3. What is left: interrupted jobs, unfinished uploads in the bucket, and nothing on this disk"
run "$DRAY" list
look uploads data/
run "$DRAY" list --parts
strays=$(find "$work/home" -type f -size +1000k ! -name '*.sqlite*')
[ -z "$strays" ] || fail "something is on this disk: $strays"

say "4. Continue: parts that the bucket has confirmed are not fetched again"
sleep 0.5 # a worker writes the line of an answer when the answer has ended
before=$(wc -l <"$work/access.log")
kept=$(confirmed)
run "$DRAY" run
sleep 0.5
sent=$(tail -n "+$((before + 1))" "$work/access.log" | awk '{ n += $2 } END { print n + 0 }')
printf 'kept %d bytes of %d, fetched %d\n' "$kept" "$total" "$sent"
# What was in memory at the kill is fetched again: at most the memory of uploads, and what was on its way.
[ "$sent" -lt "$total" ] || fail "everything was fetched again"

say "5. List and verify"
run "$DRAY" list
ids=$("$DRAY" list --json | grep -oE '"id" ?: ?[0-9]+' | grep -oE '[0-9]+')
for id in $ids; do run "$DRAY" verify "$id"; done
look head data/hundred.bin

say "6. Clean: the jobs are forgotten, the objects stay, and no upload is left"
run "$DRAY" clean
look keys data/
uploads=$(look uploads)
echo "$uploads"
[ "$(tail -1 <<<"$uploads")" = '[]' ] || fail "an upload is left"

say "7. The same bytes?"
for index in 0 1 2; do
  there=$(python3 -B "$objects/s3client.py" sha256 "data/${names[index]}")
  [ "$there" = "${digests[index]}" ] || fail "${names[index]} differs"
  printf 'same  %.16s…  %s\n' "$there" "${names[index]}"
done

say "Done: ${#names[@]} objects are exact, and none of them was on this disk."
