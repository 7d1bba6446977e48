"""Rehearsal data: one-word recordings in a 7z file, a folder per word; names repeat in them."""

from mlebench.rehearsal import Files, Making, csv_file, hex_id, raw_data, seven_zip_bytes, wav

WORDS = (
    "bed bird cat dog down eight five four go happy house left marvin nine no off on one right "
    "seven sheila six stop three tree two up wow yes zero"
).split()
NOISE = "doing_the_dishes dude_miaowing exercise_bike pink_noise running_tap white_noise".split()
EXTRAS = ["LICENSE", "README.md", "testing_list.txt", "validation_list.txt"]


def recordings(making: Making) -> Files:
    r = making.r
    speakers = [hex_id(r, 8) for _ in range(25 * making.scale)]
    for name in NOISE:
        yield f"audio/_background_noise_/{name}.wav", wav(r, 0.004)
    yield "audio/_background_noise_/README.md", b"noise\n"
    for word in WORDS:
        for speaker in r.sample(speakers, r.randrange(4, 9) * making.scale):
            for number in range(r.choice([1, 1, 1, 2])):
                yield f"audio/{word}/{speaker}_nohash_{number}.wav", wav(r, 0.002)
    for name in EXTRAS:
        yield name, f"{name}\n".encode()


@raw_data("clips")
def make_raw(making: Making) -> Files:
    r = making.r
    train = ((f"train/{name}", content) for name, content in recordings(making))
    yield "train.7z", seven_zip_bytes(train)
    test = [f"clip_{hex_id(r, 9)}.wav" for _ in range(5)]
    yield "test.7z", seven_zip_bytes((f"test/audio/{name}", wav(r, 0.002)) for name in test)
    table = csv_file("sample_submission.csv", "fname,label", ((name, "silence") for name in test))
    yield "sample_submission.7z", seven_zip_bytes([table])
    yield "link_to_gcp_credits_form.txt", b"https://example.com\n"
