#!/usr/bin/env bash
# Checks the release program: its libraries, its hardening, its size, and that it contains no path of the machine that built it.
# Usage: scripts/program-check.sh [PROGRAM]; DRAY_ASSERTIONS=1 says that it was built with assertions

set -euo pipefail
cd "$(dirname "$0")/.."

program=${1:-.build/release/dray}
# Libraries whose names have not changed for ten years, and the C library.
allowed='^(libcurl\.so\.4|libsqlite3\.so\.0|libexpat\.so\.1|libidn2\.so\.0|libz\.so\.1|libm\.so\.6|libc\.so\.6|ld-linux.*\.so\.[0-9])$'
# In bytes. The gate's program has assertions, the released one has none.
largest=$((33 << 20))
[ -z "${DRAY_ASSERTIONS:-}" ] || largest=$((largest + (1 << 20)))

needed=$(readelf --dynamic "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
others=$(grep -Ev "$allowed" <<<"$needed" || true)
if [ -n "$others" ]; then
  echo "$program links to more than it should: $others" >&2
  exit 1
fi

fail() {
  echo "$program $*" >&2
  exit 1
}
# Debian's hardening flags, as far as a program shows them.
header=$(readelf --file-header --program-headers --wide "$program")
dynamic=$(readelf --dynamic --wide "$program")
symbols=$(readelf --dyn-syms --wide "$program")
grep -q 'Type: *DYN' <<<"$header" || fail "is not position-independent"
grep -q 'GNU_RELRO' <<<"$header" || fail "has relocations that stay writable"
grep -qE 'BIND_NOW|FLAGS_1.* NOW' <<<"$dynamic" || fail "binds functions lazily"
grep -qE 'GNU_STACK .* RW +0x' <<<"$header" || fail "has a stack that can be executed"
! grep -qE 'LOAD .* RWE ' <<<"$header" || fail "has memory that can be written and executed"
! grep -qE 'R(UN)?PATH' <<<"$dynamic" || fail "looks for libraries in places of its own"
grep -q '__stack_chk_fail' <<<"$symbols" || fail "has no stack protector"
grep -qE '__(v?sn?printf|mem(cpy|move|set))_chk' <<<"$symbols" || fail "was built without _FORTIFY_SOURCE"
# Functions that libcurl got after 7.81 must be weak: otherwise the program does not start with 7.81.
newer='curl_(easy_(header|nextheader|ssls_import|ssls_export)|global_trace|multi_(get_handles|get_offt|waitfds|notify_[a-z]+)|ws_[a-z_]+)'
strict=$(grep ' GLOBAL .* UND ' <<<"$symbols" | grep -oE " $newer\b" || true)
[ -z "$strict" ] || fail "does not start with libcurl 7.81, which has no$strict"
# With paths of sources two builds would differ.
places=$(grep -oaE "[^.[:cntrl:]]/\.build/checkouts/[^[:cntrl:]]{0,60}|$PWD/[^[:cntrl:]]{0,60}" "$program" || true)
[ -z "$places" ] || fail "names a place of the machine that built it: ${places%%$'\n'*}"
size=$(stat -c %s "$program")
if [ "$size" -gt "$largest" ]; then
  echo "$program has $size bytes, and may have $largest" >&2
  exit 1
fi
echo "$program: hardened, $size bytes, links to ${needed//$'\n'/ }"
