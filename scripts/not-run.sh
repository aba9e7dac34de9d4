#!/usr/bin/env bash
# Reports that a step of the gate was skipped. The gate repeats this at its end (scripts/gate-report.py).
# Usage: scripts/not-run.sh NEED WHAT     NEED as in scripts/may-skip.txt; WHAT is the step and the reason
# DRAY_NOT_RUN=FILE collects them.

set -euo pipefail
echo "not run: $1: $2"
[ -z "${DRAY_NOT_RUN:-}" ] || printf '%s\t%s\n' "$1" "$2" >>"$DRAY_NOT_RUN"
