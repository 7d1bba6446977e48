"""Checks the names inside an archive before anything is written: a name is a path."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from mlebench.errors import DataError

MAX_COMPONENT_BYTES = 255
MAX_PATH_BYTES = 1024
MAX_DEPTH = 32

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
ODD = re.compile(rf"{CONTROL.pattern}|\\|^/|//|^[A-Za-z]:|(?:^|/)\.{{1,2}}(?:/|$)|[. ](?:/|$)")
"""What an ASCII name must not contain."""


def judge_name(name: str, archive: str) -> None:
    """Reject a name that could escape, hide something or be invalid on some file system."""
    if reason := _fault(name):
        raise DataError(f"{archive} has a member named {name!a}, which {reason}")


def _fault(name: str) -> str | None:
    # One pattern accepts nearly all names; only the others are examined closely.
    is_short = len(name) <= MAX_COMPONENT_BYTES and name.isascii() and name.count("/") < MAX_DEPTH
    if name and is_short and not ODD.search(name):
        return None
    return _fault_of_characters(name) or _fault_of_path(name)


def _fault_of_characters(name: str) -> str | None:
    if not name:
        return "is empty"
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return "is not UTF-8"
    if CONTROL.search(name):
        return "has control characters"
    if DIRECTION.search(name):
        return "has marks that change the direction of text"
    if "\\" in name:
        return "has a backslash"
    return None


def _fault_of_path(name: str) -> str | None:
    if name.startswith("/"):
        return "is an absolute path"
    if re.match("[A-Za-z]:", name):
        return "starts with a drive letter"
    parts = name.split("/")
    if ".." in parts:
        return "leads out of the folder"
    if "" in parts or "." in parts:
        return "has an empty or dot component"
    if any(part[-1] in ". " for part in parts):
        return "has a component that ends with a dot or a space"
    if max(len(part.encode()) for part in parts) > MAX_COMPONENT_BYTES:
        return f"has a component of more than {MAX_COMPONENT_BYTES} bytes"
    if len(name.encode()) > MAX_PATH_BYTES:
        return f"is longer than {MAX_PATH_BYTES} bytes"
    if len(parts) > MAX_DEPTH:
        return f"is more than {MAX_DEPTH} folders deep"
    return None


def judge_names(files: Iterable[str], folders: Iterable[str], archive: str) -> set[str]:
    """Check all names of an archive, also for collisions; returns every folder they imply."""
    known_folders: set[str] = set()
    folded_folders: dict[str, str] = {}
    for folder in folders:
        judge_name(folder, archive)
        _add_folders(folder, known_folders, folded_folders, archive)
    folded_files: dict[str, str] = {}
    for file in files:
        judge_name(file, archive)
        other = folded_files.setdefault(fold(file), file)
        if other is not file:
            raise _ambiguous(archive, other, file)
        cut = file.rfind("/")
        if cut > 0 and file[:cut] not in known_folders:
            _add_folders(file[:cut], known_folders, folded_folders, archive)
    for folded in folded_folders.keys() & folded_files.keys():
        raise _ambiguous(archive, folded_files[folded], folded_folders[folded] + "/")
    return known_folders


def fold(name: str) -> str:
    """The name as a file system that ignores case and Unicode forms would store it."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _add_folders(folder: str, known: set[str], folded: dict[str, str], archive: str) -> None:
    while folder and folder not in known:
        known.add(folder)
        other = folded.setdefault(fold(folder), folder)
        if other != folder:
            raise _ambiguous(archive, other + "/", folder + "/")
        folder = folder.rpartition("/")[0]


def _ambiguous(archive: str, one: str, other: str) -> DataError:
    if one == other:
        return DataError(f"{archive} has two members named {one!a}")
    return DataError(f"{archive} is ambiguous: {one!a} and {other!a} are one name on some disks")
