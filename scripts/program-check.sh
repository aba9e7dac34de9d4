#!/usr/bin/env bash
# Checks the program that people get: what it links to, how large it is, and the memory of a command that transfers nothing.
# Usage: scripts/program-check.sh [PROGRAM]

set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-.build/release/dray}
# Libraries whose names have been the same for ten years, and the C library. Not libcurl: it is loaded when it is needed, and
# linked to by mistake it would be there for every command.
allowed='^(libsqlite3\.so\.0|libexpat\.so\.1|libm\.so\.6|libc\.so\.6|ld-linux.*\.so\.[0-9])$'
# Bytes: nobody should notice it.
largest=$((30 << 20))
# Bytes that `dray list` may have in memory at its peak.
memory=$((15 << 20))

needed=$(readelf --dynamic "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -Ev "$allowed" <<<"$needed" || true)
if [ -n "$others" ]; then
  echo "$program links to more than it should: $others" >&2
  exit 1
fi
if ! grep -qaF libcurl.so.4 "$program"; then
  echo "$program does not name libcurl.so.4, which it has to load" >&2
  exit 1
fi
size=$(stat -c %s "$program")
if [ "$size" -gt "$largest" ]; then
  echo "$program has $size bytes, and may have $largest" >&2
  exit 1
fi
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
DRAY_HOME=$state "$program" add -q http://127.0.0.1:9/a http://127.0.0.1:9/b http://127.0.0.1:9/c >/dev/null
# In memory: of a file on a disk newer kernels map pieces as large as they happen to hold them. A process has the peak of what
# started it, too: Python alone, without its modules, has less than dray.
if ! copy=$(mktemp -d -p /dev/shm 2>/dev/null) || ! cp "$program" "$copy/dray" || ! "$copy/dray" --version >/dev/null 2>&1; then
  copy=$state
  cp "$program" "$copy/dray"
fi
trap 'rm -rf "$state" "$copy"' EXIT
peak=$(DRAY_HOME=$state python3 -ISc '
import os, sys
def peak():
    child = os.spawnv(os.P_NOWAIT, sys.argv[1], ["dray", "list"])
    _, status, usage = os.wait4(child, 0)
    if status: sys.exit("dray list failed")
    return usage.ru_maxrss * 1024
print(min(peak() for _ in range(5)))' "$copy/dray" | tail -n 1)
if [ "$peak" -gt "$memory" ]; then
  echo "dray list had $peak bytes in memory, and may have $memory: scripts/order.py tells what to do" >&2
  exit 1
fi
echo "$program: $size bytes, links to ${needed//$'\n'/ } and loads libcurl.so.4; dray list has $peak bytes in memory"
