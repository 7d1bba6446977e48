"""Cassava Leaf Disease Classification: the disease of a cassava plant from a photograph."""

from pathlib import Path

from mlebench.archives.copying import copy_file, copy_files
from mlebench.archives.raw import Raw
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.formats.class_labels import never_equal, whole_numbers
from mlebench.metrics import accuracy
from mlebench.recipes import Files, LabelSplit
from mlebench.recipes.tfrecord import read_feature, read_records
from mlebench.tables import read_table, split_rows

NAMES = "label_num_to_disease_map.json"
rows = RowPerId(id="image_id", target="label", values=whole_numbers, odd_values=never_equal)
tables = LabelSplit(rows, sample_value=4)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    shards = (raw / "train_tfrecords").files("*.tfrec")
    train_shards, test_shards = split_rows(shards, test_size=0.1)
    for part, shards in (("train", train_shards), ("test", test_shards)):
        names = [f"ld_{part}{k:02d}-{s.stem.split('-')[1]}.tfrec" for k, s in enumerate(shards)]
        copy_files(dict(zip(names, shards, strict=True)), public / f"{part}_tfrecords")
    records = (record for shard in test_shards for record in read_records(shard))
    test_ids = {read_feature(record, "image_name").decode() for record in records}
    table = read_table(raw / "train.csv")
    is_test = table["image_id"].isin(test_ids)
    parts = table[~is_test], table[is_test]
    tables.write(parts, public, private)
    copy_file(raw / NAMES, public / NAMES)
    Files("train_images/{}", rows.id)(raw, parts, public)


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
