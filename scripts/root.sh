#!/usr/bin/env bash
# Makes a minimal Debian or Ubuntu system for tests of packages, and prints the path of its tarball. The tarball is kept
# for a week, because making it takes a minute. Needs root.
# Usage: scripts/root.sh SUITE     bookworm, trixie, testing, jammy …
# DRAY_MIRROR=URL replaces Debian's mirror, DRAY_KEYRING=FILE has the keys of its archive, DRAY_APT is an option of apt (for a mirror that
# is not updated: 'Acquire::Check-Valid-Until "false"'), DRAY_ROOTS=DIR keeps the tarballs.

set -euo pipefail

suite=$1
place=${DRAY_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/dray-roots}
tarball=$place/$suite.tar
mkdir -p "$place"

if [ -n "$(find "$tarball" -mtime -7 2>/dev/null)" ]; then
  echo "$tarball"
  exit 0
fi

# shellcheck disable=SC2054 # the commas are for mmdebstrap
options=(--variant=minbase --skip=cleanup/apt/lists --aptopt='Acquire::Retries "3"'
  --include=apt,ca-certificates,man-db,bash-completion,zsh,fish)
case $suite in
  bookworm | trixie | forky | testing | unstable) mirror=${DRAY_MIRROR:-http://deb.debian.org/debian} ;;
  # Ubuntu has fish in universe.
  *)
    mirror=${DRAY_MIRROR:?"$suite is no release of Debian: this must name its mirror"}
    # shellcheck disable=SC2054
    options+=(--components=main,universe)
    ;;
esac
[ -z "${DRAY_APT:-}" ] || options+=(--aptopt="$DRAY_APT")
[ -z "${DRAY_KEYRING:-}" ] || options+=(--keyring="$DRAY_KEYRING")

log=$place/$suite.log
if ! mmdebstrap "${options[@]}" "$suite" "$tarball.new.tar" "$mirror" >"$log" 2>&1 &&
  ! mmdebstrap "${options[@]}" "$suite" "$tarball.new.tar" "$mirror" >"$log" 2>&1; then
  tail -5 "$log" >&2
  echo "root: $suite could not be made; all lines are in $log" >&2
  exit 1
fi
mv "$tarball.new.tar" "$tarball"
echo "$tarball"
