#!/usr/bin/env bash
# `start.sh tree` runs that agent, wherever this folder is.
set -euo pipefail
# The start time, before anything is loaded.
if [ -r /proc/uptime ]; then
  read -r MLEBENCH_STARTED _ < /proc/uptime
  export MLEBENCH_STARTED
fi
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$(dirname "$here")"
exec "${PYTHON:-python3}" -m "$(basename "$here").$1"
