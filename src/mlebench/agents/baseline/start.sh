#!/usr/bin/env bash
# Runs the agent from wherever its folder lies; the folder is the package.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
export PYTHONPATH="$(dirname "$here")${PYTHONPATH:+:$PYTHONPATH}"
exec "${PYTHON:-python3}" -m "$(basename "$here")" \
    --data "${BASELINE_DATA:-/home/data}" \
    --out "${BASELINE_OUT:-/home/submission/submission.csv}" \
    --seconds "${BASELINE_SECONDS:-600}" \
    --seed "${BASELINE_SEED:-0}"
