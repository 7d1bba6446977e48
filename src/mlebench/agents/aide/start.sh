#!/usr/bin/env bash
# AIDE keeps its own files under the working folder.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "${MLEBENCH_ROOT:-}/home/agent"
exec "${PYTHON:-python3}" "$here/solve.py"
