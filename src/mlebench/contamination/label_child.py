"""A child process compares recalled labels with the answers; only counts leave it."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mlebench.contamination.subjects import LabelSource
from mlebench.errors import SandboxError
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import ForkServer, send_json

TARGET = "mlebench.contamination.label_child:compare"
IMPORTS = ("mlebench.contamination.label_child", "mlebench.tables", "pandas")
SECONDS = 120
MEMORY_BYTES = 4 << 30


class LabelJudge:
    """Compares labels in child processes; close it to end the process that starts them."""

    def __init__(self) -> None:
        self._server = ForkServer(IMPORTS)

    def close(self) -> None:
        self._server.stop()

    def compare(self, source: LabelSource, answers: Mapping[str, str]) -> tuple[int, int, float]:
        """Right answers, compared ids, and the share of the most frequent label.

        Args:
            answers: what the model said, by test id.
        """
        facts = {
            "path": str(source.answers),
            "id": source.id_column,
            "target": source.target,
            "answers": dict(answers),
        }
        try:
            reply = self._server.ask(TARGET, facts, SECONDS) or {"error": "the child process ended"}
        except TimeoutError:
            reply = {"error": f"it took longer than {SECONDS} s"}
        if "error" in reply:
            raise SandboxError(f"the labels could not be compared: {reply['error']}")
        return int(reply["right"]), int(reply["compared"]), float(reply["majority"])


def compare(connection: socket.socket, facts: dict[str, Any]) -> None:
    """Send the counts; the labels stay here."""
    from mlebench.tables import read_table

    path = Path(facts["path"])
    confine_child(memory_bytes=MEMORY_BYTES, cpu_seconds=SECONDS, readable=[str(path.parent)])
    try:
        table = read_table(path)
        ids, labels = table[facts["id"]].astype(str), table[facts["target"]].astype(str)
        truth = dict(zip(ids, map(plain, labels), strict=True))
        said = {i: plain(text) for i, text in facts["answers"].items() if i in truth}
        frequent = Counter(truth.values()).most_common(1)[0][1]
        reply = {
            "right": sum(truth[i] == text for i, text in said.items()),
            "compared": len(said),
            "majority": (frequent + 1) / (len(truth) + 1),
        }
    except (OSError, KeyError, ValueError) as error:
        reply = {"error": type(error).__name__}
    send_json(connection, reply)


def plain(text: str) -> str:
    """A label without quotes, case and trailing zeros, so that 1, 1.0 and "1" are equal."""
    word = text.strip().strip("\"'`.").strip().lower()
    try:
        return f"{float(word):.6g}"
    except ValueError:
        return word
