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
    passages={
        "further columns are ignored, but there must be no column `toxicity` besides. Text"
        " among the predictions, an unknown,": (
            "further columns are refused. A prediction that is empty, infinite or text, an unknown,"
        ),
        "An empty prediction counts as not toxic.": "",
        "Other columns are ignored, except that a column `toxicity` beside `prediction` is an"
        " error. Refused are predictions that are text, unknown, missing or repeated ids and"
        " a wrong number of rows; an empty prediction is read as not toxic.": (
            "Refused are other columns, predictions that are empty, infinite or text,"
            " unknown, missing or repeated ids and a wrong number of rows."
        ),
        "**Predictions are cut at 0.5 before anything else**: … AUC of a set of rows is the"
        " area under the ROC curve of these yes/no predictions, which equals (true positive"
        " rate + true negative rate) / 2.": (
            "The truth (`target`) and the identities are cut at 0.5: from there on a row is"
            " toxic, or mentions the identity. Predictions are not cut; only their order"
            " counts.\n"
            "\n"
            "AUC of a set of rows is the area under the ROC curve of the predictions: the"
            " share of pairs of a toxic and a clean row in which the toxic one has the higher"
            " value, where equal values count half."
        ),
        "First everything becomes yes or no: … For a set of rows let A be the area under the"
        " ROC curve of the yes/no predictions, that is (true positive rate + true negative"
        " rate) / 2.": (
            "A true share of at least 0.5 means toxic, a group share of at least 0.5 means"
            " mentioned. Predictions are not cut; only their order counts.\n"
            "\n"
            "For a set of rows let A be the area under the ROC curve of the predictions: the"
            " share of pairs of a toxic and a clean row in which the toxic one has the higher"
            " value, where equal values count half."
        ),
        "Since every part is a balanced accuracy, the best threshold is well below the one"
        " that maximises plain accuracy.": "",
        "All parts balance the two classes, so a threshold tuned for plain accuracy is too high.": (
            ""
        ),
    },
)
