#!/usr/bin/env bash
# Checks the program that people get: what it links to, and how large it is. Usage: scripts/program-check.sh [PROGRAM]

set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-.build/release/dray}
# Libraries whose names have been the same for ten years, and the C library. Not libcurl: it is loaded when it is needed, and
# linked to by mistake it would be there for every command.
allowed='^(libsqlite3\.so\.0|libexpat\.so\.1|libm\.so\.6|libc\.so\.6|ld-linux.*\.so\.[0-9])$'
# Bytes: nobody should notice it.
largest=$((30 << 20))

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
echo "$program: $size bytes, links to ${needed//$'\n'/ } and loads libcurl.so.4"
