"""Run groups as the runner leaves them, made up: for tests of reports, the viewer, their speed.

    make_group(runs, "aide", ["spaceship-titanic"], seeds=3)       every file a run has
    make_many(runs, 10_000)                                        run.json and report.json only
    make_group(runs, HOSTILE[0], …, hostile=True)                  strings that try to break pages

`python -m tests.results.made_runs FOLDER [COUNT]` makes a folder to look at.
"""

from __future__ import annotations

import functools
import hashlib
import json
import random
import sys
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from mlebench.catalogue import PACKAGE, Catalogue, folder_name
from mlebench.grading.uncertainty import place
from mlebench.leaderboards.leaderboard import Leaderboard, rebuild
from mlebench.metrics.spread import StandardError
from mlebench.records.codec import encode
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import GroupRecord, PlannedRun, Settings, with_hash
from mlebench.records.report import CompetitionReport
from mlebench.records.run import (
    LimitUsage,
    ModelTotals,
    Provenance,
    RunRecord,
    SealedSubmission,
)
from mlebench.runner.plan import make_run_folders

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
MIX = {
    "gold": 10,
    "silver": 8,
    "bronze": 12,
    "above": 18,
    "below": 26,
    "invalid": 6,
    "missing": 4,
    "timeout": 4,
    "failed": 5,
    "running": 3,
    "planned": 2,
    "cancelled": 1,
    "damaged": 1,
}
"""How often each outcome comes, out of a hundred."""

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "</textarea><svg onload=alert(3)>",
    "javascript:alert(4)",
    "{{7*7}}${7*7}<%= 7*7 %>",
    "\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07",
    "\x1b[2J\x1b[H ALL PASSED",
    "50 %\r51 %\r52 %\rALL PASSED",
    "abc\u202etxt.exe\u2066 \u200f",
    '=HYPERLINK("http://evil.example","x")',
    "a\x00b\x07c\x7f\x9b31m",
    "&lt;b&gt; &amp; &#x3c;i&#x3e;",
    "' onmouseover='alert(5)",
    "<!-- --> <![CDATA[ ]]> <?php ?>",
    '<a href="javascript:alert(6)">x</a><iframe src=//evil.example>',
)
HOSTILE_BYTES = b"\xff\xfe broken \xc3\x28 \xed\xa0\x80 utf-8 \xf0\x9f\x98"
MODEL = "made-up-model-1"


@dataclass(frozen=True)
class Maker:
    """What all runs of a group share while they are made."""

    group: GroupRecord
    folder: GroupFolder
    rng: random.Random
    slim: bool
    hostile: bool
    steps: int


def make_group(
    runs_dir: Path,
    agent: str,
    competition_ids: Sequence[str],
    *,
    seeds: int = 1,
    number: int = 0,
    outcomes: Sequence[str] = (),
    mix: Mapping[str, int] = MIX,
    slim: bool = False,
    hostile: bool = False,
    steps: int = 6,
    settings: Mapping[str, Any] | None = None,
) -> GroupFolder:
    """A group; `outcomes` go round over its runs (seed by seed), else they are drawn from `mix`."""
    rng = random.Random(f"{number} {agent}")
    created = START + timedelta(hours=7 * number)
    # A folder's name holds what the agent's name does, as far as file names go.
    name = f"{created:%Y-%m-%dT%H-%M-%S-GMT}_run-group_{agent.replace('/', '-')}".replace("\0", "")
    folder = GroupFolder(runs_dir / name)
    folder.path.mkdir(parents=True)
    planned = tuple(
        PlannedRun(f"{i}_{uuid.UUID(int=rng.getrandbits(128), version=4)}", i, seed)
        for seed in range(seeds)
        for i in competition_ids
    )
    group = GroupRecord(
        group=name,
        created_at=created.isoformat(timespec="seconds"),
        agent=agent,
        agent_version="1.2",
        agent_digest=hashlib.sha256(agent.encode()).hexdigest(),
        settings=msgspec.convert(_settings() | dict(settings or {}), Settings),
        runs=planned,
        provenance=_provenance(),
    )
    group = with_hash(group)
    maker = Maker(group, folder, rng, slim, hostile, steps)
    drawn = rng.choices(list(mix), list(mix.values()), k=len(planned))
    for place, run in enumerate(planned):
        _make_run(maker, run, outcomes[place % len(outcomes)] if outcomes else drawn[place], place)
    folder.metadata.write_bytes(encode(group))
    return folder


