"""TensorFlow Speech Recognition Challenge: the word spoken in a clip of one second."""

from pathlib import Path

from mlebench.archives.copying import copy_files
from mlebench.archives.raw import Raw
from mlebench.archives.unpacking import unpacked
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.class_labels import never_equal
from mlebench.formats.values import texts_without_gaps
from mlebench.metrics import accuracy
from mlebench.tables import split_rows, write_table


def prepare(raw: Raw, public: Path, private: Path) -> None:
    import pandas as pd

    with unpacked(raw / "train.7z") as content:
        clips = (content / "train" / "audio").files("**/*.wav")
        clips.sort(key=lambda clip: f"{clip.parent_name}_{clip.name}")
        train, test = split_rows(clips, test_size=0.1)
        copy_files({f"{c.parent_name}/{c.name}": c for c in train}, public / "train" / "audio")
        names = [f"clip_{number:08d}.wav" for number in range(len(test))]
        copy_files(dict(zip(names, test, strict=True)), public / "test" / "audio")
    answers = pd.DataFrame({"fname": names, "label": [clip.parent_name for clip in test]})
    write_table(answers, private / "test.csv")
    write_table(answers.assign(label="silence"), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="tensorflow-speech-recognition-challenge",
    title="TensorFlow Speech Recognition Challenge",
    category="Audio Classification",
    complexity="medium",
    awards_medals=True,
    prize_usd=25_000,
    prepare=prepare,
    submission=TextPerId(
        id="fname", target="label", values=texts_without_gaps, odd_values=never_equal
    ),
    metric=accuracy,
    rounding="python",
    official_sample_score=0.0,
    faults=(
        Fault(
            "test labels are the 31 raw folder names instead of the 12 classes of the task",
            issue="#63",
        ),
        Fault("speakers of the test clips also occur in train"),
        Fault("recordings of noise, which are needed to learn silence, may be in the test part"),
        Fault("the lists of files for validation and testing are dropped"),
    ),
)
