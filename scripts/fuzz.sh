#!/usr/bin/env bash
# Fuzzes the parsers of all input from outside: `make fuzz`, `make fuzz FUZZ='Metalink 60'`.
# Usage: scripts/fuzz.sh [TARGET] [SECONDS | FILE…]; every target for 20 seconds by default.
# Uses libFuzzer if the Swift toolchain has it, otherwise the gate's generator with a new seed each time.

set -euo pipefail
cd "$(dirname "$0")/.."

place=.build/fuzz
# A separate directory, because these options would replace the usual build.
build=(--scratch-path "$place/build" -c release --product DrayFuzz -Xswiftc -enable-testing)
export DRAY_FUZZ=1 DRAY_FUZZ_PLACE=$place SWIFT_BACKTRACE=enable=no

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
printf '@_cdecl("LLVMFuzzerTestOneInput") public func look(_: UnsafePointer<UInt8>?, _: Int) -> Int32 { 0 }\n' >"$probe/look.swift"
if swiftc -parse-as-library -sanitize=fuzzer "$probe/look.swift" -o "$probe/look" >/dev/null 2>&1; then
  build+=(-Xswiftc -sanitize=fuzzer -Xswiftc -DLIBFUZZER)
else
  echo "this toolchain has no libFuzzer: the generator takes its place"
fi

swift build "${build[@]}"
program=$(swift build "${build[@]}" --show-bin-path)/DrayFuzz

# In this order: the name of the target, which may have blanks; files; the time.
words=("$@")
seconds=20
if [ ${#words[@]} -gt 0 ] && [[ ${words[-1]} =~ ^[0-9]+$ ]]; then
  seconds=${words[-1]}
  unset 'words[-1]'
fi
files=()
while [ ${#words[@]} -gt 0 ] && [ -f "${words[-1]}" ]; do
  files+=("${words[-1]}")
  unset 'words[-1]'
done
name="${words[*]-}"

if [ ${#files[@]} -gt 0 ]; then exec "$program" "$name" "${files[@]}"; fi
if [ -n "$name" ]; then exec "$program" "$name" "$seconds"; fi

failed=()
while IFS= read -r target; do
  echo "== $target"
  "$program" "$target" "$seconds" </dev/null >"$probe/log" 2>&1 || {
    failed+=("$target")
    grep -v '^$' "$probe/log" | tail -40
  }
  grep -E 'stat::number_of_executed_units|inputs, all holds' "$probe/log" || true
done < <("$program")
for target in "${failed[@]}"; do echo "✘ $target: its input is in $place; run it again with make fuzz FUZZ='$target FILE'"; done
[ ${#failed[@]} -eq 0 ]
