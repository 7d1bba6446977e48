"""Random Acts of Pizza: did a request for a free pizza succeed."""

import json
from pathlib import Path
from typing import Any

from mlebench.archives.copying import zip_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import split_rows, write_table

ID, TARGET = "request_id", "requester_received_pizza"
Post = dict[str, Any]


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    labelled = json.loads((raw / "train.json").read_bytes())
    unlabelled = json.loads((raw / "test.json").read_bytes())
    share = len(unlabelled) / (len(labelled) + len(unlabelled))
    train, test = split_rows(labelled, test_size=share)
    # Test posts have only the fields that Kaggle's own test posts have.
    write(train, [{key: post[key] for key in unlabelled[0]} for post in test], public)
    answers = pd.DataFrame({ID: [p[ID] for p in test], TARGET: [int(p[TARGET]) for p in test]})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(**{TARGET: 0}), public / "sampleSubmission.csv")


def write(train: list[Post], test: list[Post], public: Path) -> None:
    """Write the posts of both parts, loose and zipped."""
    for name, posts in (("train", train), ("test", test)):
        text = json.dumps(posts, indent=4).encode()
        (public / f"{name}.json").write_bytes(text)
        zip_files({f"{name}.json": text}, public / f"{name}.zip")


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
