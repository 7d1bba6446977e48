"""Cassava Leaf Disease Classification: the disease of a cassava plant from a photograph."""

from collections.abc import Callable
from pathlib import Path

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy
from mlebench.recipes import Files, LabelSplit
from mlebench.recipes.hashes import hash_of
from mlebench.recipes.tfrecord import read_feature, read_records
from mlebench.tables import read_table, split_rows

NAMES = "label_num_to_disease_map.json"
rows = RowPerId(id="image_id", target="label", values=whole_numbers, odd_values=never_equal)
tables = LabelSplit(rows, sample_value=4)


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    write_test: Callable[[Raw, Path], None] = copy_file,
    numbered_by_hash: bool = False,
) -> None:
    shards = (raw / "train_tfrecords").files("*.tfrec")
    train_shards, test_shards = split_rows(shards, test_size=0.1)
    if numbered_by_hash:
        test_shards.sort(key=lambda shard: hash_of(*names_in(shard)))
    for part, shards, write in (
        ("train", train_shards, copy_file),
        ("test", test_shards, write_test),
    ):
        for k, shard in enumerate(shards):
            name = f"ld_{part}{k:02d}-{shard.stem.split('-')[1]}.tfrec"
            write(shard, public / f"{part}_tfrecords" / name)
    test_ids = {name.decode() for shard in test_shards for name in names_in(shard)}
    table = read_table(raw / "train.csv")
    is_test = table["image_id"].isin(test_ids)
    parts = table[~is_test], table[is_test]
    tables.write(parts, public, private)
    copy_file(raw / NAMES, public / NAMES)
    Files("train_images/{}", rows.id)(raw, parts, public)


def names_in(shard: Raw) -> list[bytes]:
    """The names of the images in a TFRecord file."""
    return [read_feature(record, "image_name") for record in read_records(shard)]


competition = CompetitionDefinition(
    id="cassava-leaf-disease-classification",
    title="Cassava Leaf Disease Classification",
    category="Image Classification",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=18_000,
    prepare=prepare,
    submission=rows,
    metric=accuracy,
    rounding="python",
    official_sample_score=0.11584,
    faults=(
        Fault("public test_tfrecords are copies of training files, which may hold the labels"),
    ),
)
