#!/usr/bin/env bash
# Makes the tarball for packagers, and prints its path. It has the source and all Swift packages, so that it builds without a network.
# PACKAGING.txt in it says how.
# Usage: scripts/source.sh [DIR]     DIR instead of .build/packages

set -euo pipefail
cd "$(dirname "$0")/.."

packages=${1:-.build/packages}
name=dray-$(scripts/version.sh)-source
checkouts=.build/checkouts

fail() {
  echo "source: $*" >&2
  exit 1
}

if [ ! -d "$checkouts" ] || [ ! -e Package.resolved ]; then "${SWIFT:-swift}" package resolve >&2; fi
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-source.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/$name
mkdir -p "$tree/vendor"
scripts/files.sh | tar -c --null --files-from=- | tar -x -C "$tree"
cp Package.resolved "$tree/vendor/versions.json"
scripts/version.sh commit >"$tree/vendor/commit"

# Prints lines for the end of a package's manifest: its dependencies are the packages in the tarball, and its tests, which would need
# more, are left out. Swift's package manager uses the final state of the manifest.
# shellcheck disable=SC2016 # Swift's own $0
vendored() {
  local package=$1 manifest=$tree/vendor/$1/Package.swift other
  printf '\n// In the tarball of dray all packages lie side by side.\npackage.targets.removeAll { $0.type == .test }\npackage.dependencies = ['
  for other in "$checkouts"/*; do
    other=$(basename "$other")
    grep -qi "^$other " <<<"$pins" || continue
    # Matches lines such as `url: "https://github.com/apple/swift-asn1.git"`.
    if grep -v '^[[:space:]]*//' "$manifest" | grep -qiE "url: *\"[^\"]*/${other//./\\.}(\.git)?\"" && [ "$other" != "$package" ]; then
      printf '\n  .package(path: "../%s"),' "$other"
    fi
  done
  printf '\n]\n'
}
# Takes only checkouts of resolved packages, at their resolved versions.
pins=$(python3 -c 'import json
for pin in json.load(open("Package.resolved"))["pins"]: print(pin["identity"], pin["state"]["revision"])')
while read -r identity revision; do
  place=$(find "$checkouts" -maxdepth 1 -iname "$identity")
  [ -n "$place" ] || fail "$identity was not fetched: \`swift package resolve\` mends that"
  package=$(basename "$place")
  [ "$(git -C "$place" rev-parse HEAD)" = "$revision" ] || fail "$place is not at $revision: \`swift package resolve\` mends that"
  git -C "$place" archive --format=tar --prefix="$package/" "$revision" | tar -x -C "$tree/vendor"
  # Manifests for single versions of Swift would need the same lines.
  rm -f "$tree/vendor/$package"/Package@*.swift
  vendored "$package" >"$work/end"
  cat "$work/end" >>"$tree/vendor/$package/Package.swift"
done <<<"$pins"
# Test vectors are most of the size; no remaining target uses them.
rm -rf "$tree"/vendor/swift-crypto/{Tests,Benchmarks}

# The packages of traits that the program does not have are not in the tarball.
sed -i '/^\/\/ The trait ServiceLifecycle needs a package/,$d' "$tree/Package.swift"
sed -i -E 's|\.package\(url: "https://[^"]*/([^"/]+)", from: "[^"]+"\)|.package(path: "vendor/\1")|' "$tree/Package.swift"
! grep -q 'package(url:' "$tree/Package.swift" || fail "Package.swift names a package in a form that scripts/source.sh does not read"
sed -n 's|.*\.package(path: "\(vendor/[^"]*\)").*|\1|p' "$tree/Package.swift" | while read -r place; do
  [ -e "$tree/$place/Package.swift" ] || fail "$place is missing, but Package.swift names it"
done

cat >"$tree/PACKAGING.txt" <<'TEXT'
How to package dray from this tarball
=====================================

All Swift packages that dray needs are in vendor/, at the versions in
vendor/versions.json; Package.swift names those paths. Nothing is fetched.

Needed: Swift 6.2 or newer, a C++ compiler, make, pkg-config, and the
development files of libcurl (7.81 or newer), SQLite, Expat, libidn2 and
zlib.

    scripts/build.sh                    # prints the path of the program
    make install PREFIX=/usr DESTDIR=…  # program, man pages, completions, unit

Swift's sandbox fails inside another one (mock, sbuild, nix): call
`swift build --disable-sandbox` with the options in scripts/build.sh instead,
and put the program at .build/release/dray before `make install`.

To use a package of your system instead of one in vendor/, change its path in
Package.swift, and in the last lines of the manifests in vendor/ that name it.

SOURCE_DATE_EPOCH is respected; `scripts/version.sh epoch` has a default.
docs/dependencies.md says what each part is for and under which licence;
`scripts/parts.py licences PROGRAM` prints the texts that must go with the
program. For Debian's packages: debian/README.source and `make deb`.
TEXT
chmod -R u=rwX,go=rX "$tree"
scripts/tarball.sh "$tree" "$packages"
