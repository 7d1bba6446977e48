"""Rehearsal data. EEG recordings with expert votes: several rows per recording, several recordings per spectrogram."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import blob, rng, write_bytes, write_csv

VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"]


NAMES = ["Seizure", "LPD", "GPD", "LRDA", "GRDA", "Other"]


COLUMNS = [
    "eeg_id",
    "eeg_sub_id",
    "eeg_label_offset_seconds",
    "spectrogram_id",
    "spectrogram_sub_id",
    "spectrogram_label_offset_seconds",
    "label_id",
    "patient_id",
    "expert_consensus",
    *VOTES,
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "eeg")
    parquet = lambda path: write_bytes(path, blob(r, 40, b"PAR1") + b"PAR1")
    big = lambda: r.randrange(10**5, 2**32)
    patients = [r.randrange(1, 65000) for _ in range(20 * scale)]
    groups = []
    for _ in range(52 * scale):
        spectrogram, patient, sub = big(), r.choice(patients), 0
        parquet(raw / "train_spectrograms" / f"{spectrogram}.parquet")
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            eeg, offset, rows = big(), 0.0, []
            parquet(raw / "train_eegs" / f"{eeg}.parquet")
            for k in range(r.choice([1, 1, 2, 3, 5])):
                votes = [0] * 6
                top = r.randrange(6)
                for _ in range(r.choice([1, 3, 3, 7, 13])):
                    votes[top if r.random() < 0.7 else r.randrange(6)] += 1
                rows.append(
                    [
                        eeg,
                        k,
                        offset,
                        spectrogram,
                        sub,
                        offset + 2 * sub,
                        big(),
                        patient,
                        NAMES[votes.index(max(votes))],
                        *votes,
                    ]
                )
                offset, sub = offset + 2.0 * r.randrange(1, 9), sub + 1
            groups.append(rows)
    r.shuffle(groups)  # recordings of one spectrogram are not adjacent
    write_csv(raw / "train.csv", COLUMNS, (row for rows in groups for row in rows))
    eeg, spectrogram = big(), big()
    parquet(raw / "test_eegs" / f"{eeg}.parquet")
    parquet(raw / "test_spectrograms" / f"{spectrogram}.parquet")
    write_csv(
        raw / "test.csv", ["spectrogram_id", "eeg_id", "patient_id"], [[spectrogram, eeg, 6885]]
    )
    write_csv(raw / "sample_submission.csv", ["eeg_id", *VOTES], [[eeg] + [0.166666666666667] * 6])
    for name in ("A-1_idealized-SZ.pdf", "B-2 proto-LPD.pdf"):
        write_bytes(raw / "example_figures" / name, blob(r, 50, b"%PDF-1.4\n"))
