#!/usr/bin/env bash
# Makes the tarball for systems without a package of dray, and prints its path. It has the program and the other files of `make install`,
# install.sh, licences, and a list of all parts in SPDX form. SHA256SUMS next to the tarball has the digests of all packages in that folder.
# Usage: scripts/dist.sh [DIR]     DIR instead of .build/packages
# DRAY_PROGRAM=PATH packs that program.

set -euo pipefail
cd "$(dirname "$0")/.."

program=${DRAY_PROGRAM:-.build/release/dray}
packages=${1:-.build/packages}

scripts/setup.sh package
[ -x "$program" ] || make build >&2
name=dray-$(scripts/version.sh)-linux-$(scripts/version.sh arch)
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/$name

# A program built on a newer system does not run on an older one.
newest=$(readelf -V "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
if [ "$(printf '%s\n' "$newest" GLIBC_2.35 | sort -V | tail -1)" != GLIBC_2.35 ]; then
  echo "dist: $program needs $newest, but the tarball is promised to run with 2.35: build it on an older system" >&2
  exit 1
fi

scripts/parts.py check "$program" >&2
make --no-print-directory -s install PROGRAM="$program" PREFIX=/usr/local DESTDIR="$work/stage" >&2
mv "$work/stage/usr/local" "$tree"
install -m 755 scripts/install.sh "$tree/install.sh"
mkdir "$tree/doc"
cp README.md CHANGELOG.md SECURITY.md docs/access.md docs/api.md docs/benchmarks.md docs/browser.md docs/not-won.md docs/cases.md docs/clients.md docs/dependencies.md docs/desktop.md docs/fleet.md docs/fleet-schema.md docs/named-sources.md docs/objects.md docs/reliability.md docs/reverse-proxy.md docs/seeds.md docs/sources.md "$tree/doc/"
scripts/parts.py licences "$program" >"$tree/LICENSES.txt"
scripts/parts.py sbom "$program" >"$tree/dray.spdx.json"
chmod -R u=rwX,go=rX "$tree"
(cd "$tree" && find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" "$tree/"
chmod 644 "$tree/SHA256SUMS"

scripts/tarball.sh "$tree" "$packages"
