"""`mlebench contamination`: what has a model seen of the competitions?"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mlebench.cli.help import bench_command
from mlebench.cli.options import (
    PATH,
    GroupOrPath,
    catalogue_options,
    jobs_option,
    json_option,
    selection_options,
)
from mlebench.cli.output import counted, exit_if, note, print_json, print_table
from mlebench.errors import UsageError

if TYPE_CHECKING:
    from mlebench.contamination.answers import AnswerLog
    from mlebench.contamination.client import ModelClient
    from mlebench.gateway.settings import GatewaySettings
    from mlebench.records.contamination import ContaminationReport

STEPS = 25
"""Calls to the model between two lines of progress."""


@bench_command()
@click.option("--model", help="The model, as its provider names it.")
@click.option(
    "--base-url",
    default="https://api.openai.com/v1",
    envvar="OPENAI_BASE_URL",
    show_envvar=True,
    help="Base URL of the provider.",
)
@click.option("--api-key-env", default="OPENAI_API_KEY", help="The variable with the key.")
@selection_options
@click.option(
    "--probes",
    default="",
    help="Names of probes, separated by commas; default: all except peakedness.",
)
@click.option(
    "--method",
    type=click.Choice(["echo", "next-token"]),
    default="echo",
    help="How log probabilities are measured: one call per text, or one per position.",
)
@click.option(
    "--context",
    type=click.IntRange(64),
    default=4096,
    help="The length of the model's context, in tokens.",
)
@click.option(
    "--generate",
    type=click.Choice(["chat", "completions"]),
    default="chat",
    help="The route of probes that ask in words; base models need completions.",
)
@click.option("--documents", type=PATH, help="Your own posts: DIR/<competition>/*.txt.")
@click.option("--runs", type=GroupOrPath(), multiple=True, help="Run groups to compare with.")
@click.option(
    "--dates",
    type=PATH,
    multiple=True,
    help="JSON with cut-offs and deadlines, or Meta Kaggle's Competitions.csv.",
)
@click.option("--local-only", is_flag=True, help="Refuse a provider on another machine.")
@click.option("--replay", type=PATH, help="Recorded answers instead of a model.")
@click.option("--out", type=PATH, required=True, help="The JSON report to write.")
@click.option("--html", type=PATH, help="Write a page as well.")
@jobs_option
@catalogue_options
@json_option
def command(**options: Any) -> None:
    """Measure what a model knows of the competitions: texts, tables, labels, leaderboards.

    Every answer is recorded in FILE.answers.jsonl beside the report: the same command continues
    after an interruption, and --replay computes the report again without a model. A negative result
    means "not detected by these probes". Exit code 3: something was detected.

    \b
    Examples:
      mlebench contamination --model my-model --base-url http://localhost:8000/v1 \\
        --local-only --lite --out report.json --html report.html
      mlebench contamination --replay report.json.answers.jsonl --lite --out again.json
    """
    from mlebench.contamination.client import ModelClient
    from mlebench.gateway.keys import take_key

    settings, log = _open(options)
    client = ModelClient(
        log,
        settings,
        key=take_key(options["api_key_env"], is_optional=settings.is_local) if settings else "",
        jobs=options["jobs"],
        on_progress=lambda calls: None if calls % STEPS else note(f"{calls:,} calls"),
    )
    with closing(client):
        report = _measure(client, options)
    from mlebench.records.contamination import REPORT

    REPORT.write(report, options["out"])
    if options["html"]:
        from mlebench.contamination.page import write_page

        write_page(report, options["html"])
    if options["as_json"]:
        from mlebench.records.codec import to_json

        print_json(to_json(report))
    else:
        _print(report)
    note(f"report: {options['out']}; answers: {log.file}")
    exit_if(any(result.is_detected for result in report.probes), 3)


def _open(options: dict[str, Any]) -> tuple[GatewaySettings | None, AnswerLog]:
    """The provider, unless answers are replayed, and the recording."""
    from mlebench.contamination.answers import AnswerLog
    from mlebench.gateway.settings import GatewaySettings

    if options["replay"]:
        return None, AnswerLog.replay(options["replay"])
    if not options["model"]:
        raise click.UsageError("name the model: --model NAME (or --replay FILE)")
    settings = GatewaySettings(model=options["model"], base_url=options["base_url"])
    if options["local_only"] and not settings.is_local:
        raise UsageError(
            f"--local-only refuses {settings.base_url}: it is not on this machine",
            hint="name a server on localhost with --base-url",
        )
    file = Path(f"{options['out']}.answers.jsonl")
    file.parent.mkdir(parents=True, exist_ok=True)
    return settings, AnswerLog.record(file, model=settings.model, base_url=settings.base_url)


def _measure(client: ModelClient, options: dict[str, Any]) -> ContaminationReport:
    from mlebench.contamination.cutoffs import read_dates
    from mlebench.contamination.documents import collect_documents, has_private
    from mlebench.contamination.generation import Generator
    from mlebench.contamination.probes import SCORING, choose_probes, run_probes
    from mlebench.contamination.report import ModelRun, make_report
    from mlebench.contamination.scoring import EchoScorer, NextTokenScorer
    from mlebench.contamination.subjects import make_subject
    from mlebench.results.attempts import load_attempts

    catalogue = options["catalogue"]
    probes = choose_probes(options["probes"])
    dates = read_dates(options["dates"])
    attempts = load_attempts(options["runs"]) if options["runs"] else []
    competitions = [catalogue.get_competition(i) for i in options["selection"].ids(catalogue)]
    documents = collect_documents(competitions, options["documents"])
    provider = str(client.log.header["base_url"])
    if has_private(documents) and not client.is_local:
        note(f"warning: your own documents are sent to {provider}, which may train on them")
    subjects = [make_subject(competition, documents) for competition in competitions]
    kind = EchoScorer if options["method"] == "echo" else NextTokenScorer
    scorer = kind(client, options["context"])
    tokenizer = scorer.prepare() if set(SCORING) & set(probes) else "not used"
    findings = run_probes(
        probes, subjects, documents, scorer=scorer, generator=Generator(client, options["generate"])
    )
    measured = ModelRun(
        model=client.model,
        provider=provider,
        created_at=str(client.log.header["created_at"]),
        method=options["method"],
        tokenizer=tokenizer,
        generation=options["generate"],
        calls=len(client.log.used),
    )
    return make_report(
        measured, findings, subjects=subjects, attempts=attempts, dates=dates, catalogue=catalogue
    )


def _print(report: ContaminationReport) -> None:
    rows = [
        [
            result.probe,
            result.competition_id or "all",
            result.statistic,
            f"{result.value:.4g}",
            None if result.chance is None else f"{result.chance:.4g}",
            result.n,
            None if result.p_holm is None else f"{result.p_holm:.2g}",
            "detected" if result.is_detected else None,
        ]
        for result in report.probes
    ]
    head = ["probe", "competition", "statistic", "value", "chance", "n", "p (Holm)", ""]
    print_table(head, rows, right="value chance n")
    for sentence in report.sentences.values():
        note(sentence)
    if report.skipped:
        note(f"{counted(len(report.skipped), 'probe')} skipped; the report says why")
    if report.is_rehearsal:
        note("REHEARSAL: tables are synthetic, so no model can know them")
