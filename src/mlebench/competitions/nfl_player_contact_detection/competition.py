"""1st and Future - Player Contact Detection: which football players touch, and when."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import whole_numbers
from mlebench.formats.clusters import Clusters
from mlebench.metrics import matthews_correlation
from mlebench.recipes import LabelSplit
from mlebench.tables import read_table, split_groups, write_table

TABLES = ("baseline_helmets", "player_tracking", "video_metadata")
VIEWS = ("All29", "Endzone", "Sideline")
rows = RowPerId(id="contact_id", target="contact", values=whole_numbers)
labels = LabelSplit(rows, table="train_labels.csv")


def prepare(raw: Raw, public: Path, private: Path) -> None:
    contacts = read_table(raw / labels.table, exact=False)
    parts = split_groups(contacts, "game_play", test_size=0.1)
    labels.write(parts, public, private)
    plays_of = {
        name: part["game_play"].unique()
        for name, part in zip(("train", "test"), parts, strict=True)
    }
    for name in TABLES:
        table = read_table(raw / f"train_{name}.csv", exact=False)
        for part, plays in plays_of.items():
            write_table(table[table["game_play"].isin(plays)], public / f"{part}_{name}.csv")
    for part, plays in plays_of.items():
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
    submission=rows,
    metric=matthews_correlation,
    clusters=Clusters("play", "game_play"),
    official_sample_score=0.0,
    faults=(
        Fault("long decimals are parsed by pandas 2's default, at times one unit off"),
        Fault("labels other than 0 and 1 are accepted as further classes"),
    ),
)
