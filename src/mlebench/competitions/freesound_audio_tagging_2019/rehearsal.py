"""Rehearsal data: audio clips with 80 tags.

The test labels come in a second archive, FSDKaggle2019.meta.zip, that the original downloads from
Zenodo. Here it is part of the raw data, so that no network is needed.
"""

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, raw_data, wav, zip_bytes

CLASSES = """
    Accelerating_and_revving_and_vroom Accordion Acoustic_guitar Applause Bark Bass_drum Bass_guitar
    Bathtub_(filling_or_washing) Bicycle_bell Burping_and_eructation Bus Buzz Car_passing_by
    Cheering Chewing_and_mastication Child_speech_and_kid_speaking Chink_and_clink Chirp_and_tweet
    Church_bell Clapping Computer_keyboard Crackle Cricket Crowd Cupboard_open_or_close
    Cutlery_and_silverware Dishes_and_pots_and_pans Drawer_open_or_close Drip Electric_guitar Fart
    Female_singing Female_speech_and_woman_speaking Fill_(with_liquid) Finger_snapping Frying_(food)
    Gasp Glockenspiel Gong Gurgling Harmonica Hi-hat Hiss Keys_jangling Knock Male_singing
    Male_speech_and_man_speaking Marimba_and_xylophone Mechanical_fan Meow Microwave_oven Motorcycle
    Printer Purr Race_car_and_auto_racing Raindrop Run Scissors Screaming Shatter Sigh
    Sink_(filling_or_washing) Skateboard Slam Sneeze Squeak Stream Strum Tap Tick-tock Toilet_flush
    Traffic_noise_and_roadway_noise Trickle_and_dribble Walk_and_footsteps Water_tap_and_faucet
    Waves_and_surf Whispering Writing Yell Zipper_(clothing)
""".split()
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
