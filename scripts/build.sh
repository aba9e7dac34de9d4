#!/usr/bin/env bash
# Builds the release program, and prints its path. SWIFT names another compiler; DRAY_ASSERTIONS=1 keeps assertions.
# docs/build.md says where the time goes.
#
# The program contains the runtime of Swift and the little that it needs of the C++ library. It links only to libcurl, SQLite, Expat,
# libidn2, zlib and the C library (scripts/program-check.sh). It exports no symbols, because it is never loaded as a library, and at each start
# the loader would search these symbols before the ones of the system's libraries. It has no RPATH.

set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
mkdir -p .build
# Bug reports name the commit.
if [ -z "${DRAY_COMMIT+x}" ]; then DRAY_COMMIT=$(scripts/version.sh commit); fi
export DRAY_COMMIT
scripts/versions.sh pin

# Optimized for size, the program is a tenth smaller and not slower, because more of its code fits into the caches (Benchmarks/compare). Debug
# information would take a tenth of the time, and would then be stripped.
flags=(-c release --static-swift-stdlib --disable-local-rpath -debug-info-format none -Xswiftc -Osize)

# A section for each function and each variable, so that the linker drops those that nothing uses.
flags+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections)

# No tables for unwinding the stack: only exceptions of C++ need them, and none passes a function of Swift or C. Debuggers follow the
# frame pointers.
flags+=(-Xswiftc -Xllvm -Xswiftc -force-attribute=nounwind -Xcc -fno-asynchronous-unwind-tables)

# Functions with the same code become one, unless their addresses are used.
flags+=(-Xlinker -s -Xlinker --no-export-dynamic -Xlinker --icf=safe)

# Debian's hardening flags. Position-independent code and the read-only relocations are the defaults of Swift and of its linker.
flags+=(-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now)
flags+=(-Xcc -D_FORTIFY_SOURCE=2 -Xcc -fstack-protector-strong -Xcc -fstack-clash-protection -Xcc -Wformat -Xcc -Werror=format-security)
case $(uname -m) in
  x86_64) flags+=(-Xcc -fcf-protection=full) ;;
  aarch64) flags+=(-Xcxx -mbranch-protection=standard) ;;
esac

# Removes paths of this machine, so that builds in two directories have equal bytes.
flags+=(-Xcc "-ffile-prefix-map=$PWD=.")

clang=$(dirname "$(readlink -f "$(command -v "${swift%% *}")")")/clang
cxx=$("$clang" -print-file-name=libstdc++.a 2>/dev/null || true)
if [ -f "$cxx" ]; then
  # The linker takes the library from the first directory that has it. This directory has only the static one.
  mkdir -p .build/static
  ln -sf "$cxx" .build/static/libstdc++.a
  flags+=(-Xswiftc "-L$PWD/.build/static" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
fi

if command -v ld.gold >/dev/null; then
  flags+=(-Xswiftc -use-ld=gold)
else
  # lld keeps more of Swift's libraries than gold (docs/build.md). The program works, but is much larger.
  echo "build: the linker gold is missing: the program will be larger (on Debian: apt install binutils-gold)" >&2
  flags+=(-Xswiftc -use-ld=lld)
fi

# Most of BoringSSL and of Crypto is never linked, because dray only uses digests, and SwiftNIO brings a module for tests. The compilers
# get an empty file instead of each unused one. If a later version needs one of them, this build fails (scripts/unlinked.py).
packages=$PWD/.build/checkouts
[ ! -d vendor/swift-crypto ] || packages=$PWD/vendor
[ -e .build/empty.cc ] || : >.build/empty.cc
awk -v packages="$packages" -v empty="$PWD/.build/empty.cc" '
  BEGIN { printf "{ \"version\": 0, \"roots\": [" }
  /^[^#]/ { printf "%s\n{ \"type\": \"file\", \"name\": \"%s/%s\", \"external-contents\": \"%s\" }", comma, packages, $0, empty; comma = "," }
  END { print "\n] }" }' scripts/unlinked.txt >.build/unlinked.yaml
flags+=(-Xcxx -ivfsoverlay -Xcxx "$PWD/.build/unlinked.yaml" -Xcc -ivfsoverlay -Xcc "$PWD/.build/unlinked.yaml")
flags+=(-Xswiftc -vfsoverlay -Xswiftc "$PWD/.build/unlinked.yaml")

"$swift" build --product dray "${flags[@]}" >&2
[ -e vendor/versions.json ] || scripts/versions.sh check >&2
echo "$("$swift" build --show-bin-path "${flags[@]}")/dray"
