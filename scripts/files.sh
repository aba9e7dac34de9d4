#!/usr/bin/env bash
# Prints the files that belong to the source, each ended by a zero byte: what git knows, or, in a tarball, all but what was built.

set -euo pipefail
cd "$(dirname "$0")/.."

if [ -e .git ]; then
  # A file that was removed and not yet committed is in the list all the same.
  git ls-files -z | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file"
  done
else
  find . -path ./.build -prune -o -path ./.swiftpm -prune -o -type f -printf '%P\0'
fi | LC_ALL=C sort -z
