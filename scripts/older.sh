#!/usr/bin/env bash
# Builds the program of an older commit, for tests of upgrades, and prints its path. The first call builds from scratch.
# Usage: scripts/older.sh COMMIT

set -euo pipefail
cd "$(dirname "$0")/.."

commit=$(git rev-parse --verify --short=12 "${1:?which commit?}^{commit}")
head=$(git rev-parse --short=12 HEAD)
if [ "$commit" = "$head" ] || ! git merge-base --is-ancestor "$commit" "$head"; then
  echo "older: $1 is not an earlier commit" >&2
  exit 1
fi
place=$PWD/.build/older/$commit
program=$place/.build/release/dray
if [ ! -x "$program" ]; then
  rm -rf "$place"
  mkdir -p "$(dirname "$place")"
  git clone --quiet --shared --no-checkout . "$place"
  git -C "$place" checkout --quiet "$commit"
  # Older commits have no scripts/versions.txt.
  [ -e "$place/scripts/versions.txt" ] || [ ! -e Package.resolved ] || cp Package.resolved "$place/"
  (cd "$place" && env -u DRAY_ASSERTIONS -u DRAY_COMMIT -u DRAY_WARNINGS scripts/build.sh) >&2
fi
echo "$program"
