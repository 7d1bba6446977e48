"""Forty synthetic data sets, some of them hard to be honest about, and a model that knows ten."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from mlebench.contamination.documents import Document
from mlebench.contamination.subjects import LabelSource, Subject, TableSample
from mlebench.contamination.table_probes import depends_on_order
from tests.contamination.stub import StubModel

SETS, KNOWN, ROWS, IDS = 40, 10, 200, 120
SYLLABLES = "ba de fi go lu ma ne pi ro su ta ve wi xo za".split()


@dataclass(frozen=True)
class DataSet:
    """A subject with the labels that its answers file holds."""

    subject: Subject
    labels: dict[str, str]


def make_sets(seed: int, folder: Path, count: int = SETS) -> list[DataSet]:
    return [_make_set(k, random.Random(f"{seed}-{k}"), folder) for k in range(count)]


def _make_set(number: int, draw: random.Random, folder: Path) -> DataSet:
    name = f"set-{number:02d}-{_word(draw)}"
    header, rows = _table(number, draw)
    labels = {f"t{draw.randrange(10**9)}": "1" if draw.random() < 0.3 else "0" for _ in range(IDS)}
    answers = folder / name / "answers.csv"
    answers.parent.mkdir(parents=True)
    answers.write_text("id,y\n" + "".join(f"{i},{label}\n" for i, label in labels.items()))
    training = {f"r{draw.randrange(10**9)}": draw.choice("0011") for _ in range(IDS)}
    public = answers.with_name("train.csv")
    public.write_text("id,y\n" + "".join(f"{i},{label}\n" for i, label in training.items()))
    words = [_word(draw) for _ in range(150)]
    posts = [" ".join(draw.choices(words, k=600)) + "." for _ in range(2)]
    documents = [Document(name, f"{k}.txt", "post", text) for k, text in enumerate(posts)]
    obfuscated = Document(name, "obfuscated", "obfuscated", " ".join(draw.choices(words, k=80)))
    subject = Subject(
        id=name,
        title=name.replace("-", " ").title(),
        documents=(*documents, obfuscated),
        table=TableSample("train.csv", tuple(header), tuple(map(tuple, rows))),
        labels=LabelSource("id", "y", tuple(labels), answers),
        train_labels=LabelSource("id", "y", tuple(training), public),
    )
    return DataSet(subject, labels | training)


def _table(number: int, draw: random.Random) -> tuple[list[str], list[list[str]]]:
    """Every third table is ordered by time, every fourth repeats itself, all have a counter."""
    header = ["number", "kind", "x", "y", "z", "total"]
    level, rows = 50.0, []
    kinds = [_word(draw) for _ in range(4)]
    for k in range(ROWS):
        level += draw.gauss(0, 1)
        x = level if number % 3 == 0 else draw.uniform(0, 100)
        y = draw.choice([1, 2, 3]) if number % 4 == 0 else draw.uniform(0, 10)
        z = draw.gauss(0, 5)
        cells = [str(k + 1), draw.choice(kinds), f"{x:.2f}", f"{y:.2f}", f"{z:.3f}"]
        rows.append([*cells, f"{float(cells[2]) + float(cells[3]):.2f}"])
    return header, rows


def _word(draw: random.Random) -> str:
    return "".join(draw.choices(SYLLABLES, k=draw.choice([2, 3])))


def knowing(sets: list[DataSet], seed: int) -> StubModel:
    """A model that has seen these data sets: rows in their order, labels, posts, names."""
    subjects = [one.subject for one in sets]
    tables = [[list(row) for row in s.table.rows] for s in subjects if s.table]
    texts = [d.text for s in subjects for d in s.documents if d.kind == "post"]
    return StubModel(
        seed=seed,
        texts=[*texts, *(_shown_rows(subject) for subject in subjects)],
        tables=tables,
        labels={(one.subject.title, i): label for one in sets for i, label in one.labels.items()},
        titles={d.text: s.title for s in subjects for d in s.documents if d.kind == "obfuscated"},
    )


def _shown_rows(subject: Subject) -> str:
    """The file as the model saw it; the probe leaves columns out, which the stub must know too."""
    table = subject.table
    assert table
    kept = [k for k in range(len(table.header)) if not depends_on_order(table.column(k))]
    return "\n".join(",".join(row[k] for k in kept) for row in table.rows)
