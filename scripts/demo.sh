#!/usr/bin/env bash
# Shows dray at work on real files: queue, bars, a kill -9 half-way, resume, and proof that no byte was fetched twice.
# All its files are in one temporary directory, removed at the end; DRAY_KEEP=yes keeps it. DRAY=PROGRAM uses an existing program.

set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/demo-common.sh
. scripts/demo-common.sh

# The seconds that the largest file takes over one connection. dray opens more, and the kill must come seconds after the start, as up to
# two seconds of transfer are not recorded yet.
seconds=60

find_program demo
begin
downloads=$work/downloads
mkdir "$downloads"

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

start_nginx 127.0.0.1 $((largest / seconds))

say "1. Queue ${#names[@]} files, $((total / 1000000)) MB in all, that nginx serves at $((largest / seconds / 1000000)) MB/s on each connection"
run dray add --dir "$downloads" "${names[@]/#/$origin/}"

say "2. Transfer them; half-way the runner gets a kill -9. The rates are nginx's limit, for each connection"
received() { dray list --json | grep -oE '"received" ?: ?[0-9]+' | awk -F: '{ n += $2 } END { print n + 0 }'; }
run_until_killed $((total / 2)) received

say "3. What is left: interrupted jobs, and hidden part files. The list shows the last checkpoint; what was written after it is kept, too"
run dray list
run ls -lA "$downloads"

mark_served
declare -A kept
while read -r name received; do kept[$name]=$received; done < <(dray list --json | sed -n 's|.*"url":"[^"]*/\([^"/]*\)".*"received":\([0-9]*\).*|\1 \2|p')

say "4. Resume"
run dray run

say "5. The same bytes?"
list_files "$site" >"$work/expected"
list_files "$downloads" >"$work/found"
compare "$work/expected" "$work/found"
show_same "$work/expected"
check_nothing_else "$downloads"

say "6. What nginx sent: after a resume, only what was missing"
served >"$work/served"
resumed=0
for name in "${names[@]}"; do
  size=$(stat -Lc %s "$site/$name") missing=$((size - ${kept[$name]})) arrived=0 answers=0
  while read -r code sent range _; do
    printf '%s %9d of %9d bytes   %-18s %s\n' "$code" "$sent" "$size" "${range/#-/the whole file}" "$name"
    arrived=$((arrived + sent)) answers=$((answers + 1))
    [ "${kept[$name]}" -eq 0 ] || [ "$code" = 206 ] || fail "$name: asked for all of it again"
  done < <(awk -v path="/$name" '$5 == path' "$work/served")
  # A connection that is closed because another one takes over its part has some bytes in flight.
  # Fewer than the list said are missing: it shows the checkpoint, and bytes that were written after it are kept, too.
  [ "$arrived" -le $((missing + answers * (1 << 20))) ] || fail "$name: $arrived bytes were sent, at most $missing were missing"
  [ "${kept[$name]}" -eq 0 ] || [ "$answers" -eq 0 ] || resumed=$((resumed + 1))
done
[ "$resumed" -gt 0 ] || fail "nothing was resumed"

say "Done: ${#names[@]} files are exact, $resumed of them resumed."
