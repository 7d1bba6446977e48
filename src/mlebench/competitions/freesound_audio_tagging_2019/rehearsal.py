"""Rehearsal data: audio clips with 80 tags.

The test labels come in a second archive, FSDKaggle2019.meta.zip, that the original downloads from
Zenodo. Here it is part of the raw data, so that no network is needed.
"""

from mlebench.competitions.freesound_audio_tagging_2019 import prepare
from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, raw_data, wav, zip_bytes

CLASSES = list(prepare.CLASSES)
LICENSE = "http://creativecommons.org/licenses/by/3.0/"


def labelled(r: Random) -> list[str]:
    """A file name and one to six tags."""
    name = f"{hex_id(r, 8)}.wav"
    return [name, ",".join(r.sample(CLASSES, r.choice([1, 1, 1, 1, 2, 2, 3, 6])))]


@raw_data("rows")
def make_raw(making: Making) -> Files:
    r, scale = making.r, making.scale
    for subset, count in (("curated", 25 * scale), ("noisy", 35 * scale)):
        rows = sorted(labelled(r) for _ in range(count))
        yield csv_file(f"train_{subset}.csv", "fname,labels", rows)
        for name, _ in rows:
            yield f"train_{subset}/{name}", wav(r, 0.002, 44100)
    test = [
        [*labelled(r), "Private" if i % 4 else "Public", r.randrange(1000, 400_000), LICENSE]
        for i in range(60 * scale)
    ]
    private = sorted(str(row[0]) for row in test if row[2] == "Private")
    sample = ([name, *[0] * len(CLASSES)] for name in private)
    yield csv_file("sample_submission.csv", ["fname", *CLASSES], sample)
    for name in private:
        yield f"test/{name}", wav(r, 0.002, 44100)
    header = "fname,labels,usage,freesound_id,license"
    meta = [
        ("", b""),
        csv_file("test_post_competition.csv", header, test),
        ("train_curated_post_competition.csv", b"fname,labels,freesound_id,license\n"),
        ("vocabulary.csv", b"\n"),
    ]
    members = ((f"FSDKaggle2019.meta/{name}", content) for name, content in meta)
    yield "FSDKaggle2019.meta.zip", zip_bytes(members)
