#!/usr/bin/env bash
# Builds the program that people get, and prints its path. SWIFT names another compiler; DRAY_ASSERTIONS=1 keeps assertions.
#
# It carries Swift with it. Nobody loads it as a library, so it exports no names: the system's libraries would be looked up
# among them first, at each start. It searches for no library beside itself.

set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
flags=(-c release --static-swift-stdlib --disable-local-rpath -Xlinker -s -Xlinker --no-export-dynamic)
"$swift" build --product dray "${flags[@]}" >&2
echo "$("$swift" build --show-bin-path "${flags[@]}")/dray"
