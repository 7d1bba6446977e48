"""Checks that the descriptions match the data and that the obfuscated one identifies nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from mlebench.audit.examined import Examined
from mlebench.doctor.check import Check

BLOCK = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
LOWER = re.compile(r"\b(lower|smaller|less) is better\b", re.IGNORECASE)
HIGHER = re.compile(r"\b(higher|larger|more|greater) is better\b", re.IGNORECASE)
MANY = 20
DESCRIPTIONS = {
    "description.md": "description",
    "description_obfuscated.md": "obfuscated_description",
}
"""File to the attribute of a competition that reads it."""


def check_description(examined: Examined) -> Iterator[Check]:
    """Columns, files and an example of a submission are named; the direction is right."""
    competition = examined.competition
    fail = partial(Check, "description", "fail")
    texts = {}
    for name, attribute in DESCRIPTIONS.items():
        try:
            texts[name] = getattr(competition, attribute)
        except OSError:
            yield fail(f"{competition.home / name} is missing", "write it: agents read it")
            continue
        yield from _check_text(name, texts[name], examined)
    if "description_obfuscated.md" in texts:
        yield from _check_obfuscated(texts["description_obfuscated.md"], examined)
    if len(texts) == 2 and len(set(texts.values())) == 1:
        yield fail("both descriptions are the same", "take out what identifies the competition")
    yield Check("description", "ok", "columns, files, example and direction are named")


def _check_text(name: str, text: str, examined: Examined) -> Iterator[Check]:
    warn = partial(Check, "description", "warn")
    few = examined.targets if len(examined.targets) < MANY else []
    missing = [column for column in (examined.id_name, *few) if column not in text]
    if missing:
        yield warn(f"{name} does not name the columns {', '.join(missing)} of a submission")
    if unnamed := _unnamed_files(text, examined):
        yield warn(f"{name} does not name the public files {', '.join(unnamed)}")
    if not _has_example(text, examined):
        header = ",".join([examined.id_name, *few])
        yield warn(f"{name} has no example of a submission with the header {header!r}")
    lower = examined.competition.definition.metric.is_lower_better
    said = (HIGHER if lower else LOWER).search(text)
    if said and not (LOWER if lower else HIGHER).search(text):
        found = f"but by the metric {'lower' if lower else 'higher'} is better"
        yield Check("description", "fail", f"{name} says {said[0]!r}, {found}")


def _has_example(text: str, examined: Examined) -> bool:
    """Whether a block begins with the header of a submission; long ones may be cut with dots."""
    needed = {examined.id_name, *examined.targets}
    for block in BLOCK.findall(text):
        header = block.strip().partition("\n")[0]
        found = {field.strip(' "') for field in header.split(",")}
        if needed <= found or (examined.id_name in found and ("…" in header or "..." in header)):
            return True
    return False


def _unnamed_files(text: str, examined: Examined) -> list[str]:
    public = examined.competition.public_dir
    names = sorted(entry.name for entry in public.iterdir() if entry.name != "description.md")
    return [name for name in names[:MANY] if name not in text and name.split(".")[0] not in text]


def _check_obfuscated(text: str, examined: Examined) -> Iterator[Check]:
    definition = examined.competition.definition
    prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL).lower()
    for word in (definition.id.lower(), definition.title.lower(), "kaggle"):
        if word in prose:
            yield Check("description", "fail", f"description_obfuscated.md says {word!r}")
