#!/usr/bin/env bash
# Builds the program with POSIX calls only (DRAY_PORTABLE=1), beside the usual build, and runs the tests of what that changes: system
# calls, part files, resuming, publishing, crashes. Not in the gate.
#
# Usage: scripts/portable-test.sh [filter of swift test]

set -euo pipefail
cd "$(dirname "$0")/.."

# Package.swift reads these.
export DRAY_PORTABLE=1 DRAY_WARNINGS=errors
: "${DRAY_TEST_SEED:=1}"
export DRAY_TEST_SEED
build=(--scratch-path .build/portable)
units='^(Posix|Threads|DrayEngine|DrayStore|DrayKit|TerminalUI)Tests\.'
programs='^EndToEndTests\.(Portable|Crash|CrashShim|PartFile|DamagedPart|Adoption|Segment|IfChanged|Sync|LostWrite|UnfinishedPlace|Umask|Store)Tests'

scripts/setup.sh test
scripts/versions.sh pin
swift build "${build[@]}" --product dray
swift build "${build[@]}" --build-tests

# A second body must not bring back what the first one calls.
program=.build/portable/debug/dray
if nm --dynamic --undefined-only "$program" | grep -E ' (inotify_|renameat2|sync_file_range|syncfs|memfd_create|copy_file_range|pwritev2|fallocate|[fl]?(get|set|remove)xattr|dup3)'; then
  echo "portable-test: the program calls what only Linux has" >&2
  exit 1
fi
swift test "${build[@]}" --skip-build --disable-xctest --filter "${1:-$units|$programs}"