def make_many(
    runs_dir: Path, count: int = 10_000, agents: Sequence[str] = ("aide", "react", "tree")
) -> list[GroupFolder]:
    """Slim groups of 75 competitions and 3 seeds each, the last ones smaller: `count` runs."""
    ids = Catalogue().get_split("all")
    made: list[GroupFolder] = []
    left = count
    while left > 0:
        seeds = 3 if left >= 3 * len(ids) else 1
        chosen = ids[:left]
        agent = agents[len(made) % len(agents)]
        made.append(make_group(runs_dir, agent, chosen, seeds=seeds, number=len(made), slim=True))
        left -= seeds * len(chosen)
    return made


def _settings() -> dict[str, Any]:
    limits = {"cpus": 36, "memory_bytes": 440 * 10**9, "processes": 4096, "gpus": 1}
    return {
        "sandbox": "bubblewrap",
        "hours": 24.0,
        "profile": "published",
        "limits": limits,
        "model": MODEL,
        "gateway": {"model": MODEL, "base_url": "http://127.0.0.1:1/v1", "api_key_env": "KEY"},
    }


def _provenance() -> Provenance:
    return Provenance(
        mlebench="0.1.0",
        revision="v1",
        python="3.11.9",
        kernel="6.1.0",
        machine="x86_64",
        cpus=36,
        cpu_model="Made-up CPU",
        memory_bytes=440 * 10**9,
        gpus=("Made-up GPU, 550.1",),
    )


