"""Run short programs of this machine, such as nvidia-smi, and read what they print."""

from __future__ import annotations

import os
import subprocess

SECONDS = 30.0


def run_command(*words: str, seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    """The result of a program; if it hangs or cannot start, status 1 and the reason in `stderr`."""
    limit = seconds or SECONDS
    try:
        return subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=limit,
            env={**os.environ, "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        reason = f"no answer within {limit:g} s"
    except OSError as error:
        reason = str(error)
    return subprocess.CompletedProcess(words, 1, "", reason)


def last_line(text: str) -> str:
    """The last line of a program's output, where its error message usually is."""
    return (text.strip().splitlines() or ["no reason given"])[-1].strip()
