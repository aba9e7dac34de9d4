#!/usr/bin/env bash
# Tests the browser extension in Chromium with selenium. Takes a minute. `scripts/setup.sh page` installs both.
# Usage: scripts/extension-test.sh [TEST…]     such as test_links or test_takeover.HandingOver
# DRAY_PROGRAM=PATH is the program, instead of .build/release/dray; without one, dray's end is a fake only. PAGE_EVENTS=FILE gets the
# result of each test.

set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath -q "${DRAY_PROGRAM:-.build/release/dray}" || true)
[ -x "$program" ] || program=
python=${XDG_CACHE_HOME:-$HOME/.cache}/dray-page/bin/python
missing=''
for need in chromium chromedriver; do command -v $need >/dev/null || missing+=" $need"; done
"$python" -c 'import selenium' 2>/dev/null || missing+=" selenium"
if [ -n "$missing" ]; then
  scripts/not-run.sh browser "extension-test: not installed:$missing (scripts/setup.sh page installs it)"
  # Skips in the gate; fails if called directly.
  [ -n "${DRAY_NOT_RUN:-}" ] || exit 1
  exit 0
fi
events=${PAGE_EVENTS:+$(realpath -m "$PAGE_EVENTS")}
cd Tests/Page
export PAGE_PROGRAM=$program PAGE_EVENTS=$events PYTHONDONTWRITEBYTECODE=1
"$python" run.py -C ../Extension "$@"
