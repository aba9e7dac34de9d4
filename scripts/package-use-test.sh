#!/usr/bin/env bash
# Builds another package that uses DrayKit from this checkout, with each given set of package traits, kills its program in the middle of a
# file, and starts it again: the rest must be fetched, and the digest must be right.
# Usage: scripts/package-use-test.sh [SET]...     a SET is names of traits with commas; `none`; or `default`
#        without one, all sets: none, each trait by itself, and the default
#
# The build folder is .build/package-use, which the next run uses again.

set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
[ $# -gt 0 ] || set -- none Documents ObjectStores Postgres ServiceLifecycle default
checkout=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/dray-package-use.XXXXXX")
server=''

finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT

fail() {
  echo "package-use-test: $*" >&2
  exit 1
}

# Prints the manifest of the other package.
# Usage: manifest SET
manifest() {
  local traits='' lifecycle='' product=''
  case $1 in
    default) ;;
    none) traits=', traits: []' ;;
    *) traits=", traits: [\"${1//,/\", \"}\"]" ;;
  esac
  case ,$1, in
    *,ServiceLifecycle,*)
      lifecycle='.package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),'
      product='.product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),'
      ;;
  esac
  cat <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "use",
  dependencies: [$lifecycle .package(name: "dray", path: "$checkout"$traits)],
  targets: [.executableTarget(name: "use", dependencies: [$product .product(name: "DrayKit", package: "dray")])],
  swiftLanguageModes: [.v6]
)
END
}

# A service for a group of services, which the trait ServiceLifecycle makes of DrayKit's.
service() {
  cat <<'END'
import DrayKit
import ServiceLifecycle

func serve(_ manager: DownloadManager) async throws {
  try await ServiceGroup(services: [DownloadService(manager)], logger: .init(label: "use")).run()
}
END
}

# Kills the program in the middle of a file, starts it again, and compares.
# Usage: resume PROGRAM
resume() {
  local size=$((24 << 20)) program=$1 pid first second digest
  rm -rf "$work/run"
  mkdir -p "$work/run/state" "$work/run/out"
  head -c "$size" /dev/urandom >"$work/run/file"
  digest=$(sha256sum <"$work/run/file" | cut -c 1-64)
  : >"$work/run/slow"
  echo 0 >"$work/run/sent"
  python3 -B Tests/PackageUse/origin.py "$work/run" &
  server=$!
  for _ in $(seq 200); do [ ! -e "$work/run/port" ] || break; sleep 0.05; done
  local url
  url="http://127.0.0.1:$(cat "$work/run/port")/big.bin"

  XDG_STATE_HOME=$work/run/state "$program" "$url" "$work/run/out" "sha256:$digest" >"$work/run/log" 2>&1 &
  pid=$!
  for _ in $(seq 600); do
    [ "$(cat "$work/run/sent")" -lt $((size / 2)) ] || break
    kill -0 "$pid" 2>/dev/null || fail "the program ended early: $(tail -3 "$work/run/log")"
    sleep 0.05
  done
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  [ ! -e "$work/run/out/big.bin" ] || fail "the unfinished file has its name"
  rm "$work/run/slow"
  sleep 0.3
  first=$(cat "$work/run/sent")

  XDG_STATE_HOME=$work/run/state timeout 120 "$program" "$url" "$work/run/out" "sha256:$digest" >"$work/run/log" 2>&1 ||
    fail "the second run failed: $(tail -3 "$work/run/log")"
  second=$(($(cat "$work/run/sent") - first))
  [ "$(sha256sum <"$work/run/out/big.bin" | cut -c 1-64)" = "$digest" ] || fail "the file differs"
  [ "$second" -lt $((size * 3 / 4)) ] || fail "$second of $size bytes were fetched again"
  grep -q '^complete ' "$work/run/log" || fail "the program did not say that the file is complete"
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=''
  echo "package-use-test: $first bytes before the kill, $second of $size after it; the digest is right"
}

mkdir -p "$work/use/Sources/use"
cp Tests/PackageUse/main.swift "$work/use/Sources/use"
for set in "$@"; do
  manifest "$set" >"$work/use/Package.swift"
  rm -f "$work/use/Package.resolved" "$work/use/Sources/use/service.swift"
  case ,$set, in *,ServiceLifecycle,*) service >"$work/use/Sources/use/service.swift" ;; esac
  begun=$SECONDS
  build=("$swift" build --package-path "$work/use" --scratch-path .build/package-use)
  "${build[@]}" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "no build with the traits: $set"
  }
  program=$("${build[@]}" --show-bin-path)/use
  packages=$(grep -c '"identity"' "$work/use/Package.resolved")
  echo "package-use-test: built with the traits: $set ($packages packages, $((SECONDS - begun)) s)"
  # With none of them, nothing of these may come.
  if [ "$set" = none ] && grep -E '"identity" : "(tomlkit|swift-nio|swift-argument-parser)"' "$work/use/Package.resolved" >&2; then
    fail "a package that uses no trait fetches these"
  fi
  resume "$program"
done
