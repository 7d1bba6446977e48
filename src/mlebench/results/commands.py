"""The command line that repeats the runs of a group."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from mlebench.records.group import Settings

NAMES = ("sandbox", "profile", "hours", "model", "image")


def run_command(
    agent: str, chosen: Sequence[str], settings: Settings | None, seeds: int = 1
) -> str:
    """`mlebench run …` with the settings of a group, quoted for a shell.

    Args:
        chosen: the options that choose the competitions, such as `["--split", "low"]`.
    """
    # The plan of an agent that is a command line contains only the hash of the command.
    words = ["--command", "…"] if agent == "command" else ["--agent", agent]
    words += [*chosen, *(["--seeds", str(seeds)] if seeds > 1 else [])]
    if settings is not None:
        for name in NAMES:
            value = getattr(settings, name)
            if value not in (None, ""):
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        if (api := settings.gateway.get("api", "openai")) != "openai":
            words += ["--api", str(api)]
        if (level := settings.obfuscation_level) != "L0":
            words += ["--obfuscated"] if level == "L1" else ["--obfuscation", level]
        words += ["--rehearsal"] * settings.is_rehearsal
    return shlex.join(["mlebench", "run", *words])
