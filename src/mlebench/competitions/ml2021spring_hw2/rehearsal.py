"""Rehearsal data: frames of speech with 11 x 39 features each, 39 phoneme classes as text."""

from mlebench.rehearsal import Making, Parts, Table, npy, raw_data

FOLDER = "timit_11/timit_11"


@raw_data("frames")
def make_raw(making: Making) -> Parts:
    import numpy as np

    r, train, test = making.r, 150 * making.scale, 55 * making.scale

    def frames(count: int) -> bytes:
        rows = [[r.uniform(-3, 3) for _ in range(429)] for _ in range(count)]
        return npy(np.array(rows, dtype=np.float32))

    yield f"{FOLDER}/train_11.npy", frames(train)
    labels = [str(36 if r.random() < 0.2 else r.randrange(39)) for _ in range(train)]
    yield f"{FOLDER}/train_label_11.npy", npy(np.array(labels, dtype="<U2"))
    yield f"{FOLDER}/test_11.npy", frames(test)
    yield Table("sampleSubmission.csv", {"Id": list(range(test)), "Class": 0})
