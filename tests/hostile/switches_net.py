"""Switches of the defences around parsing, endpoints and the gateway."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hostile.switches import switch

CONFINEMENT = "mlebench.system.confinement"

switch("child-filter", **{f"{CONFINEMENT}:install_filter": lambda program: None})
switch("child-files", **{f"{CONFINEMENT}:read_only_below": lambda paths: False})
switch("child-limits", **{f"{CONFINEMENT}:lower_limit": lambda kind, value: None})


def _raise(validator: object, data: object) -> None:
    raise KeyError("secret label")


# Not defences, but what the tests of other processes need.
switch("tool: a validator that raises", **{"mlebench.validation.validator:Validator.judge": _raise})
switch(
    "tool: short deadlines",
    **{
        "mlebench.http.connection:HEAD_SECONDS": 1.0,
        "mlebench.http.connection:BODY_SECONDS": 1.0,
    },
)


@contextmanager
def _open_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


FOLDERS = "mlebench.system.socket_folders"
switch(
    "private-sockets",
    **{
        f"{FOLDERS}:socket_folder": _open_folder,
        "tests.hostile.test_shared_machines:socket_folder": _open_folder,
    },
)
switch("abandoned-sockets", **{f"{FOLDERS}:remove_abandoned": lambda: None})
