#!/usr/bin/env bash
# Tests the page of `dray serve` in Chromium with selenium. Takes two minutes. `scripts/setup.sh page` installs both.
# Usage: scripts/page-test.sh [TEST…]     such as test_jobs or test_access.Names
# DRAY_PROGRAM=PATH is the program, instead of .build/release/dray. PAGE_SHOTS=DIR gets the README's two pictures.
# PAGE_TIMES=judge fails if the page is slow; PAGE_EVENTS=FILE gets the result of each test.

set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${DRAY_PROGRAM:-.build/release/dray}")
python=${XDG_CACHE_HOME:-$HOME/.cache}/dray-page/bin/python
[ -x "$program" ] || {
  echo "page-test: no program at $program: run make build first" >&2
  exit 1
}
missing=''
for need in chromium chromedriver; do command -v $need >/dev/null || missing+=" $need"; done
"$python" -c 'import selenium' 2>/dev/null || missing+=" selenium"
if [ -n "$missing" ]; then
  scripts/not-run.sh browser "page-test: not installed:$missing (scripts/setup.sh page installs it)"
  # Skips in the gate; fails if called directly.
  [ -n "${DRAY_NOT_RUN:-}" ] || exit 1
  exit 0
fi
shots=${PAGE_SHOTS:+$(realpath -m "$PAGE_SHOTS")}
events=${PAGE_EVENTS:+$(realpath -m "$PAGE_EVENTS")}
cd Tests/Page
export PAGE_PROGRAM=$program PAGE_EVENTS=$events PYTHONDONTWRITEBYTECODE=1
"$python" run.py "$@"
[ -z "$shots" ] || "$python" screenshots.py "$shots"
