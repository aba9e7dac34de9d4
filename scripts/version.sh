#!/usr/bin/env bash
# Prints values that all packages share. They come from DrayVersion.swift and the commit, and are written nowhere else.
# Usage: scripts/version.sh           0.2.0-beta.1, as `dray --version` prints it
#        scripts/version.sh debian    0.2.0~beta.1-1, which sorts before 0.2.0-1; DRAY_DEB_VERSION overrides it. Between releases
#                                     it has the day of the commit: 0.2.0~git20261126-1, after 0.1.0 was released
#        scripts/version.sh day       the day of the release: 2026-11-21
#        scripts/version.sh epoch     seconds: SOURCE_DATE_EPOCH, or the time of the commit, or without git the day of the release
#        scripts/version.sh commit    1b244d22f748, with a + if files have changed since; a tarball has it in vendor/commit
#        scripts/version.sh arch      as tarballs name it: x86_64, aarch64

set -euo pipefail
cd "$(dirname "$0")/.."

source=Sources/DrayCore/Text/DrayVersion.swift

# Prints the text of a constant in that file.
constant() {
  local text
  text=$(sed -n "s/.*let $1 = \"\(.*\)\"/\1/p" "$source")
  [ -n "$text" ] || {
    echo "version: $source has no line \`let $1 = \"…\"\`" >&2
    exit 1
  }
  echo "$text"
}

# Prints the version for Debian's packages: unchanged for a release, with the commit's day for any other commit. After a release,
# snapshots have the next minor version, and sort before it.
snapshot() {
  local tag major minor
  tag=v$(constant text)
  if [ ! -e .git ] || [ "$(git rev-parse -q --verify "refs/tags/$tag^{commit}" || true)" = "$(git rev-parse HEAD)" ]; then
    echo "$1"
    return
  fi
  if git rev-parse -q --verify "refs/tags/$tag" >/dev/null; then
    IFS=. read -r major minor _ <<<"$1"
    set -- "$major.$((minor + 1)).0"
  fi
  echo "$1~git$(TZ=UTC git log -1 --date=format-local:%Y%m%d --format=%cd)"
}

case ${1:-text} in
  text) constant text ;;
  debian)
    version=$(constant text)
    echo "${DRAY_DEB_VERSION:-$(snapshot "${version//-/\~}")-1}"
    ;;
  day) LC_ALL=C date -u -d "$(constant date)" +%F ;;
  epoch)
    if [ -n "${SOURCE_DATE_EPOCH:-}" ]; then
      echo "$SOURCE_DATE_EPOCH"
    elif [ -e .git ]; then
      git log -1 --format=%ct
    else
      LC_ALL=C date -u -d "$(constant date)" +%s
    fi
    ;;
  commit)
    if [ -e .git ]; then
      commit=$(git rev-parse --short=12 HEAD 2>/dev/null || true)
      [ -z "$commit" ] || [ -z "$(git status --porcelain --untracked-files=no)" ] || commit+=+
      echo "$commit"
    elif [ -e vendor/commit ]; then
      cat vendor/commit
    fi
    ;;
  arch) uname -m ;;
  *)
    echo "version: no such word: $1 (text, debian, day, epoch, commit or arch)" >&2
    exit 2
    ;;
esac
