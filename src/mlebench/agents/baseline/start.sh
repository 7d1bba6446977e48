#!/usr/bin/env bash
# Runs the agent wherever its folder is; the folder is the Python package.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
root="${MLEBENCH_ROOT:-}"
python="${PYTHON:-python3}"
# A little less than the limit, at which running processes are killed.
seconds="$("$python" -c 'import sys; print(max(1, float(sys.argv[1]) * 0.95))' "${MLEBENCH_SECONDS:-600}")"
cd "$(dirname "$here")"
exec "$python" -m "$(basename "$here")" \
    --data "${BASELINE_DATA:-$root/home/data}" \
    --out "${BASELINE_OUT:-$root/home/submission/submission.csv}" \
    --seconds "$seconds" \
    --seed "${MLEBENCH_SEED:-0}"
