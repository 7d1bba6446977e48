"""`mlebench integrity`: the command on real runs, its files, exit codes, reviews and reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mlebench.cli import cli
from mlebench.errors import UnknownNameError, UsageError
from mlebench.integrity.reviews import review
from mlebench.integrity.sources import find_runs
from mlebench.preparing.verify import verify
from mlebench.records.integrity import read_integrity
from mlebench.records.ledger import read_ledger
from tests.integrity.cases.making import Case, prepare_some, run_cases

WINE = "starter-wine"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The data folder, an honest run and one that read what is beside the answers."""
    folder = tmp_path_factory.mktemp("made")
    catalogue = prepare_some(folder / "data", (WINE,))
    honest = Case("honest", "ordinary", WINE, [("submit", {"kind": "noise"}), ("validate", {})])
    reading = Case(
        "I1", "reads", WINE, [("submit", {}), ("show_canary", {"way": "base64", "where": "log"})]
    )
    (_, first), (_, second) = run_cases([honest, reading], catalogue, folder / "runs")
    return folder / "data", first, second


def run(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["integrity", *map(str, words)])
    return done.exit_code, done.stdout


def test_from_runs_to_reports(made: tuple[Path, Path, Path]) -> None:
    data, honest, reading = made
    code, text = run(honest.parent, "--data-dir", data, "--json")
    assert code == 4, text
    results = {found["run_id"]: found for found in json.loads(text)["runs"]}
    assert results[honest.name]["result"] == "clean"
    assert results[reading.name]["result"] == "disqualified"
    assert {f["check"] for f in results[reading.name]["findings"]} == {"I1"}
    # The grader's child compared the submissions; the deterministic checks were all made.
    assert "I2" in results[honest.name]["checks_run"]
    assert run(honest, "--data-dir", data)[0] == 0
    # Decoys are gone, and the prepared data is what its manifest says.
    assert not list(data.rglob("answers*"))
    assert not list(honest.parent.rglob("answers.csv"))


def test_reviews_are_in_the_ledger(made: tuple[Path, Path, Path]) -> None:
    data, honest, reading = made
    run(honest.parent, "--data-dir", data)
    (source,) = find_runs([reading])
    record = read_integrity(source.folder.integrity)
    assert record is not None
    (finding,) = record.findings
    with pytest.raises(UnknownNameError, match="has no finding 'I9-0'"):
        review(source, "I9-0", decision="dismissed", reviewer="Ada", reason="none")
    with pytest.raises(UsageError, match="needs a name and a reason"):
        review(source, finding.id, decision="dismissed", reviewer=" ", reason="x")
    code, _ = run("dismiss", reading, finding.id, "--by", "Ada", "--why", "a test of ours")
    assert code == 0
    assert run(reading, "--data-dir", data)[0] == 0  # the decision outlives another check
    code, _ = run("confirm", reading, finding.id, "--by", "Grace", "--why", "it is real")
    record = read_integrity(source.folder.integrity)
    assert record is not None and record.result == "disqualified"
    assert (record.findings[0].status, record.findings[0].reviewer) == ("confirmed", "Grace")
    ledger = read_ledger(source.group.ledger)
    assert not ledger.problems
    assert [entry.decision for entry in ledger.reviews] == ["dismissed", "confirmed"]


def test_prepared_data_stays_as_it_is(made: tuple[Path, Path, Path]) -> None:
    from mlebench.catalogue import Catalogue

    found = verify(Catalogue(made[0]).get_competition(WINE))
    assert found.verdict == "same", found
