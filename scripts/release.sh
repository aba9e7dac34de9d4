#!/usr/bin/env bash
# The checklist of a release. It stops with a message at the first problem; nothing leaves this machine.
# Usage: scripts/release.sh [--dry-run] [--without-gate]
#   --dry-run        checks only version, changelog, texts and dependencies, which takes seconds; makes nothing
#   --without-gate   makes the packages without testing the program; sets no tag
#
# At the end .build/dray-VERSION has everything to publish, with SHA256SUMS, and the commit has the tag vVERSION.

set -euo pipefail
cd "$(dirname "$0")/.."

stop() {
  echo "release: stopped: $*" >&2
  exit 1
}
step() { echo "== $*"; }

dry='' gate=yes
for option in "$@"; do
  case $option in
    --dry-run) dry=yes ;;
    --without-gate) gate='' ;;
    *) stop "there is no option $option (--dry-run, --without-gate)" ;;
  esac
done
source=Sources/DrayCore/Text/DrayVersion.swift
version=$(scripts/version.sh)
tag=v$version

step "the commit"
[ -z "$(git status --porcelain)" ] || stop "there are changes that are not committed: $(git status --porcelain | head -1)"
branch=$(git rev-parse --abbrev-ref HEAD)
[ "$branch" = main ] || stop "this is the branch $branch; releases are made of main"

step "the version: $version"
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || stop "$version in $source is no version of semver.org"
! git rev-parse -q --verify "refs/tags/$tag" >/dev/null || stop "$version was released already ($tag is there): raise it in $source"
last=$(git tag --list 'v*' --sort=version:refname | tail -1)
[ -z "$last" ] || [ "$(printf '%s\n' "$last" "$tag" | sort -V | tail -1)" = "$tag" ] || stop "$version is older than the last release, ${last#v}"
today=$(date -u +%F)
[ "$(scripts/version.sh day)" = "$today" ] || stop "the day in $source is $(scripts/version.sh day), and today is $today"
for page in man/*; do
  grep -q "^\.Os dray $version\$" "$page" || stop "$page is of another version: \`make generate\` writes it again"
done

step "the changelog"
newest=$(grep -m 1 '^## ' CHANGELOG.md)
[ "$newest" = "## $version" ] || stop "the first section of CHANGELOG.md is \"$newest\", not \"## $version\""
[ -n "$(awk -v title="## $version" '/^## / { inside = $0 == title; next } inside && NF' CHANGELOG.md)" ] ||
  stop "the section of $version in CHANGELOG.md is empty"

step "texts that must agree"
scripts/parts.py selftest
scripts/parts.py check || stop "docs/dependencies.md is not true; the lines above say where"
promises() { sed -n 's/^| \(P[0-9]*\) | \([^|]*\) |.*/\1 \2/p' "$1"; }
[ "$(promises SECURITY.md)" = "$(promises docs/reliability.md)" ] || stop "the promises in SECURITY.md are not those in docs/reliability.md"

if [ -n "$dry" ]; then
  echo "release: so far $version could be released; not done: gate, build, packages, their tests, tag"
  exit 0
fi

if [ -n "$gate" ]; then
  step "the gate"
  scripts/test.sh || stop "the gate fails"
fi

step "the program"
program=$(scripts/build.sh) || stop "it cannot be built"
said=$("$program" --version | head -1)
[ "$said" = "dray $version" ] || stop "the program says \"$said\""
scripts/parts.py check "$program" || stop "docs/dependencies.md is not true of the program; the lines above say where"

step "the packages"
# Without its tag, which is set at the end, this commit would count as a snapshot.
export DRAY_DEB_VERSION=${version//-/\~}-1
export DRAY_PROGRAM=$program
place=.build/dray-$version
rm -rf "$place"
mkdir -p "$place"
scripts/deb.sh "$place" >/dev/null || stop "the Debian package cannot be made"
DRAY_DEB=$(find "$place" -name '*.deb')
export DRAY_DEB
scripts/dist.sh "$place" >/dev/null || stop "the tarball cannot be made"
scripts/source.sh "$place" >/dev/null || stop "the tarball for packagers cannot be made"
lintian --allow-root --no-cfg --fail-on error,warning "$DRAY_DEB" || stop "lintian has found something"
if [ "$(id -u)" = 0 ]; then
  scripts/image.sh "$place" >/dev/null || stop "the image cannot be made"
  step "the packages, installed"
  DRAY_TARBALL=$(find "$place" -name '*-linux-*.tar.zst')
  export DRAY_TARBALL
  # Upgrades are tested from the last release.
  if [ -n "$last" ]; then
    DRAY_OLD_PROGRAM=$(scripts/older.sh "$last") || stop "the program of $last cannot be built"
    export DRAY_OLD_PROGRAM
  fi
  scripts/package-test.sh || stop "a package does not do what it must"
  scripts/image-test.sh "$(find "$place" -name '*.oci.tar')" || stop "the image does not do what it must"
else
  stop "image and tests of packages need root; what could be made is in $place"
fi

step "the checksums"
scripts/sums.sh "$place"
(cd "$place" && sha256sum --quiet -c SHA256SUMS) || stop "SHA256SUMS is not of these files"
(cd "$place" && cat SHA256SUMS)

if [ -z "$gate" ]; then
  echo "release: $place is complete; no tag, because the gate was not run"
  exit 0
fi
git tag -a "$tag" -m "dray $version"
echo "release: $place is complete, and $tag is set. What is left: sign SHA256SUMS (gpg --detach-sign --armor), push main and $tag, publish"
