#!/usr/bin/env bash
# Prints the paths of the source files, each with a zero byte at its end: git's files, or in a tarball all files that were not built.

set -euo pipefail
cd "$(dirname "$0")/.."

if [ -e .git ]; then
  # The list includes files whose removal is not committed yet.
  git ls-files -z | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
  done
else
  find . -path ./.build -prune -o -path ./.swiftpm -prune -o -type f -printf '%P\0'
fi | LC_ALL=C sort -z
