"""1st and Future - Player Contact Detection: which football players touch, and when."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import whole_numbers
from mlebench.metrics import matthews_correlation
from mlebench.tables import read_table, split_rows, write_table

TABLES = ("baseline_helmets", "player_tracking", "video_metadata")
VIEWS = ("All29", "Endzone", "Sideline")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    labels = read_table(raw / "train_labels.csv", exact=False)
    train, test = split_rows(list(labels["game_play"].unique()), test_size=0.1)
    write_table(labels[labels["game_play"].isin(train)], public / "train_labels.csv")
    answers = labels[labels["game_play"].isin(test)]
    write_table(answers, private / "test.csv")
    sample = answers[["contact_id"]].assign(contact=0)
    write_table(sample, public / "sample_submission.csv")
    for name in TABLES:
        table = read_table(raw / f"train_{name}.csv", exact=False)
        for part, plays in (("train", train), ("test", test)):
            write_table(table[table["game_play"].isin(plays)], public / f"{part}_{name}.csv")
    for part, plays in (("train", train), ("test", test)):
        videos = [f"{play}_{view}.mp4" for play in plays for view in VIEWS]
        copy_files({video: raw / "train" / video for video in videos}, public / part)


competition = CompetitionDefinition(
    id="nfl-player-contact-detection",
    title="1st and Future - Player Contact Detection",
    category="Video Classification",
    complexity="high",
    competition_type="code",
    awards_medals=True,
    prize_usd=100_000,
    prepare=prepare,
    submission=RowPerId(id="contact_id", target="contact", values=whole_numbers),
    metric=matthews_correlation,
    official_sample_score=0.0,
    faults=(
        Fault("long decimals are parsed by pandas 2's default, at times one unit off"),
        Fault("labels other than 0 and 1 are accepted as further classes"),
    ),
)
