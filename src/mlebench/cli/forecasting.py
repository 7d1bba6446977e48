"""Prints the forecast of a group, as text or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.cli.output import counted, note
from mlebench.errors import NotPreparedError, SandboxError

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.records.group import Settings
    from mlebench.records.run import RunRecord
    from mlebench.runner.forecast import Forecast
    from mlebench.runner.tools import Work


def forecast_runs(
    catalogue: Catalogue,
    planned: Sequence[str],
    settings: Settings,
    *,
    agent: str,
    image: str | None,
    runs_dir: Path,
    options: dict[str, Any],
) -> Forecast:
    """The forecast of runs, one entry of `planned` for each, under the options of a command."""
    from mlebench.runner.forecast import make_forecast
    from mlebench.runner.lacks import find_cluster_lacks, find_lacks

    uses_rehearsal = options.get("rehearsal", False)
    lacks = find_lacks(
        catalogue,
        list(dict.fromkeys(planned)),
        settings,
        jobs=options["jobs"],
        is_local=options["executor"] == "local",
        image=image,
        uses_rehearsal=uses_rehearsal,
    )
    return make_forecast(
        catalogue,
        planned,
        settings,
        jobs=options["jobs"],
        runs_dir=runs_dir,
        agent=agent,
        lacks=[*find_cluster_lacks(options["executor"], options["ray_address"]), *lacks],
        uses_rehearsal=uses_rehearsal,
    )


def note_forecast(forecast: Forecast, data_dir: Path) -> None:
    for line in forecast_lines(forecast, data_dir):
        note(line)


def forecast_rest(runs: Sequence[RunRecord], work: Work, options: dict[str, Any]) -> Forecast:
    """Print the forecast of the remaining runs of a group."""
    group, settings = work.group, work.group.plan.settings
    forecast = forecast_runs(
        work.catalogue,
        [run.competition_id for run in runs],
        settings,
        agent=group.plan.agent,
        image=settings.image or work.agent.image,
        runs_dir=group.path.parent,
        options=options,
    )
    note_forecast(forecast, work.catalogue.get_data_dir())
    return forecast


def require_possible(forecast: Forecast) -> None:
    """Stop before the first run if no run can start on this machine.

    Raises:
        NotPreparedError: names all competitions and the command that prepares them.
        SandboxError: engine, image or GPUs are missing.
    """
    for lack in forecast.blocking:
        if lack.subject == "data":
            raise NotPreparedError(f"{lack.reason}; {lack.remedy}")
    # A missing key has its own message.
    if blocking := [lack for lack in forecast.blocking if lack.subject != "credentials"]:
        raise SandboxError(
            "no run can start here: " + "; ".join(lack.reason for lack in blocking),
            hint="; ".join(lack.remedy for lack in blocking),
        )


def forecast_lines(forecast: Forecast, data_dir: Path) -> Iterator[str]:
    """The forecast in a few lines; what is missing comes last."""
    from mlebench.results.compliance import Compliance

    f = forecast
    yield (
        f"forecast: {counted(f.runs, 'run')} × {_hours(f.seconds_each)} ÷ {f.jobs} at once ="
        f" at most {_hours(f.seconds_at_most)}"
        + (f", about {_hours(f.seconds_typical)} like earlier runs" if f.seconds_typical else "")
    )
    yield f"disk: {_disk(f)}; {_gb(f.free)} are free in {data_dir}"
    if f.is_paid:
        most = "without a limit" if f.cost_at_most is None else f"at most ${f.cost_at_most:,.2f}"
        cost = f.cost_typical
        usual = "" if cost is None else f", about ${cost:,.2f} like earlier runs"
        yield f"money: {most}{usual}"
    if f.deviations is not None:
        yield str(Compliance(f.protocol, True, f.deviations))
    for lack in f.lacks:
        yield str(lack)
    for warning in f.warnings:
        yield f"WARNING: {warning}"


def _disk(f: Forecast) -> str:
    parts = [f"{_gb(f.data_now)} of prepared data now"]
    if f.to_prepare:
        low, high = f.data_peak.least, f.data_peak.most or 0
        span = f"{_gb(low)} to {_gb(high)}" if low < high else _gb(high)
        unknown = f" and {len(f.unknown_sizes)} of unknown size" if f.unknown_sizes else ""
        parts.append(f"{span}{unknown} more at the peak of preparing {len(f.to_prepare)}")
    if f.runs_typical is not None:
        parts.append(f"about {_gb(f.runs_typical)} for the runs")
    if f.run_at_most is not None:
        parts.append(f"a run may write {_gb(f.run_at_most)}")
    return ", ".join(parts)


def _gb(amount: float) -> str:
    return f"{amount / 1e9:,.1f} GB" if amount >= 1e9 else f"{amount / 1e6:,.0f} MB"


def _hours(seconds: float) -> str:
    from mlebench.results.plots.clock import duration

    # Hours such as 1/6 are stored as binary fractions.
    return duration(round(seconds, 3))
