"""Photographs in one huge tar, split species by species and written to two new ones."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.archives.write_log import published
from mlebench.archives.writing import CONSTANT_TIME, open_output
from mlebench.recipes.coco import Pair, split_by_category, with_pairs, without_labels, write_json
from mlebench.tables import write_table

TRAIN, TEST = "train_val2019", "test2019"
SAMPLE_VALUE = 654


def prepare(raw: Raw, public: Path, private: Path) -> None:
    metadata = json.loads((raw / "train2019.json").read_bytes())
    train, test = split_by_category(metadata, test_size=0.12)
    write_json(with_pairs(metadata, train), public / "train2019.json")
    test_images = [{**i, "file_name": f"{TEST}/{base_name(i['file_name'])}"} for _, i in test]
    write_json(without_labels(metadata, test_images), public / "test2019.json")
    copy_file(raw / "val2019.json", public / "val2019.json")
    write_answers(test, public, private)
    with images(raw) as content:
        # Members lack the top folder, and files called .tar.gz are plain tar, as published.
        names = [image["file_name"] for _, image in train]
        tar_files(members(names, content), public / f"{TRAIN}.tar.gz")
        names = [image["file_name"] for _, image in test]
        tar_files({base_name(name): content / name for name in names}, public / f"{TEST}.tar.gz")


def write_answers(test: list[Pair], public: Path, private: Path) -> None:
    """Image ids and classes in the order of the test part."""
    import pandas as pd

    ids = [image["id"] for _, image in test]
    classes = [annotation["category_id"] for annotation, _ in test]
    answers = pd.DataFrame({"id": ids, "predicted": classes})
    write_table(answers, private / "answers.csv")
    sample = answers.assign(predicted=SAMPLE_VALUE)
    write_table(sample, public / "kaggle_sample_submission.csv")


@contextmanager
def images(raw: Raw) -> Iterator[Raw]:
    """Where the images are: in the archive, or in a folder to which it was unpacked."""
    if (raw / TRAIN).is_dir():
        yield raw
    else:
        with unpacked(raw / f"{TRAIN}.tar.gz") as content:
            yield content


def members(names: Iterable[str], content: Raw) -> dict[str, Raw]:
    """Images of train or validation by their names in an archive, which lack the top folder."""
    return {name.removeprefix(f"{TRAIN}/"): content / name for name in names}


def tar_files(files: Mapping[str, Raw], target: Path) -> None:
    """Write a plain tar with members sorted by public name; the source is sorted by class."""
    with open_output(target) as goal, tarfile.open(fileobj=goal, mode="w|") as archive:
        for name in sorted(files):
            data = published(target, name, files[name].read_bytes())
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(data), CONSTANT_TIME
            archive.addfile(member, io.BytesIO(data))


def base_name(path: str) -> str:
    return PurePosixPath(path).name
