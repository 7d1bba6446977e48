"""The task of a grading child: grade one submission, confined, and send its report.

The fork server starts a fresh child for every submission (`pool.py`).
"""

from __future__ import annotations

import json
import logging
import socket
import sys
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue
from mlebench.errors import BenchError
from mlebench.grading.grade import grade_file
from mlebench.grading.renaming import read_renaming
from mlebench.system.confinement import Confinement, confine
from mlebench.system.fork_server import modules_since
from mlebench.system.threads import processors

MEMORY_BYTES = 8 << 30

logger = logging.getLogger(__name__)


def grade(connection: socket.socket, facts: dict[str, Any]) -> None:
    """Send the report, or why there is none, as one line of JSON."""
    known = len(sys.modules)
    reply = _grade(facts)
    reply["imports"] = modules_since(known)
    connection.sendall(json.dumps(reply).encode() + b"\n")


def _grade(facts: dict[str, Any]) -> dict[str, Any]:
    path = None if facts["submission_path"] is None else Path(facts["submission_path"])
    places = tuple(map(Path, facts["competitions_dirs"]))
    catalogue = Catalogue(Path(facts["data_dir"]), places, facts["revision"])
    try:
        competition = catalogue.get_competition(facts["competition_id"])
        renaming = read_renaming(facts["renaming"])
        readable = [*places, competition.folder.path, *([path.parent] if path else [])]
        confine(
            Confinement(
                memory_bytes=MEMORY_BYTES,
                cpu_seconds=int(facts["seconds"] * processors()) + 1,
                readable=tuple(map(str, readable)),
            )
        )
        return {"report": grade_file(path, competition, renaming).to_dict()}
    except (BenchError, OSError, ImportError) as error:
        return {"error": str(error)}
    except MemoryError:
        return {"too_costly": "needs too much memory"}
    except Exception as error:  # a bug in mlebench, triggered by this file
        logger.exception("grading failed")
        return {"fault": f"internal error in grading: {type(error).__name__}: {error}"}
