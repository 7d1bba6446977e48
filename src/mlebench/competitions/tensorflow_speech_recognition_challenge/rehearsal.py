"""Rehearsal data: one-word recordings in a 7z file, a folder per word; names repeat in them."""

from mlebench.rehearsal import FilePerId, HexId, Ids, Making, Parts, RawData, SevenZip, Table, Wav
from mlebench.rehearsal.draws import hex_id

WORDS = (
    "bed bird cat dog down eight five four go happy house left marvin nine no off on one right "
    "seven sheila six stop three tree two up wow yes zero"
).split()
NOISE = "doing_the_dishes dude_miaowing exercise_bike pink_noise running_tap white_noise".split()
EXTRAS = ["LICENSE", "README.md", "testing_list.txt", "validation_list.txt"]
CLIP = Wav(0.002)

test = Ids(HexId(9, "clip_{}.wav"), fixed=5, is_sorted=False)
sample = Table("sample_submission.csv", {"fname": test, "label": "silence"})


def recordings(making: Making) -> Parts:
    r, noise = making.r, "train/audio/_background_noise_/"
    speakers = [hex_id(r, 8) for _ in range(25 * making.scale)]
    yield FilePerId(noise + "{}.wav", NOISE, Wav(0.004))
    yield noise + "README.md", b"noise\n"
    for word in WORDS:
        for speaker in r.sample(speakers, r.randrange(4, 9) * making.scale):
            for number in range(r.choice([1, 1, 1, 2])):
                yield f"train/audio/{word}/{speaker}_nohash_{number}.wav", CLIP(r)
    for name in EXTRAS:
        yield f"train/{name}", f"{name}\n".encode()


make_raw = RawData(
    "clips",
    SevenZip("train.7z", recordings),
    test,
    SevenZip("test.7z", FilePerId("test/audio/{}", test, CLIP)),
    SevenZip("sample_submission.7z", sample),
    ("link_to_gcp_credits_form.txt", b"https://example.com\n"),
)
