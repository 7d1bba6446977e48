"""Code blocks of the guide run as they are printed; every block has a test here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest

from mlebench.archives.raw import RawFolder
from mlebench.catalogue import Catalogue
from mlebench.cli import cli
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.sandbox.base import Sandbox
from tests.agents.conftest import Play, arena, bubblewrap, model, play
from tests.gateway.provider import Provider
from tests.kaggle_server import Contest, KaggleServer
from tests.kaggle_server.fixtures import make_zip
from tests.results.made_runs import make_group
from tests.sandbox.conftest import why_not

__all__ = ["arena", "bubblewrap", "model", "play"]

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
SETI = "seti-breakthrough-listen"
# One test below for each block of Python.
TESTED = {
    ("README.md", 0),
    ("CONTRIBUTING.md", 0),
    ("adding-a-competition.md", 0),
    ("adding-a-competition.md", 1),
    ("adding-a-competition.md", 2),
    ("adding-a-competition.md", 3),
    ("adding-a-competition.md", 4),
    ("adding-a-sandbox.md", 0),
    ("agents.md", 0),
    ("drop-in.md", 0),
    ("kaggle.md", 0),
    ("security.md", 0),
    ("results.md", 0),
    ("training.md", 0),
    ("training.md", 1),
    ("training.md", 2),
}


def python_blocks(page: Path) -> list[str]:
    return [text for kind, text in BLOCK.findall(page.read_text("utf-8")) if kind == "python"]


def block(name: str, number: int = 0) -> str:
    (page,) = [page for page in PAGES if page.name == name]
    return python_blocks(page)[number]


def run(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "block"}
    exec(compile(code, "block", "exec"), names)
    return names


def test_every_block_of_python_is_tested() -> None:
    found = {(page.name, k) for page in PAGES for k in range(len(python_blocks(page)))}
    assert found == TESTED


def test_grading_in_the_readme(prepared: Catalogue, tmp_path: Path) -> None:
    spaceship = prepared.get_competition("spaceship-titanic")
    (tmp_path / "submission.csv").write_bytes(spaceship.gold_submission.read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", block("README.md")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        # The data folder is looked up when the registry is imported.
        env=os.environ | {"MLEBENCH_DATA_DIR": str(prepared.get_data_dir())},
        check=True,
    )
    score, medal, human_rank, reason = done.stdout.split()
    assert (score, medal, reason) == ("1.0", "gold", "None")
    assert float(human_rank) == 1.0


def test_the_competition_of_twenty_lines(tmp_path: Path) -> None:
    code = block("CONTRIBUTING.md")
    assert len(code.splitlines()) <= 20
    definition = run(code)["competition"]
    raw, public, private = new_folders(tmp_path)
    rows = "".join(f"{k},{k % 7},{k % 2}\n" for k in range(100))
    (raw / "train.csv").write_text("id,clouds,label\n" + rows)
    definition.prepare(RawFolder(raw), public, private)
    assert len((public / "train.csv").read_text().splitlines()) == 81
    assert set((public / "sample_submission.csv").read_text().split(",label\n")[1].split()) > set()
    assert sorted(path.name for path in private.iterdir()) == ["test.csv"]


def new_folders(place: Path) -> tuple[Path, Path, Path]:
    folders = tuple(place / name for name in ("raw", "public", "private"))
    for folder in folders:
        folder.mkdir()
    return folders


def test_the_recipe_is_that_of_the_competition(tmp_path: Path) -> None:
    competition = Catalogue(tmp_path / "data").get_competition(SETI)
    prepare(competition, Rehearsal())
    raw, public, private = new_folders(tmp_path)
    competition.make_rehearsal(raw, 0, 1)
    run(block("adding-a-competition.md"))["prepare"](RawFolder(raw), public, private)
    for ours, theirs in ((public, competition.public_dir), (private, competition.private_dir)):
        found = contents(ours)
        assert found
        assert found == {
            name: data for name, data in contents(theirs).items() if name != "description.md"
        }


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_split_by_groups(tmp_path: Path) -> None:
    raw, public, private = new_folders(tmp_path)
    labels = [(f"n{k:02}", k % 2, k // 4) for k in range(40)]
    rows = "".join(f"{name},{target},{patient}\n" for name, target, patient in labels)
    (raw / "train_labels.csv").write_text("id,target,patient\n" + rows)
    (raw / "train").mkdir()
    for name, _, _ in labels:
        (raw / "train" / f"{name}.tif").write_text(name)
    code = block("adding-a-competition.md") + block("adding-a-competition.md", 1)
    run(code)["prepare"](RawFolder(raw), public, private)
    patients = {name: patient for name, _, patient in labels}
    train = {path.stem for path in public.glob("train/*.tif")}
    test = {path.stem for path in public.glob("test/*.tif")}
    assert train | test == set(patients)
    assert len({patients[name] for name in test}) == 2
    assert not {patients[name] for name in train} & {patients[name] for name in test}
    answers = (private / "answers.csv").read_text().splitlines()[1:]
    assert {line.split(",")[0] for line in answers} == test


def test_declared_rehearsal_data(tmp_path: Path) -> None:
    run(block("adding-a-competition.md", 2))["make_raw"](tmp_path, 1, 2)
    header, *rows = (tmp_path / "train.csv").read_text().splitlines()
    assert header == "id,sex,age,label"
    images = {file.stem for file in (tmp_path / "train").glob("*.jpg")}
    assert images == {row.split(",")[0] for row in rows}
    sample = (tmp_path / "sample_submission.csv").read_text().splitlines()[1:]
    with zipfile.ZipFile(tmp_path / "test.zip") as archive:
        assert archive.namelist() == [f"test/{row.removesuffix(',0.5')}.jpg" for row in sample]
    assert (len(rows), len(sample)) == (300, 8)


def test_rehearsal_data_of_a_function(tmp_path: Path) -> None:
    run(block("adding-a-competition.md", 3))["make_raw"](tmp_path, 1)
    rows = [row.split(",") for row in (tmp_path / "train.csv").read_text().splitlines()[1:]]
    sizes = [str((tmp_path / f"recordings/{number}.bin").stat().st_size) for number, _ in rows]
    assert sizes == [length for _, length in rows]
    assert len(rows) == 40


def test_the_metric() -> None:
    metric = run(block("adding-a-competition.md", 4))["mean_absolute_error"]
    assert metric(np.array([1.0, 2.0]), np.array([2.0, 4.0])) == 1.5
    assert metric.is_lower_better


def test_the_sandbox_has_what_the_protocol_asks_for() -> None:
    names = {name for name in vars(Sandbox) if not name.startswith("_")}
    names |= set(Sandbox.__annotations__)
    assert names <= set(vars(run(block("adding-a-sandbox.md"))["Cellar"]))


def test_the_agent_that_asks_one_question(play: Play, model: Provider, tmp_path: Path) -> None:
    folder = tmp_path / "asker"
    folder.mkdir()
    (folder / "agent.toml").write_text(
        'name = "asker"\nversion = "1"\ncommand = ["python3", "/opt/agent/agent.py"]\n'
        "needs_model = true\n"
    )
    (folder / "agent.py").write_text(block("agents.md"))
    record, place = play(str(folder), "spaceship-titanic")
    assert (record.state, record.blame) == ("finished", None), place.agent_log.read_text()
    assert record.score is not None
    assert [request["body"]["messages"][-1]["content"] for request in model.seen] == ["Hello"]


def test_a_competition_with_another_description(capsys: pytest.CaptureFixture[str]) -> None:
    names = run(block("drop-in.md"))
    assert names["other"].description == "Another text."
    assert names["other"].id == names["competition"].id == "spaceship-titanic"
    assert capsys.readouterr().out == "accuracy leaderboard.csv\n"


def test_downloading(
    kaggle_server: KaggleServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLEBENCH_DATA_DIR", str(tmp_path))
    archive = make_zip(50_000)
    kaggle_server.add(Contest("leaf-classification", archive))
    names = run(block("kaggle.md"))
    assert len(names["missing"]) == len(names["competitions"]) - 1
    home = tmp_path / "leaf-classification"
    assert (home / "leaf-classification.zip").read_bytes() == archive


def test_probing(capsys: pytest.CaptureFixture[str]) -> None:
    run(block("security.md"))
    assert capsys.readouterr().out.strip()


def test_results_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_group(tmp_path / "runs", "aide", ["spaceship-titanic"], outcomes=["gold"])
    monkeypatch.chdir(tmp_path)
    found = run(block("results.md"))["found"]
    assert found.runs["outcome"].tolist() == ["gold"]
    assert found.reports["competition_id"].tolist() == ["spaceship-titanic"]


@pytest.mark.parametrize(
    ("number", "printed"), [(0, "submitted"), (2, "42")], ids=["episode", "gymnasium"]
)
def test_training(number: int, printed: str, tmp_path: Path) -> None:
    if reason := why_not("bubblewrap"):
        pytest.skip(f"bubblewrap does not work here: {reason}")
    pytest.importorskip("gymnasium")
    prepare(Catalogue(tmp_path, (), "v1.1").get_competition("starter-wine"))
    done = subprocess.run(
        [sys.executable, "-c", block("training.md", number)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"MLEBENCH_DATA_DIR": str(tmp_path)},
    )
    assert printed in done.stdout, done.stderr


def test_limits_of_episodes() -> None:
    assert run(block("training.md", 1))["limits"].clock == "virtual"


def commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for kind, text in BLOCK.findall(page.read_text("utf-8")):
            if kind == "" and page.name != "command-line.md":
                for line in text.replace("\\\n", " ").splitlines():
                    if line.strip().startswith("mlebench "):
                        yield page.name, line.strip()


@pytest.mark.parametrize(("page", "line"), sorted(set(commands())))
def test_commands_in_pages_are_understood(
    page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parsed as the command line parses them; files and folders that they name exist."""
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line, comments=True)[1:]
    for name in ("runs/my-group", "runs/group-a", "runs/group-b", "runs/<group>"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("submission.csv", "submissions.jsonl", "me.zip", "my_agent.yaml"):
        (tmp_path / name).touch()
    parse(cli, words)


def parse(command: click.Command, words: list[str]) -> None:
    """Raises `click.UsageError` for an unknown command, option or value."""
    with command.make_context(command.name, words) as context:
        if isinstance(command, click.Group):
            _, inner, rest = command.resolve_command(
                context, [*context._protected_args, *context.args]
            )
            assert inner is not None
            parse(inner, rest)


def test_there_are_commands_to_check() -> None:
    assert len(list(commands())) > 30
