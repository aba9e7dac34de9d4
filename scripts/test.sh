#!/usr/bin/env bash
# The gate: all checks that must pass before a commit is shared. `make test` and .ci/run both run this.
# Usage: scripts/test.sh [arguments of swift test, such as --filter ResumeTests]
# DRAY_PROGRAM=PATH tests that program instead of building one. DRAY_TEST_SEED=NUMBER repeats the random choices of an earlier run.
#
# At the end it prints the skipped tests and steps with their reasons. With CI=true only the needs in scripts/may-skip.txt may be
# skipped, and the seed is fixed.

set -euo pipefail
cd "$(dirname "$0")/.."

# Package.swift reads this.
export DRAY_WARNINGS=errors
log=.build/test.log
events=.build/test-events # one file for each group of tests
limit=${DRAY_TEST_LIMIT:-3600} # seconds
page='' generated=''

mkdir -p .build
rm -rf "$events"
mkdir "$events"
: >"$log"
# Skipped steps, written by scripts/not-run.sh.
export DRAY_NOT_RUN=$PWD/.build/not-run.tsv
: >"$DRAY_NOT_RUN"
# Random tests have a fixed seed in CI, so that no commit fails by chance, and a new one in each run by hand.
if [ -z "${DRAY_TEST_SEED:-}" ]; then
  DRAY_TEST_SEED=1
  if [ -z "${CI:-}" ] || [ -n "${DRAY_SOAK:-}" ]; then DRAY_TEST_SEED=$((RANDOM * 32768 + RANDOM)); fi
fi
export DRAY_TEST_SEED

step() { printf '== %s (%d s)\n' "$1" "$SECONDS"; }

finish() {
  [ -z "$page" ] || kill -- "-$page" 2>/dev/null || true
  rm -rf "$generated"
}
trap finish EXIT

# Writes all lines to the log, but prints only suites, failures and the end: there are two lines for each test.
summarized() {
  tee -a "$log" | awk '!/^(◇|✔) / || /^✔ (Suite|Test run) / { print; fflush() }'
}

