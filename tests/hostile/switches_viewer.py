"""Switches for the defences of the viewer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from mlebench.viewer.previews import PreviewFailed, answer
from tests.hostile.switches import switch


def _ask_here(
    previews: Any, task: str, facts: Any, files: Sequence[int], readable: Sequence[str] = ()
) -> Any:
    """Parse in the process of the viewer."""
    reply = answer({"task": task, "facts": facts}, files)
    if "found" not in reply:
        raise PreviewFailed(reply.get("problem"))
    return reply["found"]


switch("preview-children", **{"mlebench.viewer.previews:Previews.ask": _ask_here})
switch(
    "linear-texts",
    **{"mlebench.viewer.text:OVERWRITTEN": re.compile(r"[^\n]*\r(?!\n|$)")},
)
