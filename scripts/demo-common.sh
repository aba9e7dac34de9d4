# Shared by scripts/demo.sh, scripts/object-demo.sh and scripts/fleet-demo.sh: the program, the temporary directory, servers,
# waits, kills and comparisons. These scripts source this file in the root of the repository.
# shellcheck shell=bash
#
# DRAY=PROGRAM uses an existing program instead of building one. DRAY_KEEP=yes keeps the temporary directory.

demo=$(basename "$0" .sh)
servers=$PWD/Tests/EndToEndTests/Servers
names=()              # the files that the demo transfers; it sets this
declare -A pids=()    # the running processes, by name
declare -A signals=() # what ends a process, if not TERM

# --- Output.

if [ -t 1 ]; then
  say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
else
  say() { printf '\n== %s\n' "$*"; }
fi
fail() {
  echo "$demo: $*" >&2
  exit 1
}
# Prints a command line, with paths relative to the temporary directory.
show() {
  local line=$*
  printf '$ %s\n' "${line//"$work/"/}"
}
run() {
  show "$@"
  "$@"
}
# A killed runner leaves the cursor hidden.
show_cursor() { [ ! -t 2 ] || tput cnorm >&2 || true; }

# --- The program and the temporary directory.

# Sets DRAY to the path of the program. Without one it installs what the task of scripts/setup.sh needs, and builds it.
find_program() {
  local found
  if [ -z "${DRAY:-}" ]; then
    scripts/setup.sh "$1"
    make build
    DRAY=.build/release/dray
  fi
  found=$(command -v "$DRAY") || fail "no such program: $DRAY"
  DRAY=$(realpath "$found")
}
dray() { "$DRAY" "$@"; }

# Makes the directory `work`, and in it `site`, which nginx serves.
begin() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/dray-$demo.XXXXXX")
  trap finish EXIT
  trap 'exit 130' INT TERM
  site=$work/site
  mkdir "$site"
  export DRAY_HOME=$work/home
  unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY # all servers are on this machine
}
finish() {
  local name
  for name in "${!pids[@]}"; do kill "-${signals[$name]:-TERM}" "${pids[$name]}" 2>/dev/null || true; done
  await 5 none_runs || true
  for name in "${!pids[@]}"; do kill -9 "${pids[$name]}" 2>/dev/null || true; done
  wait
  show_cursor
  if [ -n "${DRAY_KEEP:-}" ]; then echo "kept: $work" >&2; else rm -rf "$work"; fi
}

# --- Waits and processes.

# Repeats a command until it succeeds; fails after so many seconds.
# Usage: await SECONDS COMMAND…
await() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$deadline" ] || return 1
    sleep 0.1
  done
}
alive() { kill -0 "${pids[$1]}" 2>/dev/null; }
ended() { ! alive "$1"; }
none_runs() { [ -z "$(jobs -rp)" ]; }

# Waits until a server is ready, which the command proves; fails at once if its process has ended.
# Usage: await_ready NAME SECONDS COMMAND…
await_ready() {
  local name=$1 seconds=$2
  shift 2
  await "$seconds" ready_or_ended "$name" "$@" && alive "$name" && "$@"
}
ready_or_ended() { "${@:2}" || ended "$1"; }

# Ends a process like a power cut.
kill_hard() {
  kill -9 "${pids[$1]}" 2>/dev/null || true
  wait "${pids[$1]}" 2>/dev/null || true # the shell would report the kill
  unset "pids[$1]"
}

# Runs the queue, and kills the runner as soon as the command prints more than so many bytes.
# Usage: run_until_killed BYTES COMMAND…
run_until_killed() {
  local status=0
  show dray run
  "$DRAY" run &
  pids[runner]=$!
  { await 60 exceeds "$@" && kill -9 "${pids[runner]}"; } &
  pids[watcher]=$!
  wait "${pids[runner]}" 2>/dev/null || status=$?
  show_cursor
  kill "${pids[watcher]}" 2>/dev/null || true
  unset 'pids[runner]' 'pids[watcher]'
  [ "$status" = 137 ] || fail "the runner was to be killed half-way, and ended with exit status $status"
  echo 'Killed'
}
exceeds() { [ "$("${@:2}")" -gt "$1" ]; }

