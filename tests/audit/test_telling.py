"""Fields that tell the labels are found wherever they are; fields of noise are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mlebench.audit.statistics import separation
from tests.audit.planted import LABEL, NOISE, build, checked, images

EACH = "(public / 'test').mkdir(); [WRITE for n, v in zip(test['id'], VALUES)]"
FILES = {
    "a second file of an item": EACH.replace(
        "WRITE",
        "((public / 'test' / f'{n}.bmp').write_bytes(b'BM'),"
        " (public / 'test' / f'{n}.json').write_text('{\"a\": {\"b\": %d}}' % v))",
    ),
    "words of a line": EACH.replace(
        "WRITE", "(public / 'test' / f'{n}.txt').write_text(f'{v} 0.5 0.25')"
    ),
    "an XML element": EACH.replace(
        "WRITE", "(public / 'test' / f'{n}.xml').write_text(f'<a><b><name>k{v}</name></b></a>')"
    ),
    "another name of the id": "pd.DataFrame({'file': [f'{n}.jpg' for n in test['id']],"
    " 'kind': VALUES.to_numpy()}).to_json(public / 'list.json', orient='records')",
    "a compressed table": "pd.DataFrame({'number': test['id'].to_numpy(),"
    " 'kind': VALUES.to_numpy()}).to_csv(public / 'list.csv.gz', index=False)",
    "objects by id": "pd.DataFrame({'kind': VALUES.to_numpy()}, index=test['id'])"
    ".to_json(public / 'list.json', orient='index')",
    "arrays of numpy": "np.savez(public / 'list.npz', number=test['id'].to_numpy(),"
    " kind=VALUES.to_numpy())",
    "a table of all rows": "everything = pd.concat([train.assign(kind=train['label']),"
    " test.assign(kind=VALUES)]); everything[['id', 'kind']].to_csv(public / 'all.csv')",
}


def metadata_status(folder: Path, **changes: str) -> str:
    return checked(build(folder, 2, **changes))["metadata"].status


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    for values, status in ((LABEL, "fail"), (NOISE, "pass")):
        files = FILES[name].replace("VALUES", values)
        assert metadata_status(tmp_path / status, files=files) == status


@pytest.mark.parametrize(("value", "status"), [("label", "fail"), ("noise", "pass")])
def test_part_of_the_id(value: str, status: str, tmp_path: Path) -> None:
    parts = "table['id'].astype(str) + '-' + (3 * {} + r.integers(0, 3, ROWS)).astype(str)"
    chosen = {"label": "table['label']", "noise": "pd.Series(r.integers(0, 2, ROWS))"}[value]
    assert metadata_status(tmp_path, before=f"table['id'] = {parts.format(chosen)}") == status


def test_times_of_archive_members(tmp_path: Path) -> None:
    write = (
        "import zipfile; archive = zipfile.ZipFile(public / 'test.zip', 'w');"
        " [archive.writestr(zipfile.ZipInfo(f'{n}.bin', (2020, 1, 1 + day, 3, n % 60, 0)), str(n))"
        " for n, day in zip(test['id'], DAYS)]; archive.close()"
    )
    for days, status in ((LABEL, "fail"), (NOISE, "pass")):
        located = build(tmp_path / status, 2, files=write.replace("DAYS", days))
        assert checked(located)["order"].status == status


def test_separation_of_a_middle_class() -> None:
    """Numbers of classes tell all three; so do unique texts that begin with the class."""
    labels = np.repeat(["a", "b", "c"], 40)
    numbers = np.repeat([1, 2, 3], 40)
    draw = np.random.default_rng(0)
    texts = np.array([f"{k}{draw.integers(1e9)}" for k in numbers])
    assert separation(numbers, labels) > 0.95
    assert separation(texts, labels) > 0.95
    assert separation(draw.permutation(texts), labels) < 0.7
    assert separation(draw.permutation(numbers), labels) < 0.7


DRAWINGS = """y, x = np.mgrid[:28, :28]
    for part, rows_of in (("train", train), ("test", test)):
        for name in rows_of["id"]:
            pixels = np.zeros((28, 28))
            corners = np.array([[7, 7], [6, 21], [14, 12], [21, 20]]) + r.normal(0, 2, (4, 2))
            for share in np.linspace(0, 2.99, 60):
                start = corners[int(share)]
                spot = start + share % 1 * (corners[int(share) + 1] - start)
                pixels += 90 * np.exp(-((y - spot[0]) ** 2 + (x - spot[1]) ** 2) / 2)
            picture = Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
            picture.save(public / part / f"{name}.png")"""


def test_drawings_on_one_background_are_no_duplicates(tmp_path: Path) -> None:
    """Strokes of different lengths and places in a black picture: most have equal hashes."""
    located = build(tmp_path, 0, **images(more=DRAWINGS))
    assert checked(located)["duplicates"].status == "pass"


def test_equal_rows_of_few_values_are_no_duplicates(tmp_path: Path) -> None:
    """Two ages: by chance some of 100 rows are equal to one of 300 rows."""
    ages = "table['signal'], table['other'] = r.integers(0, 90, (2, ROWS))"
    located = build(tmp_path, 1, before=ages)
    assert checked(located)["duplicates"].status == "pass"
