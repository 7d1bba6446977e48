"""`bundle.json` in a bundle: the sources, the figures claimed, the hash of every file."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from mlebench.records.codec import RecordFormat, to_json
from mlebench.records.disclosure import Disclosure

SCHEMA = 1
BUNDLE_FILE = "bundle.json"


class ListedFile(msgspec.Struct, frozen=True):
    """Facts about one file of a bundle."""

    size: int
    sha256: str


class Claim(msgspec.Struct, frozen=True):
    """The figures that a bundle claims."""

    name: str
    models: str
    splits: dict[str, Any]
    """Figures of every split, as `mlebench report --json` prints them."""

    is_padded: bool
    seeds: int


class BundleRecord(msgspec.Struct, frozen=True):
    """The content of `bundle.json`."""

    mlebench: str
    sources: tuple[str, ...]
    """Groups and reports, in the order in which seeds are numbered."""

    claim: Claim
    files: dict[str, ListedFile]
    """Every other file of the bundle by its name."""

    disclosure: Disclosure | None = None
    """Claims about the runs; None in bundles of version 0.1."""

    schema: int = SCHEMA


BUNDLE = RecordFormat(BundleRecord, SCHEMA)


def encode_bundle(record: BundleRecord) -> bytes:
    """The content of `bundle.json`: the same bytes for the same results, in ASCII."""
    text = json.dumps(to_json(record), indent=1, sort_keys=True, allow_nan=False)
    return text.encode() + b"\n"