# Prints skips and the number of tests; tools read the last line.
report() {
  local ci=()
  [ -z "${CI:-}" ] || ci=(--ci)
  shopt -s nullglob
  scripts/gate-report.py "${ci[@]}" scripts/may-skip.txt "$DRAY_NOT_RUN" "$events"/*.json
}

# Ends the gate after a failure, with the same report.
give_up() {
  echo "== FAILED: $1 (drawn with DRAY_TEST_SEED=$DRAY_TEST_SEED)" >&2
  report || true
  exit 1
}

for chosen in DRAY_CASE DRAY_CRASH_CASE DRAY_RANDOM_EPISODE DRAY_RANDOM_COUNT; do
  [ -z "${!chosen:-}" ] || scripts/not-run.sh choice "$chosen chooses some tests"
done

step "set-up; seed $DRAY_TEST_SEED"
scripts/setup.sh test
scripts/versions.sh pin
# If it cannot be installed, its tests name the missing package.
[ $# -gt 0 ] || scripts/setup.sh page || true
# The tests of object stores do the same.
scripts/setup.sh s3 || true

step "format and style"
scripts/lint.sh

step "words of messages; references between folders run one way; who calls the C library"
scripts/messages.py check
scripts/folders.py selftest
scripts/folders.py check
scripts/wall.py selftest
scripts/wall.py check
scripts/gate-report.py selftest

step "build of the tests, warnings as errors"
# First the targets of `make fuzz`, which no test links.
DRAY_FUZZ=1 swift build --product DrayFuzz
swift build --build-tests
scripts/versions.sh check

if [ -z "${DRAY_PROGRAM:-}" ]; then
  step "build of the program that people get, with its assertions"
  DRAY_PROGRAM=$(DRAY_ASSERTIONS=1 scripts/build.sh)
else
  scripts/not-run.sh choice "the build of the program (DRAY_PROGRAM is tested instead)"
fi
export DRAY_PROGRAM

if [ $# -eq 0 ]; then
  step "another package builds with the fewest traits, and resumes after a kill"
  # Two minutes. `make library-test` builds the other sets.
  scripts/package-use-test.sh none
fi
built=$SECONDS

step "what the program links to, how it is hardened, and how large it is"
DRAY_ASSERTIONS=1 scripts/program-check.sh "$DRAY_PROGRAM"

step "the example in the README is the one that was built"
# shellcheck disable=SC2016 # backticks of markdown
diff <(sed -n '/^```swift$/,/^```$/p' README.md | sed '1d;$d') <(sed '1,/^$/d' Examples/Fetch/main.swift)

step "committed completions and man pages are what the program generates"
generated=$(mktemp -d)
"$DRAY_PROGRAM" generate "$generated"
diff -r completions "$generated/completions"
diff -r man "$generated/man"
for page_file in man/*; do
  # mandoc expects .Os without a name, as in the pages of an operating system.
  if mandoc -Tlint "$page_file" | grep -v 'operating system explicitly specified'; then exit 1; fi
done

# A thousand tests at once would starve each other for half a minute, and time out.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-16}
# Runs tests with a time limit, so that a test that hangs fails the gate.
# Usage: run_tests EVENTS [arguments of swift test]
run_tests() {
  local stream=$1
  shift
  timeout --foreground --signal=INT --kill-after=30 "$limit" \
    swift test --skip-build --disable-xctest --event-stream-output-path "$stream" "$@" 2>&1 | summarized || return 1
  # swift test succeeds with a filter that matches nothing.
  grep -q '"kind":"testStarted"' "$stream" || give_up "no test was run by: swift test $*"
}

# Usage: tests GROUP [arguments of swift test]
tests() {
  local group=$1 filters=()
  shift
  ! run_tests "$events/$group.json" "$@" || return 0
  # A few failed tests are run again alone, because some time out while a thousand others use the machine. The report names them: mostly
  # the test is at fault, sometimes the program.
  mapfile -t filters < <(scripts/gate-report.py again "$events/$group.json" | sed '/^$/d; s/^/--filter\n/')
  [ ${#filters[@]} -gt 0 ] || give_up "all lines are in $log"
  step "once more, by themselves: ${filters[*]}"
  run_tests "$events/again-$group.json" "${filters[@]}" || give_up "all lines are in $log"
}

if [ $# -gt 0 ]; then
  step "tests"
  scripts/not-run.sh choice "other tests, packages, the page, another package (chosen: $*)"
  tests chosen "$@"
else
  # Alone: tests that only compute occupy all threads, so that others would miss their deadlines.
  computing='^(DrayCore|DrayCommands|DrayDocuments|DrayStore|DrayWire|Fuzzing|SQLite|Standards|TerminalUI)Tests\.'
  apart='CrashTests|PowerCutTests|SoakTests|LargestFileTests|ObjectKillTests'
  fleet='FleetTests|FleetFaultTests'
  step "unit tests that only compute"
  tests computing --filter "$computing"
  step "tests with servers, programs and time"
  tests most --skip "$apart" --skip "$fleet" --skip "$computing"
  # Alone: they take the whole machine, and other tests depend on timing.
  step "crash sweep, power cuts, soak, uploads killed at random"
  tests apart --filter "$apart"
  # Alone: a runner that gets no core for seconds loses its lease, and files are then fetched twice.
  step "a fleet: machines and databases that fail"
  tests fleet --filter "$fleet"
  step "where the time went ($((SECONDS - built)) s after the build)"
  scripts/suite-times.py scripts/suite-budgets.txt "$events"/*.json
  # In parallel: neither measures time, and both mostly wait.
  step "packages; beside them the page and the extension in Chromium"
  # A separate session, so that the browser ends with the gate.
  EVENTS=$events setsid bash -c 'PAGE_EVENTS=$EVENTS/page.json scripts/page-test.sh && PAGE_EVENTS=$EVENTS/extension.json scripts/extension-test.sh' >.build/page-test.log 2>&1 &
  page=$!
  scripts/package-check.sh
  status=0
  wait "$page" || status=$?
  page=''
  cat .build/page-test.log
  [ "$status" = 0 ] || give_up "the page or the extension: the lines above say where"
fi

step "the same calls to aria2c and to dray"
if command -v aria2c >/dev/null; then
  timeout --foreground 300 python3 -B Tests/Aria2/compare.py "$DRAY_PROGRAM" || give_up "Tests/Aria2/differences.txt has the reasons"
else
  scripts/not-run.sh aria2c "the comparison with aria2: aria2c is not installed (scripts/setup.sh test installs it)"
fi

# Proves only that it works: on a busy machine its times mean nothing.
step "dray and its peers over an emulated line"
timeout --foreground 120 Benchmarks/net --smoke --program "$DRAY_PROGRAM"

step "what was not run"
report
