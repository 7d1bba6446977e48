"""Rehearsal data: audio clips with 80 tags.

The test labels come in a second archive, FSDKaggle2019.meta.zip, that the original downloads from
Zenodo. Here it is part of the raw data, so that no network is needed.
"""

from mlebench.competitions.freesound_audio_tagging_2019.prepare import CLASSES
from mlebench.rehearsal import FilePerId, Making, Parts, Random, Table, Wav, Zip, hex_id, raw_data
from mlebench.rehearsal.content import csv_file

CLIP = Wav(0.002, 44100)
META = "FSDKaggle2019.meta"
LICENSE = "http://creativecommons.org/licenses/by/3.0/"


def labelled(r: Random) -> list[str]:
    """A file name and one to six tags."""
    name = f"{hex_id(r, 8)}.wav"
    return [name, ",".join(r.sample(CLASSES, r.choice([1, 1, 1, 1, 2, 2, 3, 6])))]


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r = making.r
    for subset, count in (("curated", 25), ("noisy", 35)):
        name = f"train_{subset}"
        train = Table(f"{name}.csv", {"fname,labels": labelled}, count, sorted_by="fname")
        yield train
        yield FilePerId(name + "/{}", train["fname"], CLIP)
    test = [
        [*labelled(r), "Private" if i % 4 else "Public", r.randrange(1000, 400_000), LICENSE]
        for i in range(60 * making.scale)
    ]
    private = sorted(row[0] for row in test if row[2] == "Private")
    yield Table("sample_submission.csv", {"fname": private, ",".join(CLASSES): (0,) * len(CLASSES)})
    yield FilePerId("test/{}", private, CLIP)
    header = "fname,labels,usage,freesound_id,license"
    yield Zip(
        f"{META}.zip",
        (f"{META}/", b""),
        csv_file(f"{META}/test_post_competition.csv", header, test),
        (f"{META}/train_curated_post_competition.csv", b"fname,labels,freesound_id,license\n"),
        (f"{META}/vocabulary.csv", b"\n"),
    )
