#!/usr/bin/env bash
# Uses the page of `dray serve` in Chromium, with selenium (from PyPI, in a directory of its own), which takes two minutes.
# Usage: scripts/page-test.sh [TEST…]     such as test_jobs or test_access.Names
# DRAY_PROGRAM=PATH is the program, instead of .build/release/dray. PAGE_SHOTS=DIR gets two pictures, those of the README.

set -euo pipefail
cd "$(dirname "$0")/.."

program=$(realpath "${DRAY_PROGRAM:-.build/release/dray}")
place=${XDG_CACHE_HOME:-$HOME/.cache}/dray-page
[ -x "$program" ] || {
  echo "page-test: no program at $program: run make build first" >&2
  exit 1
}
for need in chromium chromedriver; do
  command -v $need >/dev/null || {
    echo "page-test: $need is missing; on Debian: apt install chromium chromium-driver python3-venv" >&2
    exit 1
  }
done
if ! "$place/bin/python" -c 'import selenium' 2>/dev/null; then
  python3 -m venv "$place"
  "$place/bin/pip" install --quiet --disable-pip-version-check 'selenium==4.*'
fi
shots=${PAGE_SHOTS:+$(realpath -m "$PAGE_SHOTS")}
cd Tests/Page
export PAGE_PROGRAM=$program PYTHONDONTWRITEBYTECODE=1
"$place/bin/python" -m unittest "$@"
[ -z "$shots" ] || "$place/bin/python" screenshots.py "$shots"
