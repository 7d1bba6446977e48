"""HuBMAP - Hacking the Kidney: outline the glomeruli on slides of kidney tissue."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.run_lengths import MaskPerId
from mlebench.metrics.masks import mean_dice
from mlebench.recipes import Files
from mlebench.tables import read_table, split_rows, write_table

SLIDES = "HuBMAP-20-dataset_information.csv"
SIZES = ("width_pixels", "height_pixels")


def prepare(raw: Raw, public: Path, private: Path, *, with_test_outlines: bool = True) -> None:
    masks, slides = read_table(raw / "train.csv"), read_table(raw / SLIDES)
    train, test = split_rows(masks, test_size=3)
    slide_ids = slides["image_file"].str.removesuffix(".tiff")
    write_table(train, public / "train.csv")
    write_table(slides[slide_ids.isin(masks["id"])], public / SLIDES)
    answers = test.join(slides.set_index(slide_ids)[list(SIZES)], on="id")
    write_table(answers, private / "test.csv")
    gold = test.rename(columns={"encoding": "predicted"})
    write_table(gold, private / "gold_submission.csv")
    for folder in (public, public / "test"):
        write_table(gold.assign(predicted=""), folder / "sample_submission.csv")
    for name in ("{}.tiff", "{}-anatomical-structure.json"):
        Files(f"train/{name}", "id")(raw, (train, test), public)
    outlined = test if with_test_outlines else test[:0]
    Files("train/{}.json", "id")(raw, (train, outlined), public)


rows = MaskPerId(id="id", target="predicted", truth="encoding", size=SIZES)

competition = CompetitionDefinition(
    id="hubmap-kidney-segmentation",
    title="HuBMAP - Hacking the Kidney",
    category="Image Segmentation",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=60_000,
    prepare=prepare,
    submission=rows,
    metric=mean_dice,
    gold_submission="private/gold_submission.csv",
    official_sample_score=0.0,
    faults=(
        Fault("the test slides' own <id>.json files contain the outlines to be predicted"),
        Fault("three numbers `a n b` are two runs of the length n; a single number marks nothing"),
    ),
    accepts=frozenset({"nan"}),
)
