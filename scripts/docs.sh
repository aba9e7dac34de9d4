#!/bin/bash
# Builds the documentation of the modules, .build/docs/NAME.doccarchive, with Swift's own docc. Warnings count as errors for the
# libraries. Other modules link to symbols that are not public, which docc cannot resolve, so only their errors count.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
$swift package dump-symbol-graph --minimum-access-level public
written=$(dirname "$($swift build --show-bin-path)")/symbolgraph

rm -rf .build/docs
for catalog in Sources/*/Documentation.docc; do
  name=$(basename "$(dirname "$catalog")")
  graphs=.build/docs/graphs/$name
  mkdir -p "$graphs"
  cp "$written/$name.symbols.json" "$graphs"
  case $name in
    Curl | DrayKit) strictness=(--warnings-as-errors) ;;
    *) strictness=(--diagnostic-level error) ;;
  esac
  "$docc" convert "$catalog" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$name" --fallback-bundle-identifier "dray.$name" \
    "${strictness[@]}" --output-path ".build/docs/$name.doccarchive"
done
