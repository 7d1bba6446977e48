#!/usr/bin/env bash
# Runs the agent from wherever its folder lies; the folder is the package.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$(dirname "$here")"
exec "${PYTHON:-python3}" -m "$(basename "$here")"
