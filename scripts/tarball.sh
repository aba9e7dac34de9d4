#!/usr/bin/env bash
# Packs a directory into DIR/NAME.tar.zst, and prints that path. The same contents and commit give the same bytes. DIR/SHA256SUMS gets
# the digests of all files in DIR.
# Usage: scripts/tarball.sh DIRECTORY DIR

set -euo pipefail

tree=$1 packages=$2
name=$(basename "$tree")
epoch=$("$(dirname "$0")/version.sh" epoch)
mkdir -p "$packages"
# The output may depend on the number of threads.
tar -c -C "$(dirname "$tree")" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" --format=posix \
  --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime "$name" |
  zstd -q -f --single-thread "-${DRAY_ZSTD_LEVEL:-19}" -o "$packages/$name.tar.zst"
"$(dirname "$0")/sums.sh" "$packages"
echo "$packages/$name.tar.zst"
