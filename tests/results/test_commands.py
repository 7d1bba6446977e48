"""The command line that repeats a group's runs."""

from __future__ import annotations

from mlebench.records.group import Settings
from mlebench.results.commands import run_command


def test_the_settings_of_a_group_are_options() -> None:
    settings = Settings(
        sandbox="bubblewrap", hours=0.5, model="a b", gateway={"api": "anthropic"}, profile="small"
    )
    assert run_command("claude-code", ["-c", "wine"], settings, seeds=2) == (
        "mlebench run --agent claude-code -c wine --seeds 2 --sandbox bubblewrap --profile small"
        " --hours 0.5 --model 'a b' --api anthropic"
    )
    usual = Settings(sandbox="process", hours=1.0, gateway={"api": "openai"})
    assert "--api" not in run_command("dummy", [], usual)
