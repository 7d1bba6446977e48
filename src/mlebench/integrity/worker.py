"""The task of a confined child: read what an agent left and send the findings.

The child may read the group's folder and the public data, not the answers.
"""

from __future__ import annotations

import logging
import socket
import sys
from pathlib import Path
from typing import Any

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import BenchError
from mlebench.integrity.context import CheckContext, OtherRun, PublicLikeness
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.registry import check
from mlebench.integrity.sources import find_runs
from mlebench.records.codec import to_json
from mlebench.system.confinement import confine_child
from mlebench.system.fork_server import modules_since, send_json

MEMORY_BYTES = 3 << 30

logger = logging.getLogger(__name__)


def check_run(connection: socket.socket, facts: dict[str, Any]) -> None:
    """Send the findings, or why there are none, as one line of JSON."""
    known = len(sys.modules)
    try:
        reply = _check(facts)
    except MemoryError:
        reply = {"error": "reading it needs too much memory"}
    except Exception as error:
        logger.debug("checking failed", exc_info=True)
        reply = {"error": f"{type(error).__name__}: {error}"[:300]}
    reply["imports"] = modules_since(known)
    send_json(connection, reply)


def _check(facts: dict[str, Any]) -> dict[str, Any]:
    (source,) = find_runs([Path(facts["run"])])
    competition = find_competition(facts)
    places = [str(source.group.path), *facts["competitions_dirs"]]
    if competition is not None:
        places.append(str(competition.public_dir))
    seconds = int(facts["seconds"]) + 1
    confine_child(memory_bytes=MEMORY_BYTES, cpu_seconds=seconds, readable=places)
    evidence = Evidence(source)
    found = check(
        CheckContext(
            evidence,
            competition,
            similar_submissions=tuple(OtherRun(**one) for one in facts["similar_submissions"]),
            figures=facts["figures"],
            public=tuple(PublicLikeness(**one) for one in facts["public"]),
            lost_runs=tuple(facts["lost_runs"]),
        )
    )
    return {
        "findings": to_json(found.findings),
        "run": found.run,
        "skipped": to_json(found.skipped),
        "left_out": evidence.left_out[:20],
    }


def find_competition(facts: dict[str, Any]) -> LocatedCompetition | None:
    """The competition of the run, if this machine knows it."""
    places = tuple(map(Path, facts["competitions_dirs"]))
    try:
        catalogue = Catalogue(Path(facts["data_dir"]), places, facts["revision"])
        return catalogue.get_competition(facts["competition_id"])
    except (BenchError, OSError):
        return None
