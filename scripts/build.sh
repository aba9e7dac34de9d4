#!/usr/bin/env bash
# Builds the program that people get, and prints its path. SWIFT names another compiler; DRAY_ASSERTIONS=1 keeps assertions;
# DRAY_MAP=FILE has the linker write there what is where (scripts/order.py).
#
# It carries Swift with it. Nobody loads it as a library, so it exports no names: the system's libraries would be looked up
# among them first, at each start. It searches for no library beside itself. The C++ library, of which it uses little, is
# inside as well: it links to SQLite, Expat and the C library alone, and loads libcurl (scripts/program-check.sh).

set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
# What bug reports name.
if [ -z "${DRAY_COMMIT+x}" ]; then DRAY_COMMIT=$(scripts/version.sh commit); fi
export DRAY_COMMIT
# Optimized for size, it is a tenth smaller, and not slower: more of it fits into the caches (Benchmarks/compare).
flags=(-c release --static-swift-stdlib --disable-local-rpath -Xswiftc -Osize)
flags+=(-Xlinker -s -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker -z -Xlinker now)
clang=$(dirname "$(readlink -f "$(command -v "${swift%% *}")")")/clang
cxx=$("$clang" -print-file-name=libstdc++.a 2>/dev/null || true)
if [ -f "$cxx" ]; then
  # The first directory that has the library is the one that is linked, and this one has it in one form only.
  mkdir -p .build/static
  ln -sf "$cxx" .build/static/libstdc++.a
  flags+=(-Xswiftc "-L$PWD/.build/static" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
fi
# A section for each function: those that nobody calls are left out, and those that common commands run are placed next to each
# other. The kernel maps 64 KB around each place that is touched: scattered, they were 10 MB of memory. The linker ignores names
# that are not there; one that does not know the option gets none.
flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections)
order=--section-ordering-file=$PWD/scripts/order.txt
mkdir -p .build
if echo 'int main(void) { return 0; }' | "$clang" -x c - -o .build/order-trial "-Wl,$order" 2>/dev/null; then
  flags+=(-Xlinker "$order")
fi
rm -f .build/order-trial
if [ -n "${DRAY_MAP:-}" ]; then flags+=(-Xlinker "-Map=$DRAY_MAP"); fi
"$swift" build --product dray "${flags[@]}" >&2
echo "$("$swift" build --show-bin-path "${flags[@]}")/dray"
