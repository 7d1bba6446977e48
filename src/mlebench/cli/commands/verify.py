"""`mlebench verify`: check prepared data against its manifest and the official checksums."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from mlebench.cli.help import bench_command
from mlebench.cli.options import Selection, catalogue_options, json_option, selection_options
from mlebench.cli.output import counted, exit_if, note, print_json
from mlebench.errors import BenchError
from mlebench.records.folders import CompetitionFolder

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue
    from mlebench.preparing.verify import Verification

STATES = {"same": "ok", "same content": "warn", "different": "fail"}
SHOWN = 5


@bench_command()
@selection_options
@catalogue_options
@json_option
def command(selection: Selection, catalogue: Catalogue, as_json: bool) -> None:
    """Check prepared data byte for byte; without a selection, all prepared competitions.

    ok: the bytes are the same. warn: other bytes, same content, since another version of a library
    wrote them. fail: the data is different.

    \b
    Examples:
      mlebench verify
      mlebench verify -c spaceship-titanic
      mlebench verify --lite --json
    """
    chosen = selection.ids(catalogue) if selection.is_given else _prepared_ids(catalogue)
    results = [_verify(catalogue, competition_id) for competition_id in chosen]
    if as_json:
        print_json({"revision": catalogue.revision, "competitions": results})
    else:
        good = sum(result["state"] != "fail" for result in results)
        note(
            f"Verified {counted(len(results), 'competition')}, revision {catalogue.revision}:"
            f" {good} without a difference"
        )
    exit_if(any(result["state"] == "fail" for result in results))


def _prepared_ids(catalogue: Catalogue) -> list[str]:
    data_dir = catalogue.get_data_dir()
    folders = [
        CompetitionFolder(data_dir, name, catalogue.revision)
        for name in catalogue.list_competition_ids()
    ]
    return [folder.id for folder in folders if folder.prepared.is_dir()]


def _verify(catalogue: Catalogue, competition_id: str) -> dict[str, Any]:
    from mlebench.preparing.verify import verify

    try:
        found = verify(catalogue.get_competition(competition_id))
    except BenchError as error:
        note(f"fail  {competition_id}  {error}")
        return {"competition_id": competition_id, "state": "fail", "message": str(error)}
    _print_result(found)
    return asdict(found) | {"verdict": found.verdict, "state": STATES[found.verdict]}


def _print_result(found: Verification) -> None:
    parts = [found.competition_id, f"{found.files:,} files", found.verdict]
    if found.official:
        parts.append(f"{found.official} with an official checksum")
    if found.note:
        parts.append(found.note)
    note(f"{STATES[found.verdict]:4}  " + "  ".join(parts))
    for finding in found.findings[:SHOWN]:
        note(f"      {STATES[finding.verdict]}: {finding.name} {finding.reason}")
    if len(found.findings) > SHOWN:
        note(f"      and {len(found.findings) - SHOWN:,} more")
