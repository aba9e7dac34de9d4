#!/usr/bin/env bash
# Writes the digests of all packages in DIR into DIR/SHA256SUMS, for `sha256sum -c` and `dray get --verify auto`.
# Usage: scripts/sums.sh DIR

set -euo pipefail
cd "$1"
find . -maxdepth 1 -type f ! -name 'SHA256SUMS*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0r sha256sum >SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
