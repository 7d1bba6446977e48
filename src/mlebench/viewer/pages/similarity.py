"""The data of the tab `similarity`: matching lines of a run and a kernel or another run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from mlebench.integrity.plagiarism.code import PYTHON
from mlebench.records.integrity import SimilarReference, decode_integrity
from mlebench.viewer.index import Place
from mlebench.viewer.places import Absent, opened_file, pread, split_path
from mlebench.viewer.previews import PreviewFailed, Previews
from mlebench.viewer.run_page import read_host
from mlebench.viewer.text import clean, one_line

MAX_BYTES = 1 << 20
MAX_LINES = 3000
MAX_LINE = 300
MAX_PAIRS = 4


def describe_similarity(
    place: Place, previews: Previews, kernels: Path | None, number: int
) -> dict[str, Any]:
    """All references that the run's code resembles, and both sides of one of them."""
    record = read_host(place, "integrity.json", decode_integrity)
    if record is None:
        note = "This run was not checked yet: mlebench integrity RUNS"
        return {"entries": [], "match": 0, "pairs": [], "note": note}
    found = record.similarity
    entries = [
        {
            "reference": one_line(entry.reference, 300),
            "relation": entry.relation,
            "similarity": entry.similarity,
            "containment": entry.containment,
            "ranges": len(entry.ranges),
        }
        for entry in found
    ]
    pairs = _pairs(place, previews, kernels, found[number]) if number < len(found) else []
    note = "No code resembles that of this run."
    return {"entries": entries, "match": number, "pairs": pairs, "note": note}


def _pairs(
    place: Place, previews: Previews, kernels: Path | None, entry: SimilarReference
) -> list[dict[str, Any]]:
    ordered = sorted(entry.ranges, key=lambda r: (r.file, r.reference_file, r.first))
    groups = [list(g) for _, g in groupby(ordered, key=lambda r: (r.file, r.reference_file))]
    groups.sort(key=lambda own: sum(r.last - r.first + 1 for r in own), reverse=True)
    return [
        {
            "left": _side(previews, place.root, [*place.names, *_parts(group[0].file)]),
            "right": _reference(place, previews, kernels, entry, group[0].reference_file),
            "ranges": [[r.first, r.last, r.reference_first, r.reference_last] for r in group],
        }
        for group in groups[:MAX_PAIRS]
    ]


def _reference(
    place: Place, previews: Previews, kernels: Path | None, entry: SimilarReference, file: str
) -> dict[str, Any]:
    if entry.relation != "kernel":
        return _side(previews, place.root, [*_parts(entry.reference), *_parts(file)])
    if kernels is None:
        note = "only fingerprints of kernels are stored; show yours: mlebench view --kernels DIR"
        return {"name": one_line(entry.reference, 300), "lines": None, "note": note}
    return _side(previews, kernels, _parts(entry.reference))


def _parts(path: str) -> tuple[str, ...]:
    return split_path(path) if path else ()


def _side(previews: Previews, root: Path, names: Sequence[str]) -> dict[str, Any]:
    """The lines of a program, or a note about why they cannot be shown."""
    name = one_line(names[-1], 300) if names else ""
    try:
        text = _text(previews, root, names)
    except (Absent, PreviewFailed) as error:
        return {"name": name, "lines": None, "note": str(error)}
    lines = text.splitlines()
    note = f"only the first {MAX_LINES} lines are shown" if len(lines) > MAX_LINES else None
    shown = [clean(line[:MAX_LINE]) for line in lines[:MAX_LINES]]
    return {"name": name, "lines": shown, "note": note}


def _text(previews: Previews, root: Path, names: Sequence[str]) -> str:
    if not names or not names[-1].lower().endswith(PYTHON):
        raise Absent("this program is part of a record; the tab trajectory shows it")
    with opened_file(root, names) as descriptor:
        if names[-1].lower().endswith(".ipynb"):
            return str(previews.ask("notebook", {}, [descriptor]))
        return pread(descriptor, MAX_BYTES, 0).decode("utf-8", "replace")
