"""All checks before anything starts: account, rules, disk, packages, sandboxes, GPU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.doctor.check import Check
from mlebench.doctor.disk import disk_checks
from mlebench.doctor.machine import machine_checks
from mlebench.errors import BenchError
from mlebench.kaggle.client import KaggleClient, log_in
from mlebench.kaggle.download import archive_size
from mlebench.preparing.on_disk import find_supplied, missing_supplied, needs_download
from mlebench.records.folders import default_data_dir
from mlebench.sandbox.attacks import run_attacks
from mlebench.sandbox.registry import best_sandbox, get_sandbox
from mlebench.system.retrying import RetryPolicy

if TYPE_CHECKING:
    from mlebench.catalogue import LocatedCompetition

HURRIED = RetryPolicy(
    tries=3, first_wait_seconds=0.5, longest_retry_after_seconds=30, timeout_seconds=20
)
QUESTIONS_AT_ONCE = 8


def preflight(
    competitions: Sequence[LocatedCompetition],
    *,
    data_dir: Path | None = None,
    keep_raw: bool = False,
    jobs: int = 1,
    online: bool = True,
    with_machine: bool = True,
    policy: RetryPolicy = HURRIED,
) -> list[Check]:
    """Check everything that preparing and running the competitions needs; change nothing.

    Args:
        data_dir: the data folder; by default that of the competitions.
        keep_raw: whether archives are kept after preparation, which needs more disk.
        jobs: how many competitions are prepared at once.
        online: ask Kaggle; otherwise rules and sizes of archives are unknown.
        with_machine: check optional packages, sandboxes and GPUs, too.
    """
    checks: list[Check] = []
    sizes: dict[str, int] = {}
    if online:
        wanted = [competition.id for competition in competitions if needs_download(competition)]
        checks, sizes = _kaggle_checks(wanted, policy)
    checks += _refusal_checks(competitions, checks)
    checks += [check for competition in competitions for check in _file_checks(competition)]
    if data_dir is None:
        data_dir = competitions[0].folder.root if competitions else default_data_dir()
    checks += disk_checks(competitions, data_dir, sizes, keep_raw=keep_raw, jobs=jobs)
    return checks + (machine_checks() if with_machine else [])


def attack_checks(sandbox: str | None = None) -> list[Check]:
    """Let hostile agents attack a sandbox; one check for each, about a minute together.

    Args:
        sandbox: by default the best one that works.
    """
    target = get_sandbox(sandbox) if sandbox else best_sandbox()
    return [
        Check(
            "attack",
            "ok" if found.is_held else "fail",
            f"{target.name}: {found.attack}: {found.reason}",
            None if found.is_held else "do not run agents that you do not trust here",
        )
        for found in run_attacks(target)
    ]


def unobtainable(checks: Iterable[Check]) -> dict[str, str]:
    """The competitions that cannot be downloaded now, each with the first reason."""
    found: dict[str, str] = {}
    for check in checks:
        if check.competition_id and check.state == "fail":
            found.setdefault(check.competition_id, check.reason)
    return found


def _kaggle_checks(wanted: list[str], policy: RetryPolicy) -> tuple[list[Check], dict[str, int]]:
    try:
        client = log_in(policy)
        client.check_credentials()
    except BenchError as error:
        if not wanted:
            reason = f"{error} (nothing has to be downloaded)"
            return [Check("credentials", "warn", reason, error.hint)], {}
        remedy = "or use your own archive: mlebench prepare -c {} --archive FILE"
        blocked = (
            Check("rules", "fail", f"cannot be downloaded: {error}", remedy.format(i), i)
            for i in wanted
        )
        return [Check("credentials", "fail", str(error), error.hint), *blocked], {}
    account = Check("credentials", "ok", f"logged in to Kaggle as {client.account}")
    with ThreadPoolExecutor(QUESTIONS_AT_ONCE) as pool:
        answers = list(pool.map(lambda competition_id: _ask(client, competition_id), wanted))
    sizes = {
        name: size for name, (_, size) in zip(wanted, answers, strict=True) if size is not None
    }
    return [account, *(check for check, _ in answers)], sizes


def _ask(client: KaggleClient, competition_id: str) -> tuple[Check, int | None]:
    """Whether Kaggle would serve the archive, and its size."""
    try:
        size = archive_size(client, competition_id)
    except BenchError as error:
        return Check("rules", "fail", str(error), error.hint, competition_id), None
    reason = f"accepted; the archive has {size / 1e9:,.3f} GB"
    return Check("rules", "ok", reason, competition_id=competition_id), size


def _refusal_checks(
    competitions: Iterable[LocatedCompetition], checks: Iterable[Check]
) -> list[Check]:
    """Competitions that Kaggle refuses for good, unless it has just accepted this account."""
    from mlebench.catalogue.catalogue import load_changes

    served = {check.competition_id for check in checks if check.state == "ok"}
    return [
        Check("rules", "warn", reason, f"run: {one.prepare_command} --archive FILE", one.id)
        for one in competitions
        if one.id not in served and needs_download(one)
        if (reason := load_changes(one.home).refused)
    ]


def _file_checks(competition: LocatedCompetition) -> list[Check]:
    """Files that the user must supply before a download makes sense."""
    if not needs_download(competition):
        return []
    errors = missing_supplied(competition, find_supplied(competition))
    return [Check("files", "fail", str(e), e.hint, competition.id) for e in errors]
