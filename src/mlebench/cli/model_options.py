"""Options that `run` and `gateway` share: model, provider, key, budgets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mlebench.cli.options import combine

if TYPE_CHECKING:
    from mlebench.gateway.settings import GatewaySettings

OPENAI = {"base_url": "https://api.openai.com/v1", "api_key_env": "OPENAI_API_KEY"}
PROVIDERS = {
    "anthropic": {"base_url": "https://api.anthropic.com/v1", "api_key_env": "ANTHROPIC_API_KEY"},
    "gemini": {
        "base_url": "https://generativelanguage.googleapis.com/v1beta",
        "api_key_env": "GEMINI_API_KEY",
    },
}
"""The base URL of each API's maker, and the variable in which its clients expect the key."""

MAKERS = {"claude-": "anthropic", "gemini-": "gemini"}
"""How the names of their models begin."""


def _choose_api(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    """The given API, else that of the model's maker unless a base URL is given."""
    # Base URL and key default to those of the API: a key is never sent to another provider.
    given = ctx.params
    makers = [api for prefix, api in MAKERS.items() if (given["model"] or "").startswith(prefix)]
    api = value or (makers[0] if makers and not given["base_url"] else "openai")
    provider = PROVIDERS.get(api, OPENAI)
    is_from_environment = ctx.get_parameter_source("base_url") is ParameterSource.ENVIRONMENT
    if provider is not OPENAI and is_from_environment:
        given["base_url"] = None
    given |= {name: given[name] or default for name, default in provider.items()}
    return api


model_options = combine(
    click.option(
        "--model", is_eager=True, help="The model that the agent may use, as its provider names it."
    ),
    click.option(
        "--base-url",
        is_eager=True,
        envvar="OPENAI_BASE_URL",
        show_envvar=True,
        help="Base URL of the provider; default: that of the API's maker. The variable is read"
        " for OpenAI's APIs only.",
    ),
    click.option(
        "--api",
        type=click.Choice(["openai", "openai-chat", "openai-responses", "anthropic", "gemini"]),
        callback=_choose_api,
        help="The provider's API; agents may use any of them. Default: openai; without a base URL"
        " anthropic for models named claude-…, gemini for gemini-….",
    ),
    click.option(
        "--api-key-env",
        is_eager=True,
        help="The variable with the provider's key; it is read, then removed. Default:"
        " OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, by API.",
    ),
    click.option("--max-tokens-total", type=click.IntRange(1), help="Tokens for all runs."),
    click.option("--max-cost", type=click.FloatRange(0), help="Dollars for all runs."),
    click.option("--max-calls", type=click.IntRange(1), help="Model calls for all runs."),
    click.option("--max-tokens-run", type=click.IntRange(1), help="Tokens for each run."),
    click.option("--max-cost-run", type=click.FloatRange(0), help="Dollars for each run."),
    click.option("--max-calls-run", type=click.IntRange(1), help="Model calls for each run."),
    click.option(
        "--max-output-tokens",
        type=click.IntRange(1),
        default=32_768,
        help="Maximum length of an answer; budgets reserve it for every call.",
    ),
    click.option(
        "--prices",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A price table whose prices replace those of the package.",
    ),
    click.option(
        "--proxy", help="A proxy for connections to the provider; proxy variables are ignored."
    ),
    click.option("--record", is_flag=True, help="Also record the events of streamed answers."),
    click.option(
        "--replay",
        type=click.Path(path_type=Path, exists=True),
        help="Answer from recorded trajectories, without a provider.",
    ),
    click.option(
        "--replay-mode",
        type=click.Choice(["strict", "order"]),
        default="strict",
        help="Only identical requests, or the recorded answers in order.",
    ),
)


def gateway_settings(options: dict[str, Any]) -> GatewaySettings | None:
    """The settings from the options; None without a model."""
    if not options["model"]:
        return None
    from mlebench.gateway.prices import read_prices
    from mlebench.gateway.settings import Budget, GatewaySettings

    model, table = options["model"], read_prices(options["prices"])
    return GatewaySettings(
        model=model,
        base_url="" if options["replay"] else options["base_url"],
        api=options["api"],
        group_budget=Budget(options["max_tokens_total"], options["max_cost"], options["max_calls"]),
        run_budget=Budget(
            options["max_tokens_run"], options["max_cost_run"], options["max_calls_run"]
        ),
        prices={"models": {name: p for name, p in table["models"].items() if name == model}},
        replay=str(options["replay"].resolve()) if options["replay"] else None,
        replay_mode=options["replay_mode"],
        is_recording=options["record"],
        max_output_tokens=options["max_output_tokens"],
        proxy=options["proxy"],
    )


def gateway_record(options: dict[str, Any], *, needs_key: bool = True) -> dict[str, Any] | None:
    """The settings as stored in a group's plan."""
    from dataclasses import asdict

    settings = gateway_settings(options)
    if settings is None:
        return None
    if needs_key and not settings.replay:
        from mlebench.gateway.keys import read_key

        # Fail before a group is created that could not run.
        read_key(options["api_key_env"], is_optional=settings.is_local)
    return asdict(settings) | {"api_key_env": options["api_key_env"]}
