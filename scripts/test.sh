#!/usr/bin/env bash
# The gate: everything that must hold before a commit is shared. `make test` and .ci/run both run this.
# Usage: scripts/test.sh [arguments of swift test, such as --filter ResumeTests]
# DRAY_PROGRAM=PATH tests that program instead of building one.

set -euo pipefail
cd "$(dirname "$0")/.."

# Warnings are errors in here (Package.swift reads this).
export CI=true
log=.build/test.log
events=.build/test-events # one file a group of tests
limit=${DRAY_TEST_LIMIT:-3600} # seconds

step() { printf '== %s (%d s)\n' "$1" "$SECONDS"; }

# Test runners print two lines a test. All of them go to the log; the terminal gets suites, failures and the end.
summarized() {
  tee -a "$log" | awk '!/^(◇|✔) / || /^✔ (Suite|Test run) / { print; fflush() }'
}

# The tests of which these events have this kind: suite, function, file and line.
tests_that() { grep "\"kind\":\"$1\"" "$2" | grep -o '"testID":"[^"]*\.swift:[^"]*"' | cut -d '"' -f 4 | sort -u; }

# Names the tests that began and did not end. (In the log lines of tests that run at once are now and then cut.)
unfinished() {
  comm -23 <(tests_that testStarted "$1") <(tests_that testEnded "$1") | sed 's|\\/|/|g; s/^/✘ did not end: /' >&2
}

step "set-up"
scripts/setup.sh test

step "format and style"
swift format lint --strict --recursive --parallel --configuration .swift-format \
  Package.swift Sources Tests Examples

step "references between folders run one way"
scripts/folders.py selftest
scripts/folders.py check
scripts/page.py check

step "build of the tests, warnings as errors"
# First what `make fuzz` is made of, which no test links.
DRAY_FUZZ=1 swift build --product DrayFuzz
swift build --build-tests

if [ -z "${DRAY_PROGRAM:-}" ]; then
  step "build of the program that people get, with its assertions"
  DRAY_PROGRAM=$(DRAY_ASSERTIONS=1 scripts/build.sh)
fi
export DRAY_PROGRAM
built=$SECONDS

step "what the program links to, and how large it is"
scripts/program-check.sh "$DRAY_PROGRAM"

step "the example in the README is the one that was built"
# shellcheck disable=SC2016 # backticks of markdown
diff <(sed -n '/^```swift$/,/^```$/p' README.md | sed '1d;$d') <(sed '1,/^$/d' Examples/Fetch/main.swift)

step "committed completions and man pages are what the program generates"
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT
"$DRAY_PROGRAM" generate "$generated"
diff -r completions "$generated/completions"
diff -r man "$generated/man"
for page in man/*; do
  # Only the pages of an operating system itself leave its name out.
  if mandoc -Tlint "$page" | grep -v 'operating system explicitly specified'; then exit 1; fi
done

# A thousand tests at once would keep each other from the cores for half a minute, and what a test does "soon after" would not be.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}
rm -rf "$events"
mkdir "$events"
: >"$log"
# No test takes minutes. One that hangs must fail the gate, and be named, instead of holding it for ever.
# Usage: tests GROUP [arguments of swift test]
tests() {
  local stream=$events/$1.json
  shift
  if ! timeout --foreground --signal=INT --kill-after=30 "$limit" \
    swift test --skip-build --disable-xctest --event-stream-output-path "$stream" "$@" 2>&1 | summarized; then
    unfinished "$stream"
    echo "== FAILED: all lines are in $log" >&2
    exit 1
  fi
}

if [ $# -gt 0 ]; then
  step "tests"
  tests chosen "$@"
else
  # What computes and does not wait comes first: it holds every thread that tests have, and tests with a deadline would miss it.
  computing='^(DrayCore|DrayCommands|DrayDocuments|DrayStore|DrayWire|Fuzzing|SQLite|Standards|TerminalUI)Tests\.'
  apart='CrashTests|PowerCutTests|SoakTests|LargestFileTests'
  step "unit tests that only compute"
  tests computing --filter "$computing"
  step "tests with servers, programs and time"
  tests most --skip "$apart" --skip "$computing"
  # By themselves: they take all there is of the machine, and others look at what happens in time.
  # Each commit has its own sample of crashes, so that over time all are tried; a failure says how it is repeated.
  if [ -z "${DRAY_CRASH_SEED:-}${DRAY_SOAK:-}" ]; then
    DRAY_CRASH_SEED=$((0x$(git rev-parse --short=6 HEAD 2>/dev/null || echo 1)))
    export DRAY_CRASH_SEED
  fi
  step "crash sweep, power cuts, soak (seed ${DRAY_CRASH_SEED:-by chance})"
  tests apart --filter "$apart"
  step "where the time went ($((SECONDS - built)) s after the build)"
  scripts/suite-times.py scripts/suite-budgets.txt "$events"/*.json
  step "packages"
  scripts/package-check.sh
fi

# Its times mean nothing here. It is skipped where there is no root, no TUN device or no peer.
step "dray and its peers over an emulated line"
timeout --foreground 120 Benchmarks/net --smoke --program "$DRAY_PROGRAM"

step "all steps passed"
