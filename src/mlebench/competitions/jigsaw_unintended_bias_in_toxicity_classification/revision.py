"""Revision v1.1: predictions are ranked, as on Kaggle."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification.competition import (
    IDENTITIES,
)
from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification.competition import (
    prepare as prepare_v1,
)
from mlebench.formats import RowPerId
from mlebench.metrics import bias_ranking_auc
from mlebench.revision import Changes, Fix
from mlebench.tables import write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    """As v1, with a gold submission: in the answers the predictions are called `toxicity`."""
    answers = prepare_v1(raw, public, private)[["id", "toxicity"]]
    write_table(answers.rename(columns={"toxicity": "prediction"}), private / "gold_submission.csv")


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
    submission=RowPerId(id="id", target="prediction", truth=("toxicity", *IDENTITIES)),
    metric=bias_ranking_auc,
)
