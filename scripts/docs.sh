#!/bin/bash
# Builds the documentation of the modules, .build/docs/NAME.doccarchive, with Swift's own docc. In the libraries, each link must lead
# somewhere. Other modules link to symbols that are not public, which docc cannot resolve, so only their errors count.
# Usage: scripts/docs.sh              all modules
#        scripts/docs.sh libraries    only those of the library products, without building the program
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
case ${1:-all} in
  all)
    build=()
    names=()
    for catalog in Sources/*/Documentation.docc; do names+=("$(basename "$(dirname "$catalog")")"); done
    ;;
  libraries)
    build=(--product DrayKit)
    names=(Curl DrayCore DrayKit DrayStore)
    ;;
  *)
    echo "docs: unknown argument: $1 (libraries)" >&2
    exit 2
    ;;
esac
scripts/versions.sh pin
"$swift" build "${build[@]}"
built=$("$swift" build --show-bin-path)

# The module maps of C, which the Swift modules need to be read.
maps=()
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap "$built"/*.build/module.modulemap \
  .build/checkouts/*/Sources/*/include/module.modulemap; do
  [ ! -e "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map" -Xcc "-I$(dirname "$map")")
done
for headers in .build/checkouts/*/Sources/*/include; do maps+=(-Xcc "-I$headers"); done

rm -rf .build/docs
for name in "${names[@]}"; do
  graphs=.build/docs/graphs/$name
  mkdir -p "$graphs"
  "$tools/swift-symbolgraph-extract" -module-name "$name" -target "$("$swift" -print-target-info | sed -n 's/.*"triple": "\(.*\)",/\1/p' | head -1)" \
    -I "$built/Modules" "${maps[@]}" -minimum-access-level public -output-dir "$graphs"
  # Graphs of extensions of other modules have their names after an @.
  find "$graphs" -name '*@*' -delete
  report=.build/docs/$name.log
  "$tools/docc" convert "Sources/$name/Documentation.docc" --additional-symbol-graph-dir "$graphs" \
    --fallback-display-name "$name" --fallback-bundle-identifier "dray.$name" \
    --output-path ".build/docs/$name.doccarchive" >"$report" 2>&1 || {
    cat "$report" >&2
    exit 1
  }
  case $name in
    Curl | DrayKit)
      # A parameter whose name says enough has no line of its own, so that warning is none.
      if grep -A 1 "doesn't exist at" "$report" >&2; then exit 1; fi
      ;;
  esac
done
