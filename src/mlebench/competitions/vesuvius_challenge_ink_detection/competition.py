"""Vesuvius Challenge - Ink Detection: where there is ink on a scanned fragment of a scroll."""

from pathlib import Path

from mlebench.archives.copying import copy_files, copy_folder
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.run_lengths import MaskPerId
from mlebench.metrics.masks import mean_f_beta
from mlebench.tables import read_table, write_table

HIDDEN = ("inklabels.png", "inklabels_rle.csv", "ir.png")


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    shown: tuple[str, ...] = ("1", "2"),
    hidden: str = "3",
) -> None:
    from PIL import Image

    fragments = raw / "train"
    for name in shown:
        copy_folder(fragments / name, public / "train" / name)
    test = fragments / hidden
    files = {test.relative(file): file for file in test.walk() if file.name not in HIDDEN}
    copy_files(files, public / "test" / "a")
    with (test / "ir.png").open() as stream:
        width, height = Image.open(stream).size
    gold = read_table(test / "inklabels_rle.csv").assign(Id="a")
    write_table(gold, private / "gold_submission.csv")
    write_table(gold.assign(width=width, height=height), private / "inklabels_rle.csv")
    write_table(gold.assign(Predicted="1 1 5 1"), public / "sample_submission.csv")


rows = MaskPerId(
    id="Id", target="Predicted", size=("width", "height"), empty=None, exact_columns=True
)

competition = CompetitionDefinition(
    id="vesuvius-challenge-ink-detection",
    title="Vesuvius Challenge - Ink Detection",
    category="Image Segmentation",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=91_000,
    prepare=prepare,
    submission=rows,
    metric=mean_f_beta(0.5),
    answers="private/inklabels_rle.csv",
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.0,
    faults=(
        Fault("the empty mask is refused"),
        Fault("three numbers `a n b` are two runs of the length n"),
        Fault("one test fragment, where Kaggle's test had two"),
        Fault("the prize money is mistyped: the fourth prize was 10,000, not 1,000"),
    ),
)
