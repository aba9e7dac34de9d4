#!/usr/bin/env bash
# Checks the packages for the gate, in two minutes: the list of parts is correct, two builds of the Debian package have equal bytes,
# lintian is silent, package and tarball are installed in a minimal bookworm, and the systemd unit runs. Reports skipped steps.
# Usage: scripts/package-check.sh
# DRAY_PROGRAM=PATH is the program, instead of .build/release/dray.

set -euo pipefail
cd "$(dirname "$0")/.."

export DRAY_PROGRAM=${DRAY_PROGRAM:-.build/release/dray}
# Only published packages need full compression.
export DRAY_DEB_LEVEL=0 DRAY_ZSTD_LEVEL=3

fail() {
  echo "package-check: $*" >&2
  exit 1
}
skipped() { scripts/not-run.sh "$1" "package-check: $2"; }

scripts/parts.py check "$DRAY_PROGRAM"
scripts/parts.py selftest

if ! command -v dpkg >/dev/null; then
  skipped debian "the Debian package (this is no Debian)"
  exit 0
fi
scripts/setup.sh package
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-package-check.XXXXXX")
trap 'rm -rf "$work"' EXIT

# A different umask, time zone, language and directory must make no difference.
deb=$(scripts/deb.sh "$work/one")
again=$(umask 077 && mkdir "$work/tmp" && TMPDIR=$work/tmp TZ=Pacific/Auckland LC_ALL=C LANGUAGE=de scripts/deb.sh "$work/two")
cmp "$deb" "$again" || fail "two builds of the Debian package differ"
echo "package-check: two builds have the same bytes: $(sha256sum <"$deb" | cut -c 1-16)…  $(basename "$deb")"

lintian --allow-root --no-cfg --fail-on error,warning "$deb" || fail "lintian has found something"
echo "package-check: lintian: no errors, no warnings"

if command -v desktop-file-validate >/dev/null; then
  desktop-file-validate desktop/*.desktop || fail "a desktop entry is not valid"
else
  skipped desktop-file-validate "the desktop entries (desktop-file-utils is not installed)"
fi

[ "$(id -u)" = 0 ] || {
  skipped root "installing the package (only root may do this)"
  exit 0
}
mirror=${DRAY_MIRROR:-http://deb.debian.org/debian}
if ! curl -sfI --retry 3 --retry-all-errors --max-time 60 "$mirror/dists/bookworm/InRelease" >/dev/null; then
  skipped mirror "installing the package ($mirror does not answer)"
  exit 0
fi
scripts/setup.sh package-test
if ! scripts/root.sh bookworm >/dev/null; then
  skipped bookworm "installing the package (a minimal bookworm could not be made; the lines above say why)"
  exit 0
fi
DRAY_DEB=$deb scripts/package-test.sh bookworm
scripts/unit-test.sh "$DRAY_PROGRAM"
