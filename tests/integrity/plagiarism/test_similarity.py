"""Runs compared with kernels and with each other, through the checks of `mlebench integrity`."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.integrity.checking import check_runs
from mlebench.integrity.extensions import IntegrityOptions
from mlebench.integrity.plagiarism.candidates import flag
from mlebench.integrity.plagiarism.references import INDEX_NAME, example_code, open_kernels
from mlebench.integrity.plagiarism.worker import Fingerprinter
from mlebench.integrity.sources import find_runs
from mlebench.records.folders import RunFolder
from mlebench.records.integrity import IntegrityFinding, IntegrityRecord
from mlebench.records.run import read_run, write_run
from tests.results.made_runs import make_group

from . import changes

TITANIC, DIGITS = "spaceship-titanic", "starter-digits"
CODE = {file.stem: file.read_text("utf-8") for file in changes.PIPELINES}


def make_run(runs: Path, agent: str, *texts: str, number: int = 0, seeds: int = 1) -> RunFolder:
    """A finished run that leaves these programs, each with a trivial change per seed."""
    group = make_group(
        runs, agent, [TITANIC], seeds=seeds, number=number, outcomes=["below"], slim=True
    )
    folders = [RunFolder(file.parent) for file in sorted(group.path.glob("*/run.json"))]
    for seed, folder in enumerate(folders):
        folder.code.mkdir(exist_ok=True)
        for place, text in enumerate(texts):
            (folder.code / f"solution{place}.py").write_text(f"seed = {seed}\n{text}")
    return folders[0]


def make_kernels(folder: Path, *names: str) -> Path:
    """Kernels of one competition, and of others from unrelated code."""
    place = folder / TITANIC
    place.mkdir(parents=True)
    for name in names:
        (place / f"{name}.py").write_text(CODE[name])
    for number, file in enumerate(changes.package_files()):
        other = folder / f"other-{number % 7}"
        other.mkdir(exist_ok=True)
        (other / file.name).write_bytes(file.read_bytes())
    return folder


def scan(runs: Path, kernels: Path | None = None) -> list[IntegrityRecord]:
    sources = find_runs([runs])
    return list(check_runs(sources, Catalogue(), IntegrityOptions(kernels=kernels)))


def copies(record: IntegrityRecord) -> list[IntegrityFinding]:
    return [f for f in record.findings if f.check in ("plagiarism", "I15")]


def test_thresholds() -> None:
    assert flag(0.59, 0.49, 100) is None
    assert flag(0.60, 0.0, 100) == flag(0.0, 0.50, 100) == "review"
    assert flag(0.85, 0.1, 100) == flag(0.1, 0.85, 100) == "strong"
    assert flag(1.0, 1.0, 19) is None


def test_a_copied_kernel_is_found_with_its_lines(tmp_path: Path) -> None:
    rng = random.Random(4)
    copied = changes.rename_all(CODE["target_encoding"], rng)
    run = make_run(tmp_path / "runs", "agent", "import os\nprint(os.name)\n" + copied)
    kernels = make_kernels(tmp_path / "kernels", "target_encoding", "stacking", "rule_lists")
    (record,) = scan(tmp_path / "runs", kernels)
    (finding,) = copies(record)
    assert (finding.check, finding.severity, finding.deterministic) == (
        "plagiarism",
        "strong",
        True,
    )
    assert f"{TITANIC}/target_encoding.py" in finding.title
    text = (run.path / finding.evidence[0].file).read_bytes()
    item = finding.evidence[0]
    assert len(text[item.offset : item.offset + item.length].splitlines()) >= 20
    (entry,) = [e for e in record.similarity if e.reference == f"{TITANIC}/target_encoding.py"]
    assert entry.similarity >= 0.9 and entry.containment >= 0.9
    assert entry.relation == "kernel" and entry.longest >= 50
    longest = max(entry.ranges, key=lambda r: r.last - r.first)
    assert longest.first - longest.reference_first == 3  # the lines before the copy
    assert record.result == "review"
    assert "plagiarism" in record.checks_run
    # Without the kernels nothing is asked again, with others the answer is another one.
    (without,) = scan(tmp_path / "runs")
    assert copies(without) == [finding] and "plagiarism" not in without.checks_run
    (other,) = scan(tmp_path / "runs", make_kernels(tmp_path / "other", "stacking"))
    assert not copies(other)


def test_a_kernel_spread_over_files_is_found(tmp_path: Path) -> None:
    lines = CODE["decision_tree_scratch"].split("\n\n\n")
    parts = ["\n\n\n".join(lines[:4]), "\n\n\n".join(lines[4:])]
    make_run(tmp_path / "runs", "agent", *parts)
    (record,) = scan(tmp_path / "runs", make_kernels(tmp_path / "k", "decision_tree_scratch"))
    assert [finding.severity for finding in copies(record)] == ["strong"]


def test_independent_code_is_not_flagged(tmp_path: Path) -> None:
    make_run(tmp_path / "runs", "agent", CODE["boosted_trees"])
    names = [name for name in CODE if name != "boosted_trees"]
    (record,) = scan(tmp_path / "runs", make_kernels(tmp_path / "kernels", *names))
    assert not copies(record)
    assert all(entry.similarity <= 0.30 for entry in record.similarity)


def test_a_copied_notebook_and_an_executed_program_are_found(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs", "agent")
    rng = random.Random(2)
    (run.code / "work.ipynb").write_bytes(changes.to_notebook(CODE["genetic_search"], rng))
    arguments = json.dumps({"code": CODE["naive_bayes"]})
    call = {"function": {"name": "python", "arguments": arguments}}
    answer = {"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}
    entry = {"kind": "exchange", "request": {"messages": []}, "response": answer}
    run.trajectory.write_text(json.dumps(entry) + "\n")
    kernels = make_kernels(tmp_path / "kernels", "genetic_search", "naive_bayes")
    (record,) = scan(tmp_path / "runs", kernels)
    found = {e.reference: {r.file for r in e.ranges} for e in record.similarity}
    assert found[f"{TITANIC}/genetic_search.py"] == {"code/work.ipynb"}
    assert found[f"{TITANIC}/naive_bayes.py"] == {"host/trajectory.jsonl#1"}
    assert len(copies(record)) == 2


def test_seeds_of_one_agent_are_siblings(tmp_path: Path) -> None:
    make_run(tmp_path / "runs", "agent", CODE["semi_supervised"], seeds=2)
    for record in scan(tmp_path / "runs"):
        assert not copies(record)
        (entry,) = record.similarity
        assert entry.relation == "sibling" and entry.similarity > 0.95
        assert record.result == "clean"


def test_a_copy_of_another_agents_run_is_found(tmp_path: Path) -> None:
    first = make_run(tmp_path / "runs", "one", CODE["gaussian_mixture"])
    second = make_run(tmp_path / "runs", "two", CODE["gaussian_mixture"], number=1)
    record = read_run(first.state)
    write_run(structs.replace(record, ended_at="2020-01-01T00:00:00+00:00"), first.state)
    assert not any(copies(record) for record in scan(first.path.parent))  # it was there first
    group = second.path.parent
    (record,) = scan(group)  # the other group is found beside it
    (finding,) = copies(record)
    assert (finding.check, finding.severity) == ("I15", "review")
    assert first.path.name in finding.title
    (entry,) = record.similarity
    assert {r.reference_file for r in entry.ranges} == {"code/solution0.py"}
    (skipped,) = [s for s in record.checks_skipped if s.id == "plagiarism"]
    assert "--kernels" in skipped.reason


def test_runs_of_other_competitions_are_not_compared(tmp_path: Path) -> None:
    make_run(tmp_path / "runs", "one", CODE["gaussian_mixture"])
    other = make_group(tmp_path / "runs", "two", [DIGITS], number=1, outcomes=["below"], slim=True)
    (state,) = other.path.glob("*/run.json")
    (state.parent / "code").mkdir(exist_ok=True)
    (state.parent / "code" / "a.py").write_text(CODE["gaussian_mixture"])
    assert not any(copies(record) for record in scan(tmp_path / "runs"))


def test_files_of_the_agent_itself_do_not_count(tmp_path: Path) -> None:
    for number, agent in enumerate(("one", "two")):
        run = make_run(tmp_path / "runs", agent, number=number)
        for folder in (run.agent, run.path.parent / "agent"):
            folder.mkdir(exist_ok=True)
            (folder / "loop.py").write_text(CODE["xgboost_native"])
    assert not any(copies(record) for record in scan(tmp_path / "runs"))


def test_our_own_examples_do_not_count(tmp_path: Path) -> None:
    text = (changes.PACKAGE / "agents" / "baseline" / "models.py").read_text("utf-8")
    make_run(tmp_path / "runs", "one", text)
    make_run(tmp_path / "runs", "two", text, number=1)
    assert len(example_code()) > 2000
    for record in scan(tmp_path / "runs"):
        assert not copies(record)
        assert [entry.relation for entry in record.similarity] == ["example"]


def test_hostile_code_neither_stops_nor_fools_it(tmp_path: Path) -> None:
    run = make_run(tmp_path / "runs", "agent", CODE["stacking"])
    (run.code / "deep.ipynb").write_bytes(b"[" * 2_000_000)
    (run.code / "deep.py").write_bytes(b"(" * 1_000_000)
    (run.code / "link.py").symlink_to("/etc/passwd")
    (run.code / "\u202egnp.py").write_text("x = 1\n" * 10)
    (record,) = scan(tmp_path / "runs", make_kernels(tmp_path / "kernels", "stacking"))
    assert [finding.check for finding in copies(record)] == ["plagiarism"]


def test_kernels_are_parsed_once(tmp_path: Path) -> None:
    folder = make_kernels(tmp_path / "kernels", "stacking", "naive_bayes")
    asked: list[Path] = []

    class Counting(Fingerprinter):
        def of_files(self, files):  # type: ignore[no-untyped-def]
            asked.extend(files)
            return super().of_files(files)

    with Counting() as counting:
        count = len(open_kernels(folder, counting).references)
        assert len(asked) == count > 20
        assert len(open_kernels(folder, counting).references) == count == len(asked)
        (folder / TITANIC / "new.py").write_text(CODE["rule_lists"])
        (folder / TITANIC / "stacking.py").unlink()
        index = open_kernels(folder, counting)
        assert len(asked) == count + 1
        assert f"{TITANIC}/new.py" in {reference.id for reference in index.references}
        shared = open_kernels(folder / INDEX_NAME, counting)
    assert shared.references == index.references
    assert b"import " not in (folder / INDEX_NAME).read_bytes()


def test_a_folder_without_kernels(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="contains no kernels"):
        open_kernels(tmp_path, Fingerprinter())
