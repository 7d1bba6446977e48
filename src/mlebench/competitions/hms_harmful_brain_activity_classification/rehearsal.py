"""Rehearsal data: EEG recordings with expert votes, several rows per recording and spectrogram."""

from mlebench.rehearsal import Files, Making, Random, blob, csv_file, raw_data

NAMES = ["Seizure", "LPD", "GPD", "LRDA", "GRDA", "Other"]
VOTES = [f"{name.lower()}_vote" for name in NAMES]
COLUMNS = (
    "eeg_id,eeg_sub_id,eeg_label_offset_seconds,spectrogram_id,spectrogram_sub_id,"
    "spectrogram_label_offset_seconds,label_id,patient_id,expert_consensus," + ",".join(VOTES)
)


def number(r: Random) -> int:
    return r.randrange(10**5, 2**32)


def parquet_like(r: Random) -> bytes:
    return blob(r, 40, b"PAR1") + b"PAR1"


def votes(r: Random) -> list[object]:
    """The name with the most votes, and the votes."""
    found, top = [0] * 6, r.randrange(6)
    for _ in range(r.choice([1, 3, 3, 7, 13])):
        found[top if r.random() < 0.7 else r.randrange(6)] += 1
    return [NAMES[found.index(max(found))], *found]


@raw_data("eeg")
def make_raw(making: Making) -> Files:
    r = making.r
    patients = [r.randrange(1, 65000) for _ in range(20 * making.scale)]
    groups = []
    for _ in range(52 * making.scale):
        spectrogram, patient, sub = number(r), r.choice(patients), 0
        yield f"train_spectrograms/{spectrogram}.parquet", parquet_like(r)
        for _ in range(r.choice([1, 1, 1, 2, 3])):
            eeg, offset, rows = number(r), 0.0, []
            yield f"train_eegs/{eeg}.parquet", parquet_like(r)
            for k in range(r.choice([1, 1, 2, 3, 5])):
                drawn = votes(r)
                place = [eeg, k, offset, spectrogram, sub, offset + 2 * sub]
                rows.append([*place, number(r), patient, *drawn])
                offset, sub = offset + 2.0 * r.randrange(1, 9), sub + 1
            groups.append(rows)
    r.shuffle(groups)  # recordings of one spectrogram are not adjacent
    yield csv_file("train.csv", COLUMNS, (row for rows in groups for row in rows))
    eeg, spectrogram = number(r), number(r)
    yield f"test_eegs/{eeg}.parquet", parquet_like(r)
    yield f"test_spectrograms/{spectrogram}.parquet", parquet_like(r)
    yield csv_file("test.csv", "spectrogram_id,eeg_id,patient_id", [[spectrogram, eeg, 6885]])
    sample = [[eeg, *[0.166666666666667] * 6]]
    yield csv_file("sample_submission.csv", ["eeg_id", *VOTES], sample)
    for name in ("A-1_idealized-SZ.pdf", "B-2 proto-LPD.pdf"):
        yield f"example_figures/{name}", blob(r, 50, b"%PDF-1.4\n")
