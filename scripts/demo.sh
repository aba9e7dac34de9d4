#!/usr/bin/env bash
# Shows dray at work on real files: queue, bars, a kill -9 half-way, resume, and proof that no byte was fetched twice.
# All its files are in one temporary directory, removed at the end. DRAY=PROGRAM uses an existing program.

set -euo pipefail
cd "$(dirname "$0")/.."

seconds=12 # the duration of the whole download, long enough to watch

if [ -z "${DRAY:-}" ]; then
  scripts/setup.sh demo
  make build
  DRAY=$PWD/.build/release/dray
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/dray-demo.XXXXXX")
export DRAY_HOME=$work/home
unset http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY # nginx is on this machine
site=$work/site downloads=$work/downloads
mkdir "$site" "$downloads"
server='' runner='' watcher=''
finish() {
  local pid
  for pid in $runner $watcher $server; do kill "$pid" 2>/dev/null || true; done
  wait
  [ ! -t 2 ] || tput cnorm >&2 || true # a runner that was killed could not show the cursor again
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n== %s\n' "$*"; }
run() {
  printf '$ %s\n' "$(sed "s|$work/||g; s|$DRAY|dray|" <<<"$*")"
  "$@"
}
fail() {
  echo "demo: $*" >&2
  exit 1
}

# Four real files of different sizes, 20 to 300 MB: the Swift toolchain has some, and so has /usr/lib.
choose_files() {
  local toolchain
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
  find "$toolchain" /usr/lib -xdev -type f -size +20000k -size -300000k -readable -printf '%s %p\n' 2>/dev/null |
    sort -rn | awk '
      { name = $0; sub(/.*\//, "", name) }
      seen[name]++ || name !~ /^[A-Za-z0-9._+-]+$/ { next }
      { size[++n] = $1; line[n] = $0 }
      END {
        # The nearest unused file for each of these sizes, in MB.
        split("60 110 180 280", wanted)
        for (w = 1; w <= 4 && w <= n; w++) {
          best = 0
          for (i = 1; i <= n; i++) {
            gap = size[i] - wanted[w] * 1e6; if (gap < 0) gap = -gap
            if (!(i in taken) && (!best || gap < least)) { best = i; least = gap }
          }
          taken[best]; print line[best]
        }
      }'
}

total=0 largest=0 names=()
while read -r size path; do
  name=$(basename "$path")
  ln -s "$path" "$site/$name"
  names+=("$name") total=$((total + size))
  largest=$((size > largest ? size : largest))
done < <(choose_files)
[ ${#names[@]} -gt 0 ] || fail "no file of 20 to 300 MB below the Swift toolchain and /usr/lib"
free=$(($(df --output=avail -k "$downloads" | tail -1) * 1024))
[ "$free" -gt $((total + 100000000)) ] || fail "$work needs $((total / 1000000 + 100)) MB; set TMPDIR to another disk"

# nginx with a separate prefix, configuration and port; it runs in the foreground, so that this script can end it by its pid.
nginx=$(PATH=$PATH:/usr/sbin command -v nginx)
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
  limit_rate $((largest / seconds));
  server { listen 127.0.0.1:PORT; root $site; }
}
EOF
answers() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
for port in $(shuf -i 20000-32000 -n 10); do
  ! answers "$port" || continue
  sed "s/127.0.0.1:PORT/127.0.0.1:$port/" "$work/nginx.conf" >"$work/this.conf"
  "$nginx" -p "$work" -c "$work/this.conf" -e "$work/error.log" &
  server=$!
  for _ in $(seq 50); do
    ! answers "$port" || break 2
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
done
answers "$port" || fail "nginx does not start: $(tail -1 "$work/error.log")"

say "1. Queue ${#names[@]} files, $((total / 1000000)) MB in all, that nginx serves at $((largest / seconds / 1000000)) MB/s each"
run "$DRAY" add --dir "$downloads" "${names[@]/#/http://127.0.0.1:$port/}"

# Kills the runner, like a power cut, once half of the bytes are there.
received() { "$DRAY" list --json | grep -oE '"received" ?: ?[0-9]+' | awk -F: '{ n += $2 } END { print n + 0 }'; }
kill_half_way() {
  local deadline=$((SECONDS + 60))
  while [ "$SECONDS" -lt "$deadline" ]; do
    if [ "$(received)" -gt $((total / 2)) ]; then
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

say "3. What is left: interrupted jobs, and hidden part files. The kill costs what came since the last checkpoint"
run "$DRAY" list
run ls -lA "$downloads"

sleep 0.5 # a worker writes the line of an answer when the answer has ended
before=$(wc -l <"$work/access.log")
declare -A kept
while read -r name received; do kept[$name]=$received; done < <("$DRAY" list --json | sed -n 's|.*"url":"[^"]*/\([^"/]*\)".*"received":\([0-9]*\).*|\1 \2|p')

say "4. Resume"
run "$DRAY" run

say "5. The same bytes?"
for name in "${names[@]}"; do
  there=$(sha256sum <"$site/$name") here=$(sha256sum <"$downloads/$name")
  [ "$there" = "$here" ] || fail "$name differs"
  printf 'same  %.16s…  %s\n' "$here" "$name"
done
[ -z "$(find "$downloads" -name '.*')" ] || fail "something is left beside the files: $(ls -A "$downloads")"

say "6. What nginx sent: after a resume, only what was missing"
sleep 0.5
resumed=0
for name in "${names[@]}"; do
  size=$(stat -Lc %s "$site/$name") missing=$((size - ${kept[$name]})) total=0 answers=0
  while read -r code sent range _; do
    printf '%s %9d of %9d bytes   %-18s %s\n' "$code" "$sent" "$size" "${range/#-/the whole file}" "$name"
    total=$((total + sent)) answers=$((answers + 1))
    [ "${kept[$name]}" -eq 0 ] || [ "$code" = 206 ] || fail "$name: asked for all of it again"
  done < <(tail -n "+$((before + 1))" "$work/access.log" | grep -F " /$name")
  # A connection whose part is taken over has some bytes in flight when it is closed.
  [ "$total" -ge "$missing" ] && [ "$total" -le $((missing + answers * (1 << 20))) ] ||
    fail "$name: $total bytes were sent, $missing were missing"
  [ "${kept[$name]}" -eq 0 ] || [ "$answers" -eq 0 ] || resumed=$((resumed + 1))
done
[ "$resumed" -gt 0 ] || fail "nothing was resumed"

say "Done: ${#names[@]} files are exact, $resumed of them resumed."