# --- nginx.

# Serves `site` at `origin`, with so many bytes a second on each connection. nginx gets a configuration and a prefix of its own, and
# stays in the foreground, so that its process can be ended.
# Usage: start_nginx ADDRESS RATE [PORT]     a free port by default
start_nginx() {
  local address=$1 rate=$2 port program
  program=$(PATH=$PATH:/usr/sbin command -v nginx) || fail "nginx is not installed"
  for port in ${3:-$(shuf -i 20000-32000 -n 10)}; do
    ! accepts "$address" "$port" || continue
    cat >"$work/nginx.conf" <<CONF
daemon off;
pid $work/nginx.pid;
error_log $work/error.log;
$([ "$(id -u)" != 0 ] || echo "user root;")
events { worker_connections 1024; }
http {
  client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3;
  uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
  log_format served '\$status \$body_bytes_sent \$http_range \$remote_addr \$uri';
  access_log $work/access.log served;
  default_type application/octet-stream;
  sendfile on;
  limit_rate $rate;
  server { listen $address:$port; root $site; }
}
CONF
    "$program" -p "$work" -c "$work/nginx.conf" -e "$work/error.log" &
    pids[nginx]=$!
    if await_ready nginx 5 accepts "$address" "$port"; then
      # shellcheck disable=SC2034 # used by the demos
      origin=http://$address:$port
      return
    fi
    kill_hard nginx
  done
  fail "nginx does not start: $(tail -1 "$work/error.log")"
}
accepts() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; }

# `served` prints one line for each answer since the last `mark_served`: status, bytes, range, client, path.
mark_served() {
  await_log
  marked=$(wc -l <"$work/access.log")
}
served() {
  await_log
  tail -n "+$((marked + 1))" "$work/access.log"
}
await_log() { sleep 0.5; } # nginx writes a line only after the answer has ended

# --- SeaweedFS.

# Starts SeaweedFS with the bucket `bucket`, and tells dray and `s3client` where it is.
# Usage: start_seaweedfs ADDRESS
start_seaweedfs() {
  mkdir "$work/bucket"
  python3 -B "$servers/s3server.py" seaweedfs "$work/bucket" "$1" >"$work/store.json" 2>"$work/store.log" &
  pids[seaweedfs]=$!
  # Its launcher prints one line when the bucket exists.
  await_ready seaweedfs 60 test -s "$work/store.json" || fail "SeaweedFS does not start: $(tail -3 "$work/store.log")"
  AWS_ENDPOINT_URL_S3=$(of_store endpoint) AWS_ACCESS_KEY_ID=$(of_store access)
  AWS_SECRET_ACCESS_KEY=$(of_store secret) AWS_REGION=$(of_store region)
  export AWS_ENDPOINT_URL_S3 AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION
}
of_store() { sed -n "s/.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$work/store.json"; }
s3client() { python3 -B "$servers/s3client.py" "$@"; }

# --- Comparisons of the files in `names`. Each line of a list is a SHA-256 and a name.

# Lists the files in a directory.
list_files() { (cd "$1" && sha256sum -- "${names[@]}"); }
# Lists the objects below data/, in any order.
list_objects() {
  # shellcheck disable=SC2016 # for the shell that xargs starts
  printf '%s\n' "${names[@]}" | xargs -P 4 -I NAME sh -c 'echo "$(python3 -B "$0" sha256 "data/NAME")  NAME"' "$servers/s3client.py"
}
# Fails unless two files have the same list.
compare() { diff <(sort -k2 "$1") <(sort -k2 "$2") >"$work/differences" || fail "files differ: $(head -3 "$work/differences")"; }
show_same() { sed -E 's/^(.{16})[^ ]*/same  \1…/' "$1"; }

# Fails if a directory has more than the files.
check_nothing_else() {
  local left
  left=$(comm -13 <(printf '%s\n' "${names[@]}" | sort) <(find "$1" -mindepth 1 -printf '%P\n' | sort))
  [ -z "$left" ] || fail "something is left beside the files: $left"
}
# Fails if the bucket has an unfinished upload.
check_no_uploads() {
  local left
  left=$(s3client uploads)
  [ "$left" = '[]' ] || fail "uploads are left: $left"
}
