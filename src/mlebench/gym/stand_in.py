"""A stand-in for the design of MLE-Dojo, to be measured for comparison; not for training.

Written from a description of that design: each program runs in a fresh interpreter with the
variables and rights of the caller, the answers are files that it can read, and the whole history is
written again to one JSON file at each step.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


class StandIn:
    """One environment of that design; its steps return an observation and a reward."""

    def __init__(self, public: Path, place: Path) -> None:
        self.public = public
        self.place = place
        self.history: list[dict[str, Any]] = []

    def reset(self) -> dict[str, Any]:
        """Clear the history; episodes have no other state."""
        self.place.mkdir(parents=True, exist_ok=True)
        self.history = []
        return self._record("reset", "")

    def request_info(self) -> dict[str, Any]:
        return self._record(
            "request_info", "\n".join(sorted(file.name for file in self.public.iterdir()))
        )

    def execute_code(self, code: str) -> dict[str, Any]:
        """Run code in a fresh interpreter."""
        file = self.place / "code.py"
        file.write_text(code)
        done = subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, cwd=self.place
        )
        return self._record("execute_code", done.stdout + done.stderr)

    def _record(self, action: str, feedback: str) -> dict[str, Any]:
        step = {"step": len(self.history), "action": action, "feedback": feedback}
        self.history.append(step)
        text = json.dumps({"actions": self.history}, indent=2)
        (self.place / "history.json").write_text(text)
        return {"feedback": feedback, "history_summary": f"{len(self.history)} steps"}
