#!/usr/bin/env bash
# A writable copy of MLAgentBench with the competition as its task, then its runner.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
home="${MLEBENCH_ROOT:-}/home"
cd "$home/agent"
cp -r "${MLAB_HOME:-/opt/MLAgentBench}" mlab
exec "${PYTHON:-python3}" "$here/solve.py" "$home"
