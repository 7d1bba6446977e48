"""Rehearsal data: EEG recordings with expert votes, several rows per recording and spectrogram."""

from mlebench.rehearsal import Blob, FilePerId, Making, Parts, Random, Whole, csv_file, raw_data

NAMES = ["Seizure", "LPD", "GPD", "LRDA", "GRDA", "Other"]
VOTES = [f"{name.lower()}_vote" for name in NAMES]
COLUMNS = (
    "eeg_id,eeg_sub_id,eeg_label_offset_seconds,spectrogram_id,spectrogram_sub_id,"
    "spectrogram_label_offset_seconds,label_id,patient_id,expert_consensus," + ",".join(VOTES)
)
FIGURES = ["A-1_idealized-SZ.pdf", "B-2 proto-LPD.pdf"]
NUMBER = Whole(10**5, 2**32)
PARQUET = Blob(40, b"PAR1", b"PAR1")


def votes(r: Random) -> list[object]:
    """The name with the most votes, and the votes."""
    found, top = [0] * 6, r.randrange(6)
    for _ in range(r.choice([1, 3, 3, 7, 13])):
        found[top if r.random() < 0.7 else r.randrange(6)] += 1
    return [NAMES[found.index(max(found))], *found]


@raw_data("eeg")
def make_raw(making: Making) -> Parts:
    r, groups = making.r, []
    patients = [r.randrange(1, 65000) for _ in range(20 * making.scale)]
    for _ in range(52 * making.scale):
        spectrogram, patient, sub = NUMBER(r), r.choice(patients), 0
        yield f"train_spectrograms/{spectrogram}.parquet", PARQUET(r)
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            eeg, offset, rows = NUMBER(r), 0.0, []
            yield f"train_eegs/{eeg}.parquet", PARQUET(r)
            for k in range(r.choice([1, 1, 2, 3, 5])):
                drawn = votes(r)
                place = [eeg, k, offset, spectrogram, sub, offset + 2 * sub]
                rows.append([*place, NUMBER(r), patient, *drawn])
                offset, sub = offset + 2.0 * r.randrange(1, 9), sub + 1
            groups.append(rows)
    r.shuffle(groups)  # recordings of one spectrogram are not adjacent
    yield csv_file("train.csv", COLUMNS, (row for rows in groups for row in rows))
    eeg, spectrogram = NUMBER(r), NUMBER(r)
    yield f"test_eegs/{eeg}.parquet", PARQUET(r)
    yield f"test_spectrograms/{spectrogram}.parquet", PARQUET(r)
    yield csv_file("test.csv", "spectrogram_id,eeg_id,patient_id", [[spectrogram, eeg, 6885]])
    sample = [[eeg, *[0.166666666666667] * 6]]
    yield csv_file("sample_submission.csv", ["eeg_id", *VOTES], sample)
    yield FilePerId("example_figures/{}", FIGURES, Blob(50, b"%PDF-1.4\n"))
