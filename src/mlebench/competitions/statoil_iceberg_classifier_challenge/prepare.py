"""A list of labelled JSON objects, split; all public files are inside 7z archives."""

import json
from pathlib import Path
from typing import Any

from mlebench.archives.copying import seven_zip_files
from mlebench.archives.raw import Raw, text_stream
from mlebench.archives.unpacking import unpacked
from mlebench.errors import DataError
from mlebench.tables import Splitting, format_table, split_rows, write_table


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    sorted_by_id: bool = False,
    split: Splitting = split_rows,
) -> None:
    import pandas as pd

    with unpacked(raw / "test.json.7z") as content:
        fields = list(first_object(content / "data" / "processed" / "test.json"))
    with unpacked(raw / "train.json.7z") as content:
        samples = json.loads((content / "data" / "processed" / "train.json").read_bytes())
    train, test = split(samples, test_size=0.2)
    if sorted_by_id:
        test.sort(key=lambda sample: str(sample["id"]))
    answers = pd.DataFrame([{key: s[key] for key in ("id", "is_iceberg")} for s in test])
    sample = answers.assign(is_iceberg=0.5)
    write_table(answers, private / "test.csv")
    write_table(sample, private / "sample_submission.csv")
    unlabelled = [{key: s[key] for key in fields} for s in test]
    for name, text in (
        ("train.json", json.dumps(train)),
        ("test.json", json.dumps(unlabelled)),
        ("sample_submission.csv", format_table(sample)),
    ):
        seven_zip_files({name: text.encode()}, public / f"{name}.7z")


def first_object(file: Raw) -> dict[str, Any]:
    """The first object of a JSON list, without reading the gigabyte that follows."""
    text = ""
    with text_stream(file) as stream:
        while part := stream.read(1 << 20):
            text += part
            try:
                found: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("{"))[0]
            except ValueError:
                continue
            return found
    raise DataError(f"{file.name!r} holds no JSON object")