def _make_run(maker: Maker, planned: PlannedRun, outcome: str, place: int) -> None:
    run = maker.folder.run(planned.run_id)
    if maker.slim:
        run.host.mkdir(parents=True)
    else:
        make_run_folders(run)
    record, report = _records(maker, planned, outcome, place)
    if report is not None:
        run.report.write_text(json.dumps(report.to_dict(), indent=1))
    if not maker.slim and record.state != "planned":
        add_files(run, record, report, rng=maker.rng, hostile=maker.hostile, steps=maker.steps)
    data = encode(record)
    run.state.write_bytes(data[: len(data) // 2] if outcome == "damaged" else data)


def _records(
    maker: Maker, planned: PlannedRun, outcome: str, place: int
) -> tuple[RunRecord, CompetitionReport | None]:
    rng, group = maker.rng, maker.group
    started = datetime.fromisoformat(group.created_at) + timedelta(minutes=11 * (place // 4))
    hours = group.settings.hours
    seconds = round(3600 * (hours if outcome == "timeout" else rng.uniform(0.02, 0.95) * hours), 3)
    record = RunRecord(
        run_id=planned.run_id,
        group=group.group,
        competition_id=planned.competition_id,
        agent=group.agent,
        seed=planned.seed,
        state="planned",
        created_at=group.created_at,
    )
    if outcome == "planned":
        return record, None
    record = structs.replace(
        record,
        attempt=1,
        started_at=started.isoformat(timespec="seconds"),
        provenance=structs.replace(_provenance(), manifest_sha256="ab" * 32),
    )
    if outcome == "running":
        return structs.replace(record, state="running", leftovers={"pid": 1}), None
    record = structs.replace(
        record,
        ended_at=(started + timedelta(seconds=seconds)).isoformat(timespec="seconds"),
        seconds=seconds,
        reason=rng.choice(HOSTILE) if maker.hostile else "it ended by itself",
        sandbox={"name": "bubblewrap", "isolation": "strong", "network": "none"},
        usage={
            "wall_seconds": LimitUsage(hours * 3600, seconds, "polled"),
            "memory_bytes": LimitUsage(440 * 10**9, 12 * 10**9, "kernel"),
        },
        validations=rng.randint(0, 9),
        model=_model_totals(rng),
    )
    if outcome in ("cancelled", "failed"):
        return _not_graded(record, outcome, maker), None
    if outcome == "timeout":
        record = structs.replace(
            record, blame="timeout", reason=f"it ran longer than {hours:g} hours"
        )
    score, reason = _score(planned.competition_id, outcome, rng), None
    if outcome == "invalid":
        words = rng.choice(HOSTILE) if maker.hostile else "98 rows"
        reason = f"submission has {words}, expected 100: one per id in test.csv"
    report = make_report(planned.competition_id, score, outcome != "missing", reason)
    report = replace(report, revision=maker.group.settings.revision)
    digest = f"{rng.getrandbits(256):064x}"
    exists = outcome != "missing"
    submission = SealedSubmission(exists, digest if exists else None)
    report = replace(
        report,
        submission_path=str(maker.folder.run(planned.run_id).sealed_submission),
        submission_sha256=digest if exists else None,
    )
    return structs.replace(
        record, state="finished", score=score, medal=report.medal, submission=submission
    ), report


def _not_graded(record: RunRecord, outcome: str, maker: Maker) -> RunRecord:
    if outcome == "cancelled":
        return structs.replace(record, state="cancelled", reason="cancelled")
    causes = ("the model provider failed: connection", "no space left on the device")
    reason = maker.rng.choice(HOSTILE if maker.hostile else causes)
    return structs.replace(
        record, state="failed", blame="infrastructure", reason=f"{reason} (3 times)"
    )


def _model_totals(rng: random.Random) -> ModelTotals:
    calls = rng.randint(20, 900)
    tokens_in, tokens_out = calls * rng.randint(2000, 9000), calls * rng.randint(300, 1500)
    return ModelTotals(
        name=MODEL,
        calls=calls,
        answered=calls - 1,
        failed=1,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cached_tokens=tokens_in // 2,
        unknown_tokens=0,
        cost=round(tokens_in * 2.5e-6 + tokens_out * 1e-5, 6),
        seconds=float(calls * 7),
        budget_spent=False,
    )


@functools.cache
def _board(competition_id: str) -> Leaderboard:
    file = PACKAGE / "competitions" / folder_name(competition_id) / "leaderboard.json"
    return rebuild(json.loads(file.read_text("utf-8")))


def _score(competition_id: str, outcome: str, rng: random.Random) -> float | None:
    """A score of the human board that has this outcome."""
    if outcome in ("invalid", "missing"):
        return None
    board = _board(competition_id)
    cuts = board.thresholds
    wanted = {"gold": "gold", "silver": "silver", "bronze": "bronze"}.get(outcome)
    for _ in range(40):
        # Good ranks are few: draw them on a log scale.
        rank = int(board.teams ** rng.uniform(0, 1)) if outcome != "below" else board.teams
        rank = rng.randint(board.teams // 2, board.teams) if outcome == "below" else rank
        score = round(board.scores[min(max(rank, 1), board.teams) - 1], 5)
        above = cuts.is_above_median(score)
        if outcome in ("timeout", "damaged") or (
            cuts.medal(score) == wanted and (wanted or above == (outcome == "above"))
        ):
            return score
    return float(getattr(cuts, wanted)) if wanted else cuts.median


def make_report(
    competition_id: str, score: float | None, exists: bool = True, reason: str | None = None
) -> CompetitionReport:
    """A report on the competition's own thresholds."""
    board = _board(competition_id)
    cuts = board.thresholds
    medal = cuts.medal(score)
    error = StandardError(abs(cuts.bronze - cuts.median) / 20, units=1000)
    return CompetitionReport(
        competition_id=competition_id,
        score=score,
        gold_threshold=cuts.gold,
        silver_threshold=cuts.silver,
        bronze_threshold=cuts.bronze,
        median_threshold=cuts.median,
        any_medal=medal is not None,
        gold_medal=medal == "gold",
        silver_medal=medal == "silver",
        bronze_medal=medal == "bronze",
        above_median=cuts.is_above_median(score),
        submission_exists=exists,
        valid_submission=score is not None,
        is_lower_better=cuts.is_lower_better,
        created_at=START,
        submission_path="submission.csv",
        reason=reason,
        rank=None if score is None else board.rank(score),
        teams=board.teams,
        human_rank=board.human_rank(score),
        teams_beaten=board.teams_beaten(score),
        uncertainty=None if score is None else place(error, score, board),
    )


def add_files(
    run: RunFolder,
    record: RunRecord,
    report: CompetitionReport | None,
    *,
    rng: random.Random,
    hostile: bool = False,
    steps: int = 6,
) -> None:
    """Everything beside `run.json` and the report."""
    seconds = record.seconds or 5000.0
    started = datetime.fromisoformat(record.started_at or START.isoformat())
    run.agent_log.write_bytes(log_text(40, rng=rng, hostile=hostile))
    (run.logs / "training.log").write_bytes(log_text(20, rng=rng, hostile=hostile))
    write_trajectory(run.trajectory, steps, started=started, seconds=seconds, hostile=hostile)
    _write_lines(
        run.resources,
        (
            {
                "seconds": round(k * seconds / 50, 1),
                "memory_bytes": int(2e9 + 1e9 * rng.random() * (1 + k % 9)),
                "cpu_seconds": round(k * seconds / 50 * rng.uniform(0.8, 1.2), 2),
                "processes": rng.randint(3, 40),
                "disk_bytes": int(1e8 * (k + 1)),
            }
            for k in range(51)
        ),
    )
    rows = "".join(f"id_{k},{k % 2}\n" for k in range(200))
    _add_submissions(run, record, report, f"id,target\n{rows}", seconds, started, hostile, rng)
    (run.code / "solution.py").write_text(_code(hostile))
    (run.code / "notes").mkdir()
    (run.code / "notes" / "plan.md").write_text("# Plan\n\n1. look\n2. train\n")
    _write_tree(run.logs / "tree.json", rng, seconds, hostile)
    if hostile:
        _add_hostile_files(run)


def _add_submissions(
    run: RunFolder,
    record: RunRecord,
    report: CompetitionReport | None,
    csv: str,
    seconds: float,
    started: datetime,
    hostile: bool,
    rng: random.Random,
) -> None:
    run.snapshots.mkdir(exist_ok=True)
    if hostile:
        csv += "".join(f'"{text.replace(chr(34), chr(34) * 2)}",1\n' for text in HOSTILE)
    times = sorted(rng.uniform(0.05, 0.95) * seconds for _ in range(max(1, record.validations)))
    lines = []
    for number, at in enumerate(times):
        is_valid = number > 0
        data = (csv + f"id_x{number},1\n").encode()
        reason = rng.choice(HOSTILE) if hostile else "submission has 98 rows, expected 100"
        lines.append(
            {
                "time": (started + timedelta(seconds=at)).isoformat(timespec="milliseconds"),
                "elapsed": round(at, 3),
                "seconds": 0.01,
                "size": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "valid": is_valid,
                "reason": None if is_valid else f"Submission is invalid: {reason}",
            }
        )
        (run.snapshots / f"{int(at)}.csv").write_bytes(data)
    _write_lines(run.validations, lines)
    if report is not None and report.submission_exists:
        run.sealed_submission.write_text(csv)
        (run.submission / "submission.csv").write_text(csv)


def log_text(lines: int, *, rng: random.Random | None = None, hostile: bool = False) -> bytes:
    """Training output: colours, progress bars, now and then a traceback."""
    rng = rng or random.Random(0)
    out = []
    for k in range(lines):
        if k % 17 == 5:
            out.append(b"\r".join(b"epoch %d: %3d %%" % (k, p) for p in range(0, 101, 20)))
        elif k % 23 == 9:
            out += [b"Traceback (most recent call last):", b'  File "solution.py", line 3']
            out.append(b"ValueError: could not convert string to float: 'x'")
        else:
            out.append(b"\x1b[32m[%05d]\x1b[0m fold %d  loss %.5f" % (k, k % 5, rng.random()))
    if hostile:
        out += [text.encode("utf-8", "surrogatepass") for text in HOSTILE] + [HOSTILE_BYTES]
    return b"\n".join(out) + b"\n"


def write_trajectory(
    path: Path,
    steps: int,
    *,
    started: datetime = START,
    seconds: float = 5000.0,
    hostile: bool = False,
    window: int = 8,
) -> None:
    """Exchanges as the gateway records them; every request repeats the last `window` messages."""
    history: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a careful engineer."},
        {"role": "user", "content": "Solve the competition in /home/data."},
    ]
    at = lambda share: (started + timedelta(seconds=share * seconds)).isoformat(  # noqa: E731
        timespec="milliseconds"
    )
    lines: list[dict[str, Any]] = [{"kind": "open", "time": at(0), "model": MODEL, "schema": 1}]
    for k in range(steps):
        words = HOSTILE[k % len(HOSTILE)] if hostile else f"look at fold {k}"
        call = {
            "id": f"call_{k}",
            "type": "function",
            "function": {"name": "bash", "arguments": json.dumps({"command": f"echo {words}"})},
        }
        answer: dict[str, Any] = {
            "role": "assistant",
            "content": f"Step {k}: {words}.\n```python\nprint({k})\n```",
            "reasoning_content": f"I think about {words}",
            "tool_calls": [call],
        }
        share = (k + 1) / (steps + 1)
        failed = k % 29 == 13
        lines.append({"kind": "start", "time": at(share), "id": k + 1, "path": "chat/completions"})
        request = {"model": MODEL, "messages": history[:2] + history[2:][-window:]}
        lines.append(_exchange(k + 1, at(share), request, None if failed else answer))
        if not failed:
            history.append(answer)
            history.append(
                {"role": "tool", "tool_call_id": f"call_{k}", "content": f"output {k}: {words}"}
            )
    lines.append({"kind": "close", "time": at(1), "calls": steps})
    _write_lines(path, lines)


def _exchange(
    number: int, time: str, request: dict[str, Any], answer: dict[str, Any] | None
) -> dict[str, Any]:
    choices = [{"index": 0, "message": answer, "finish_reason": "tool_calls"}]
    response = {"id": f"r{number}", "model": MODEL, "choices": choices}
    return {
        "kind": "exchange",
        "time": time,
        "id": number,
        "path": "chat/completions",
        "outcome": "answered" if answer else "failed",
        "model": MODEL,
        "answering_model": MODEL if answer else None,
        "seconds": 3.25,
        "waited_seconds": 0.0,
        "attempts": 1,
        "statuses": [200 if answer else 500],
        "input_tokens": 1200 + number if answer else None,
        "output_tokens": 200 if answer else None,
        "cached_tokens": 0 if answer else None,
        "booked_tokens": 1400,
        "cost": 0.0052 if answer else 0.0,
        "error": None if answer else {"code": "server", "text": "the provider failed"},
        "request": request,
        "changed": {"store": False},
        "response": response if answer else None,
    }


def _write_tree(path: Path, rng: random.Random, seconds: float, hostile: bool) -> None:
    nodes = []
    for k in range(12):
        is_good = rng.random() < 0.7
        words = HOSTILE[k] if hostile else "a gradient boosting model"
        nodes.append(
            {
                "id": k,
                "stage": "draft" if k < 4 else ("improve" if is_good else "debug"),
                "parent": None if k < 4 else rng.randrange(k),
                "plan": f"Try {words}",
                "code": _code(hostile),
                "score": round(rng.uniform(0.7, 0.9), 5) if is_good else None,
                "problem": None if is_good else f"it failed: {words}",
                "output": f"score {k}",
                "seconds": 30.0,
                "debug_depth": 0,
                "created_at": round(seconds * k / 12, 1),
                "is_good": is_good,
            }
        )
    best = max((n for n in nodes if n["is_good"]), key=lambda n: n["score"], default=None)
    facts = {"schema": 1, "agent": "tree", "lower_is_better": False}
    text = json.dumps(facts | {"best": best["id"] if best else None, "nodes": nodes}, indent=1)
    path.write_text(text)


def _code(hostile: bool) -> str:
    tail = f"\nTEXT = {HOSTILE[2]!r}  # {HOSTILE[0]}\n" if hostile else ""
    return (
        '"""A solution."""\n\nimport pandas as pd\n\n\ndef main() -> None:\n'
        '    train = pd.read_csv("train.csv")  # comment\n    print(train.shape, 1e-3)\n'
        f'\n\nif __name__ == "__main__":\n    main()\n{tail}'
    )


def _add_hostile_files(run: RunFolder) -> None:
    """Names, links and pages that must not be followed or run."""
    (run.code / "index.html").write_text(HOSTILE[0])
    (run.code / "picture.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>")
    (run.code / "book.ipynb").write_text(json.dumps({"cells": [{"source": HOSTILE[1]}]}))
    (run.code / "<img src=x onerror=alert(1)>.py").write_text("print(1)\n")
    (run.code / "turn\u202eyp.exe").write_bytes(HOSTILE_BYTES)
    (run.code / "passwd").symlink_to("/etc/passwd")
    (run.code / "up").symlink_to("../../..")
    (run.logs / "link.log").symlink_to("/etc/passwd")
    (run.code / "fake.png").write_text(HOSTILE[0])


def _write_lines(path: Path, lines: Any) -> None:
    with path.open("w", encoding="ascii") as stream:
        stream.writelines(json.dumps(line) + "\n" for line in lines)


def make_run(
    runs_dir: Path, outcome: str = "gold", *, agent: str = "aide", **options: Any
) -> RunFolder:
    """The only run of a group; options are those of `make_group`."""
    group = make_group(runs_dir, agent, ["spaceship-titanic"], outcomes=[outcome], **options)
    (state,) = group.path.glob("*/run.json")
    return RunFolder(state.parent)


def make_large_run(runs_dir: Path, *, log_bytes: int, steps: int) -> RunFolder:
    """One run with a large log and a long trajectory."""
    run = make_run(runs_dir)
    block = log_text(20_000)
    with run.agent_log.open("wb") as stream:
        for _ in range(-(-log_bytes // len(block))):
            stream.write(block)
    write_trajectory(run.trajectory, steps, window=40)
    return run


def make_sample(runs_dir: Path) -> list[GroupFolder]:
    """A small folder with a bit of everything: three agents, one hostile group."""
    ids = [*Catalogue().get_split("low")[:6], *Catalogue().get_split("medium")[:3]]
    groups = [
        make_group(runs_dir, agent, ids, seeds=3, number=number, steps=steps)
        for number, (agent, steps) in enumerate((("aide", 12), ("react", 40), ("tree", 6)))
    ]
    groups.append(make_group(runs_dir, HOSTILE[1], ids[:3], seeds=2, number=3, hostile=True))
    return groups


if __name__ == "__main__":
    place, *count = sys.argv[1:]
    made = make_many(Path(place), int(count[0])) if count else make_sample(Path(place))
    print(f"{len(made)} groups in {place}")
