"""Random Acts of Pizza: whether a request for a free pizza succeeded."""

import json
from pathlib import Path
from typing import Any

from mlebench.archives.copying import zip_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import Splitting, split_rows, write_table

ID, TARGET = "request_id", "requester_received_pizza"
Post = dict[str, Any]


def prepare(raw: Raw, public: Path, private: Path) -> None:
    for name, posts in split(raw, public, private).items():
        text = as_json(posts)
        (public / f"{name}.json").write_bytes(text)
        zip_files({f"{name}.json": text}, public / f"{name}.zip")


def split(
    raw: Raw, public: Path, private: Path, splitting: Splitting = split_rows
) -> dict[str, list[Post]]:
    """The posts of both parts; writes answers and sample submission."""
    import pandas as pd

    labelled = json.loads((raw / "train.json").read_bytes())
    unlabelled = json.loads((raw / "test.json").read_bytes())
    share = len(unlabelled) / (len(labelled) + len(unlabelled))
    train, test = splitting(labelled, test_size=share)
    answers = pd.DataFrame({ID: [p[ID] for p in test], TARGET: [int(p[TARGET]) for p in test]})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(**{TARGET: 0}), public / "sampleSubmission.csv")
    # Test posts have only the fields that Kaggle's own test posts have.
    return {"train": train, "test": [{key: post[key] for key in unlabelled[0]} for post in test]}


def as_json(posts: list[Post]) -> bytes:
    return json.dumps(posts, indent=4).encode()


competition = CompetitionDefinition(
    id="random-acts-of-pizza",
    title="Random Acts of Pizza",
    category="Text Classification",
    complexity="low",
    dataset_gb=0.003,
    prepare=prepare,
    submission=RowPerId(id=ID, target=TARGET, values=probabilities),
    metric=roc_auc,
    sample_submission="public/sampleSubmission.csv",
    official_sample_score=0.5,
    faults=(
        Fault("giver_username_if_known is public for test posts and reveals success", issue="#108"),
    ),
)
