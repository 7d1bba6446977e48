"""Where files are stored: the folders of competitions, groups and runs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mlebench.version import REVISION

DATA_DIR_VARIABLE = "MLEBENCH_DATA_DIR"


def default_data_dir() -> Path:
    """`$MLEBENCH_DATA_DIR`, else the user's cache folder; nothing is created."""
    if from_environment := os.environ.get(DATA_DIR_VARIABLE):
        return Path(from_environment).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir()) / "mle-bench" / "data"


class _Inside:
    """A path inside a folder, by its name there."""

    def __init__(self, name: str, *, within: str = "path") -> None:
        self._name = name
        self._within = within

    def __get__(self, folder: object, owner: type) -> Path:
        parent: Path = getattr(folder, self._within)
        return parent / self._name


@dataclass(frozen=True)
class CompetitionFolder:
    """The data of one competition on disk.

    <data>/<id>/
      <id>.zip           what Kaggle serves
      raw/               its content, if it was unpacked
      leaderboard.csv    a full board that the user downloaded (scores only)
      prepared/
        public/          what the agent sees
        private/         answers
        manifest.json    revision, source, every file's size and hash
        audit.json       records of the last `mlebench audit`
      prepared-v1.1/     the same for another revision
    """

    root: Path
    id: str
    revision: str = REVISION

    @property
    def path(self) -> Path:
        return self.root / self.id

    @property
    def archive(self) -> Path:
        return self.path / f"{self.id}.zip"

    raw = _Inside("raw")
    leaderboard = _Inside("leaderboard.csv")

    @property
    def prepared(self) -> Path:
        name = "prepared" if self.revision == REVISION else f"prepared-{self.revision}"
        return self.path / name

    public = _Inside("public", within="prepared")
    private = _Inside("private", within="prepared")
    manifest = _Inside("manifest.json", within="prepared")
    audit = _Inside("audit.json", within="prepared")


@dataclass(frozen=True)
class GroupFolder:
    """Runs that were started together.

    runs/<UTC time>_run-group_<agent>/
      metadata.json      the plan: agent, competitions, seeds, settings, provenance
      ledger.jsonl       every grading, append-only, hash-chained
      budget.jsonl       reservations and costs of model calls
      weights.json       model weights in the libraries and in the folder of the agent
      agent/             the agent as it was when the group was planned
      <competition>_<uuid>/   a run
    """

    path: Path

    metadata = _Inside("metadata.json")
    ledger = _Inside("ledger.jsonl")
    budget = _Inside("budget.jsonl")
    weights = _Inside("weights.json")
    agent = _Inside("agent")

    def run(self, run_id: str) -> RunFolder:
        return RunFolder(self.path / run_id)


@dataclass(frozen=True)
class RunFolder:
    """One agent, one competition, one seed.

    <competition>_<uuid>/
      run.json           state, replaced at each step
      lease              locked by the worker that has the run
      submission/ logs/ code/ agent/     the agent's own folders: hostile, never read while it lives
      host/              ours alone, never mounted
        submission.csv      the sealed copy that was graded
        report.json         its report
        last_valid.csv      the last submission that validation accepted
        validations.jsonl   every call of the validation server
        snapshots/          copies of the submission over time, `<seconds>.csv`
        trajectory.jsonl    every exchange with the model
        agent.log           what the agent printed
        harness.log         reasons with the paths of this machine, tracebacks of internal errors
        resources.jsonl     memory, CPU and disk over time
        progress.json       grades of the snapshots, made by `report --over-time`
        process.json        measures of how the agent worked, made by `report --process`
        integrity.json      findings about its conduct, made by `integrity`
        judge.json          the judge's model, the hash of its prompts and the nonce of its fences
        judge.jsonl         every exchange with the judge, for replays
        published.jsonl     every exchange about the published questions, for replays
        canary.json         the random id planted beside the answers during this run
    """

    path: Path

    state = _Inside("run.json")
    lease = _Inside("lease")
    submission = _Inside("submission")
    logs = _Inside("logs")
    code = _Inside("code")
    agent = _Inside("agent")
    host = _Inside("host")
    sealed_submission = _Inside("host/submission.csv")
    report = _Inside("host/report.json")
    last_valid = _Inside("host/last_valid.csv")
    validations = _Inside("host/validations.jsonl")
    snapshots = _Inside("host/snapshots")
    trajectory = _Inside("host/trajectory.jsonl")
    agent_log = _Inside("host/agent.log")
    harness_log = _Inside("host/harness.log")
    resources = _Inside("host/resources.jsonl")
    progress = _Inside("host/progress.json")
    process = _Inside("host/process.json")
    integrity = _Inside("host/integrity.json")
    judge = _Inside("host/judge.json")
    judge_calls = _Inside("host/judge.jsonl")
    published_calls = _Inside("host/published.jsonl")
    canary = _Inside("host/canary.json")
    renaming = _Inside("host/renaming.json")
