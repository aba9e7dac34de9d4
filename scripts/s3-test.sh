#!/usr/bin/env bash
# Tests downloads into buckets with every installed S3 server: conformance, servers that lie, and 100 random kills for each server
# during files of 300 MB. The gate does the same with a few kills.
# Usage: scripts/s3-test.sh [arguments of swift test]
# DRAY_S3_KILLS=NUMBER, DRAY_S3_SIZE=MIB and DRAY_S3_SEED=NUMBER choose other kills; DRAY_PROGRAM=PATH tests that program.

set -euo pipefail
cd "$(dirname "$0")/.."

export DRAY_S3_KILLS=${DRAY_S3_KILLS:-100} DRAY_S3_SIZE=${DRAY_S3_SIZE:-286} DRAY_WARNINGS=errors
limit=${DRAY_TEST_LIMIT:-7200} # seconds

scripts/setup.sh test
scripts/setup.sh s3
echo "servers: $(python3 -B Tests/EndToEndTests/Servers/s3server.py installed)"
swift build --build-tests
if [ -z "${DRAY_PROGRAM:-}" ]; then DRAY_PROGRAM=$(DRAY_ASSERTIONS=1 scripts/build.sh); fi
DRAY_PROGRAM=$(realpath "$DRAY_PROGRAM")
export DRAY_PROGRAM

mkdir -p .build
log=.build/s3-test.log
[ $# -gt 0 ] || set -- --filter 'Object|FaultBucket'
status=0
timeout --foreground --signal=INT --kill-after=30 "$limit" \
  swift test --skip-build --disable-xctest "$@" 2>&1 | tee "$log" |
  awk '!/^(◇|✔) / || /^✔ (Suite|Test run) / { print; fflush() }' || status=$?
# These lines go into the table of docs/objects.md.
grep -h '^objects killed:' "$log" || true
[ "$status" = 0 ] || echo "s3-test: all lines are in $log" >&2
exit "$status"
