#!/usr/bin/env bash
# Makes the Debian package of .build/release/dray with Debian's own tools, and prints its path, below .build/packages.
# The same commit and the same program give the same bytes.
# Usage: scripts/deb.sh [DIR]     DIR instead of .build/packages
# DRAY_PROGRAM=PATH packages that program, DRAY_DEB_VERSION=VERSION gives the package that version, DRAY_DEB_LEVEL=0
# compresses less and takes less time.

set -euo pipefail
cd "$(dirname "$0")/.."

program=${DRAY_PROGRAM:-.build/release/dray}
packages=${1:-.build/packages}

scripts/setup.sh package
[ -x "$program" ] || make build >&2
version=$(scripts/version.sh debian)
SOURCE_DATE_EPOCH=$(scripts/version.sh epoch)
export SOURCE_DATE_EPOCH

# Builds in a copy of git's files: debhelper leaves files behind, and untracked files must not get into a package.
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/dray
mkdir -p "$tree/.build/release" "$packages"
scripts/files.sh | tar -c --null --files-from=- | tar -x -C "$tree" --mode=u=rwX,go=rX
install -m 755 "$program" "$tree/.build/release/dray"

# Debian requires its own changelog, with version and date; the package's CHANGELOG.md has the changes.
cat >"$tree/debian/changelog" <<CHANGES
dray ($version) unstable; urgency=medium

  * Release $(scripts/version.sh); the changes are in changelog.gz beside this.

 -- $(sed -n 's/^Maintainer: //p' debian/control)  $(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
CHANGES

# A calling make may have other options.
if ! (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL dpkg-buildpackage --build=binary --no-sign) >"$work/log" 2>&1; then
  cat "$work/log" >&2
  echo "deb: the package could not be built; the lines above say why" >&2
  exit 1
fi
for package in "$work"/dray_*.deb; do
  mv "$package" "$packages/"
  echo "$packages/$(basename "$package")"
done
