"""Revision v1.1: the twelve classes of the task, and other speakers in the test part."""

from __future__ import annotations

import io
import wave
from collections import Counter
from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.archives.writing import open_output
from mlebench.recipes.hashes import draw, hash_of
from mlebench.revision import Changes, Fix
from mlebench.tables import write_table

NOISE = "_background_noise_"
WORDS = frozenset(["yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"])

Clip = tuple[bytes, str]
"""A recording as WAV and its class."""


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    with unpacked(raw / "train.7z") as content:
        files = (content / "train" / "audio").files("**/*.wav")
        spoken = [file for file in files if file.parent_name != NOISE]
        held_out = draw(map(speaker_of, spoken), 0.1)
        train = [file for file in spoken if speaker_of(file) not in held_out]
        copy_files({f"{f.parent_name}/{f.name}": f for f in train}, public / "train" / "audio")
        test = [rewritten(f) for f in thinned([f for f in spoken if speaker_of(f) in held_out])]
        for file in (file for file in files if file.parent_name == NOISE):
            first_half, clips = cut(file)
            with open_output(public / "train" / "audio" / NOISE / file.name) as stream:
                stream.write(first_half)
            test += [(clip, "silence") for clip in clips]
    test.sort(key=lambda clip: hash_of(clip[0]))
    names = [f"clip_{number:08d}.wav" for number in range(len(test))]
    for name, (sound, _) in zip(names, test, strict=True):
        with open_output(public / "test" / "audio" / name) as stream:
            stream.write(sound)
    answers = pd.DataFrame({"fname": names, "label": [label for _, label in test]})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(label="silence"), public / "sample_submission.csv")


def speaker_of(file: Raw) -> str:
    return file.name.split("_nohash_")[0]


def class_of(file: Raw) -> str:
    return file.parent_name if file.parent_name in WORDS else "unknown"


def thinned(files: list[Raw]) -> list[Raw]:
    """The clips of the ten words, and as many of all other words as one of the ten has on
    average; those with the lowest hashes."""
    known = [file for file in files if class_of(file) != "unknown"]
    count = Counter(map(class_of, known))
    others = [file for file in files if class_of(file) == "unknown"]
    others.sort(key=lambda file: hash_of("unknown", file.parent_name, file.name))
    return known + others[: max(1, round(len(known) / max(1, len(count))))]


def rewritten(file: Raw) -> Clip:
    """The clip with the same kind of header as those that are cut from noise."""
    with file.open() as stream, wave.open(stream) as sound:
        frames = sound.readframes(sound.getnframes())
        return as_wav(sound, frames), class_of(file)


def cut(file: Raw) -> tuple[bytes, list[bytes]]:
    """The first half of a recording, for train, and the second in clips of one second.

    A half shorter than a second is one clip.
    """
    with file.open() as stream, wave.open(stream) as sound:
        middle = sound.getnframes() // 2
        first_half = as_wav(sound, sound.readframes(middle))
        second, rest = sound.getframerate(), sound.getnframes() - middle
        clips = [
            as_wav(sound, sound.readframes(min(second, rest)))
            for _ in range(max(1, rest // second))
        ]
    return first_half, clips


def as_wav(like: wave.Wave_read, frames: bytes) -> bytes:
    """A WAV of these frames with the rate and width of another."""
    out = io.BytesIO()
    with wave.open(out, "wb") as sound:
        sound.setnchannels(like.getnchannels())
        sound.setsampwidth(like.getsampwidth())
        sound.setframerate(like.getframerate())
        sound.writeframes(frames)
    return out.getvalue()


changes = Changes(
    fixes=(
        Fix(
            "labels are the 31 folder names, so silence and unknown never occur",
            "labels are the twelve classes: silence is cut from the second halves of the"
            " recordings of noise, and unknown words are as frequent as a known one",
            "#63",
        ),
        Fix(
            "clips are numbered as a public seed shuffles a list that is sorted by word, so a"
            " number tells the word",
            "clips are numbered in the order of the hashes of their bytes",
        ),
        Fix(
            "speakers of the test clips are in train", "speakers are drawn by the hash of their id"
        ),
    ),
    comparability="new",
    prepare=prepare,
    passages={
        "WAV files in one folder per label |": "WAV files in one folder per word, and noise |",
        "sorted into a folder for each label |": "sorted into a folder for each word, and noise |",
        "about 6,500 WAV files": "a few thousand WAV files",
        "`fname` and `label` for each test clip; the label is a placeholder |": (
            "`fname` and `label` for each test clip, always `silence` |"
        ),
        "the folder is the label. The labels are the 31 folder names:": (
            "the folder tells the word.\n"
            "\n"
            "There are twelve labels: the ten commands, `unknown` for any other word, and"
            " `silence` for noise. The folders of train:"
        ),
        "Labels exist only as folder names. There are 31 labels:": (
            "The words are given by the folders only.\n"
            "\n"
            "There are twelve labels: the ten commands of the first folders below, `unknown`"
            " for any other word, and `silence` for noise. The folders of train:"
        ),
        "six recordings of noise of about a minute each (washing up, a cat, an exercise bike,"
        " a running tap, white and pink noise); some of them may be missing in train": (
            "the first halves of six recordings of noise of about a minute each (washing up,"
            " a cat, an exercise bike, a running tap, white and pink noise); the `silence`"
            " clips are cut from the second halves"
        ),
        "a handful of recordings of noise that last about a minute each; not all of them need"
        " be in the training part": (
            "the first halves of a handful of recordings of noise that last about a minute"
            " each; the `silence` clips are cut from the second halves"
        ),
        **dict.fromkeys(
            (
                "Ten per cent of all files, drawn at random, are the test clips; their names"
                " tell nothing.",
                "One file in ten, drawn at random, is a test clip and was given a neutral name.",
            ),
            "A tenth of the speakers, drawn by their id, spoke the test clips; none of them"
            " is in train. Among these clips the other words together are about as frequent"
            " as one of the ten commands, and file names tell nothing.",
        ),
        "clip_00000000.wav,seven": "clip_00000000.wav,unknown",
        "clip_00000002.wav,marvin": "clip_00000002.wav,silence",
        "**The expected label is the name of the folder that the clip was taken from.** … for"
        " a long recording of noise. Labels": "Answer with one of the twelve labels. Labels",
        "The right answer is always the name of the folder … as a placeholder and scores 0.": (
            "Answer with one of the twelve labels."
        ),
        "; a clip of a minute can only be noise.": ".",
        **dict.fromkeys(
            (
                "- When you validate, decide whether … on both sides.",
                "- Decide consciously whether one speaker may be in both parts of your"
                " validation split.",
            ),
            "- Validate with speakers that are not in your training part, as in the test.",
        ),
    },
)
