"""ICML 2013 whale challenge: whether a clip contains the call of a right whale."""

import re
from pathlib import Path

from mlebench.archives.copying import zip_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition
from mlebench.formats import RowPerId
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import probabilities
from mlebench.metrics import roc_auc
from mlebench.tables import write_table


def prepare(raw: Raw, public: Path, private: Path, *, days: int = 2) -> None:
    import pandas as pd

    with unpacked(raw / "train2.zip") as content:
        train, test = split_days((content / "train2").files(), days)
        zip_files({f"train2/{name}": clip for name, clip in train.items()}, public / "train2.zip")
        zip_files({f"test2/{name}": clip for name, clip in test.items()}, public / "test2.zip")
    calls = [int(clip.stem.endswith("_1")) for clip in test.values()]
    answers = pd.DataFrame({"clip": list(test), "probability": calls})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(probability=0), public / "sampleSubmission.csv")


def split_days(clips: list[Raw], days: int) -> tuple[dict[str, Raw], dict[str, Raw]]:
    """The clips of the earliest days and of the later ones, each by its new numbered name."""

    def day(clip: Raw) -> str:
        return clip.name.partition("_")[0]

    early = sorted({day(clip) for clip in clips})[:days]
    train = [clip for clip in clips if day(clip) in early]
    test = [clip for clip in clips if day(clip) not in early]
    return (
        {re.sub(r"TRAIN\d+", f"TRAIN{k}", clip.name): clip for k, clip in enumerate(train)},
        {f"{clip.name.partition('TRAIN')[0]}Test{k}.aif": clip for k, clip in enumerate(test)},
    )


competition = CompetitionDefinition(
    id="the-icml-2013-whale-challenge-right-whale-redux",
    title="The ICML 2013 Whale Challenge - Right Whale Redux",
    category="Audio Classification",
    complexity="low",
    awards_medals=True,
    prize_usd=500,
    dataset_gb=0.29314,
    prepare=prepare,
    submission=RowPerId(id="clip", target="probability", values=probabilities),
    metric=roc_auc,
    clusters=Clusters("recording", "clip", lambda clips: clips.str[:15]),
    sample_submission="public/sampleSubmission.csv",
    official_sample_score=0.5,
)
