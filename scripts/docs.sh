#!/bin/bash
# Builds the documentation of the libraries, .build/docs/NAME.doccarchive, with Swift's own tools. A warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
$swift package dump-symbol-graph --minimum-access-level public
written=$(dirname "$($swift build --show-bin-path)")/symbolgraph

rm -rf .build/docs
for name in Curl DrayKit; do
  graphs=.build/docs/graphs/$name
  mkdir -p "$graphs"
  cp "$written/$name.symbols.json" "$graphs"
  "$docc" convert "Sources/$name/Documentation.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$name" --fallback-bundle-identifier "dray.$name" \
    --warnings-as-errors --output-path ".build/docs/$name.doccarchive"
done
