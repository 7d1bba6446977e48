"""Revision v1.1: predictions are ranked, as on Kaggle."""

from pathlib import Path

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification.competition import (
    IDENTITIES,
    LABELLED,
)
from mlebench.formats import RowPerId
from mlebench.metrics import bias_ranking_auc
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """As v1, with a gold submission: in the answers the predictions are called `toxicity`."""
    copy_file(raw / "train.csv", public / "train.csv")
    copy_file(raw / LABELLED, private / "test.csv")
    rows = read_table(raw / LABELLED, columns=["id", "comment_text", "toxicity"]).sort_values("id")
    ids = rows[["id"]]
    write_table(rows[["id", "comment_text"]], public / "test.csv")
    write_table(ids.assign(prediction=0.0), public / "sample_submission.csv")
    write_table(ids.assign(prediction=rows["toxicity"]), private / "gold_submission.csv")


changes = Changes(
    fixes=(
        Fix(
            "predictions are cut to 0 or 1 at one half before they are ranked, which puts the"
            " board's scores out of reach",
            "predictions are ranked as they are, and each is a finite number",
        ),
    ),
    comparability="new",
    prepare=prepare,
    refuses_gaps=True,
    submission=RowPerId(id="id", target="prediction", truth=("toxicity", *IDENTITIES)),
    metric=bias_ranking_auc,
)
