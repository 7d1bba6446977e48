"""What similarity and judge add to the deterministic checks of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mlebench.gateway.settings import GatewaySettings
from mlebench.integrity.evidence import Evidence
from mlebench.records.integrity import IntegrityFinding, SimilarReference, SkippedCheck


@dataclass(frozen=True)
class IntegrityOptions:
    """What the user asked for."""

    judge: GatewaySettings | None = None
    """The model that judges runs and findings; None for no judge."""

    api_key_env: str = "OPENAI_API_KEY"
    """The variable with the key of the judge's provider."""

    output_dir: Path = Path()
    """The folder for the files of the published questions."""

    kernels: Path | None = None
    """A folder of public solutions to compare with."""

    submissions: Path | None = None
    """A folder of known public submissions: `<competition>/*.csv`."""

    questions: str | None = None
    """`published`: the three questions of the published detector."""


@dataclass(frozen=True)
class Addition:
    """What an extension found in one run."""

    findings: tuple[IntegrityFinding, ...] = ()
    """New ones, and those of the same id with a judge's verdict, which replace the old ones."""

    similarity: tuple[SimilarReference, ...] = ()
    checks_run: tuple[str, ...] = ()
    skipped: tuple[SkippedCheck, ...] = ()


class Extension(Protocol):
    """Looks at one run after the deterministic checks."""

    def __call__(self, evidence: Evidence, findings: Sequence[IntegrityFinding]) -> Addition: ...
