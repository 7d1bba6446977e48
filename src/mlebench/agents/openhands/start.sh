#!/usr/bin/env bash
# Writes OpenHands' configuration and task, then runs it headless.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
home="${MLEBENCH_ROOT:-}/home"
cd "$home/agent"
"${PYTHON:-python3}" "$here/configure.py" "$home"
# OpenHands would start a container of its own; here our sandbox takes its place.
export RUNTIME=local SANDBOX_VOLUMES="" SKIP_DEPENDENCY_CHECK=1 DISABLE_TELEMETRY=1
exec "${OPENHANDS_PYTHON:-python3}" -m openhands.core.main \
    --config-file "$home/agent/config.toml" --file "$home/agent/task.md" --no-auto-continue
