"""The options of `run` and `gateway` for models: each API has its own provider and key."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from mlebench.cli.model_options import model_options


@click.command()
@model_options
def show(base_url: str, api_key_env: str, **_: object) -> None:
    click.echo(f"{base_url} {api_key_env}")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "https://api.openai.com/v1 OPENAI_API_KEY"),
        (["--api", "openai-chat"], "https://api.openai.com/v1 OPENAI_API_KEY"),
        (["--api", "anthropic"], "https://api.anthropic.com/v1 ANTHROPIC_API_KEY"),
        (
            ["--api", "gemini"],
            "https://generativelanguage.googleapis.com/v1beta GEMINI_API_KEY",
        ),
        (
            ["--base-url", "http://localhost:1", "--api-key-env", "MINE", "--api", "gemini"],
            "http://localhost:1 MINE",
        ),
        (["--model", "claude-sonnet-4-5"], "https://api.anthropic.com/v1 ANTHROPIC_API_KEY"),
        (
            ["--api-key-env", "MINE", "--model", "gemini-2.5-pro"],
            "https://generativelanguage.googleapis.com/v1beta MINE",
        ),
        (
            ["--base-url", "http://localhost:1", "--model", "claude-sonnet-4-5"],
            "http://localhost:1 OPENAI_API_KEY",
        ),
        (
            ["--model", "claude-sonnet-4-5", "--api", "openai"],
            "https://api.openai.com/v1 OPENAI_API_KEY",
        ),
    ],
)
def test_defaults_belong_to_the_api(words: list[str], expected: str) -> None:
    found = CliRunner().invoke(show, words, env={"OPENAI_BASE_URL": None})
    assert found.output == expected + "\n"


def test_an_address_of_openai_is_not_used_for_another_api() -> None:
    """Otherwise the key of one provider would be sent to another."""
    environment = {"OPENAI_BASE_URL": "https://openai.example/v1"}
    for api, expected in (("openai", "https://openai.example"), ("anthropic", "https://api.anth")):
        found = CliRunner().invoke(show, ["--api", api], env=environment)
        assert found.output.startswith(expected)


def test_a_model_of_another_maker_is_asked_for_at_the_address_of_the_environment() -> None:
    environment = {"OPENAI_BASE_URL": "https://proxy.example/v1"}
    found = CliRunner().invoke(show, ["--model", "claude-sonnet-4-5"], env=environment)
    assert found.output == "https://proxy.example/v1 OPENAI_API_KEY\n"
