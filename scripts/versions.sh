#!/usr/bin/env bash
# Keeps the exact versions of the Swift packages in scripts/versions.txt, because Package.resolved is not in the repository.
# Usage: scripts/versions.sh pin       writes a missing Package.resolved from the list, so that Swift fetches these versions
#        scripts/versions.sh check     fails if other versions were resolved
#        scripts/versions.sh write     writes the list from Package.resolved, after `swift package update`

set -euo pipefail
cd "$(dirname "$0")/.."

list=scripts/versions.txt

# Prints the resolved packages as in the list: identity, version, revision, place.
resolved() {
  awk -F '"' '
    $2 == "identity" { identity = $4 } $2 == "location" { place = $4 } $2 == "revision" { revision = $4 }
    $2 == "version" && NF > 3 { print identity, $4, revision, place }' "$1" | LC_ALL=C sort
}
listed() { grep -v '^#' "$list"; }

case ${1:-} in
  pin)
    # In the tarball of scripts/source.sh all packages are in vendor/, and nothing is resolved.
    if [ ! -e Package.resolved ] && [ ! -e vendor/versions.json ]; then
      listed | awk '
        BEGIN { printf "{\n  \"pins\" : [" }
        { printf "%s\n    {\n      \"identity\" : \"%s\",\n      \"kind\" : \"remoteSourceControl\",\n      \"location\" : \"%s\",\n", comma, $1, $4
          printf "      \"state\" : {\n        \"revision\" : \"%s\",\n        \"version\" : \"%s\"\n      }\n    }", $3, $2; comma = "," }
        END { printf "\n  ],\n  \"version\" : 3\n}\n" }' >Package.resolved.new
      mv Package.resolved.new Package.resolved
    fi
    ;;
  check)
    file=Package.resolved
    [ ! -e vendor/versions.json ] || file=vendor/versions.json
    if ! difference=$(diff <(listed) <(resolved "$file")); then
      echo "versions: $file has other versions (>) than $list (<):" >&2
      grep '^[<>]' <<<"$difference" | cut -d ' ' -f 1-4 >&2
      echo "versions: remove Package.resolved to use the list, or keep these: scripts/versions.sh write" >&2
      exit 1
    fi
    ;;
  write)
    {
      echo "# The Swift packages of a build: identity, version, revision, place. scripts/versions.sh writes and checks this."
      resolved Package.resolved
    } >"$list.new"
    mv "$list.new" "$list"
    ;;
  *)
    echo "versions: unknown argument: ${1:-} (pin, check or write)" >&2
    exit 2
    ;;
esac
