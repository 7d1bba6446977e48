"""The texts to measure: evidence that the user has, and controls that are ours.

Our own descriptions are new texts, so a model's familiarity with them is a control, not evidence.
Nothing is fetched, and the package contains no texts by others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import LocatedCompetition
from mlebench.contamination.controls import decoys, describe_facts, facts_of
from mlebench.errors import UsageError
from mlebench.records.manifest import read_manifest

CONTROLS = ("own", "obfuscated", "paraphrase", "decoy")
MIN_CHARACTERS = 80


@dataclass(frozen=True)
class Document:
    """A text about one competition."""

    competition_id: str
    name: str
    kind: str
    text: str


def collect_documents(
    competitions: Sequence[LocatedCompetition], folder: Path | None
) -> list[Document]:
    """All texts of the competitions, then those of invented ones.

    Args:
        folder: the user's posts, `<competition>/*.txt`.
    """
    found = [d for c in competitions for d in [*_own(c), *_official(c), *_posts(c.id, folder)]]
    invented = [Document(name, name, "decoy", text) for name, text in decoys()]
    return [*found, *invented]


def has_private(documents: Sequence[Document]) -> bool:
    """Whether some of the texts are the user's own."""
    return any(document.kind == "post" for document in documents)


def _own(competition: LocatedCompetition) -> list[Document]:
    texts = {
        "own": competition.description,
        "obfuscated": competition.obfuscated_description,
        "paraphrase": describe_facts(competition.id, facts_of(competition.definition)),
    }
    return [Document(competition.id, kind, kind, text) for kind, text in texts.items()]


def _official(competition: LocatedCompetition) -> list[Document]:
    """The official description, if the user prepared the data with it."""
    manifest = read_manifest(competition.folder)
    if manifest is None or manifest.description != "official":
        return []
    text = (competition.public_dir / "description.md").read_text("utf-8", "replace")
    return [Document(competition.id, "description.md", "official", text)]


def _posts(competition_id: str, folder: Path | None) -> list[Document]:
    if folder is None:
        return []
    if not folder.is_dir():
        raise UsageError(f"the folder of documents {folder} does not exist")
    files = sorted((folder / competition_id).glob("*.txt"))
    texts = [(file, file.read_text("utf-8", "replace").strip()) for file in files]
    return [
        Document(competition_id, file.name, "post", text)
        for file, text in texts
        if len(text) >= MIN_CHARACTERS
    ]
