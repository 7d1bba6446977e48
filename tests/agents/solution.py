"""A solution for small tables, without scikit-learn; the scripted model returns it.

It is constant, or it looks at the nearest training rows.
"""

from pathlib import Path

import numpy as np
import pandas as pd

WAY = "constant"
WORD = "HELDOUT_SCORE"
DATA = Path("/home/data")
OUT = Path("submission.csv")

sample = pd.read_csv(DATA / "sample_submission.csv")
train, test = pd.read_csv(DATA / "train.csv"), pd.read_csv(DATA / "test.csv")
key, wanted = sample.columns[0], list(sample.columns[1:])
test = test.set_index(key).loc[sample[key]].reset_index()
target = next(name for name in train.columns if name not in test.columns)
classes = wanted if len(wanted) > 1 else sorted(train[target].unique())
labels = train[target].map({name: i for i, name in enumerate(classes)}).to_numpy()
both = pd.concat([train, test])
features = [name for name in test.columns if name != key]
numbers = [name for name in features if pd.api.types.is_numeric_dtype(both[name])]
words = [name for name in features if name not in numbers and both[name].nunique() < 20]
table = pd.get_dummies(both[numbers + words], columns=words, dtype=float).fillna(0).to_numpy(float)
table = (table - table.mean(0)) / (table.std(0) + 1e-9)
known, unknown = table[: len(train)], table[len(train) :]


def predict(x: np.ndarray, y: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A probability of each class for each row."""
    even = np.full(len(classes), 1 / len(classes))
    if WAY == "constant":
        return np.tile(even, (len(rows), 1))
    found = []
    for row in rows:
        near = np.argsort(((x - row) ** 2).sum(1))[:7]
        found.append(np.bincount(y[near], minlength=len(classes)) + even)
    return np.array(found) / np.sum(found, axis=1, keepdims=True)


held = np.arange(len(labels)) % 5 == 0
guess = predict(known[~held], labels[~held], known[held])
if len(wanted) > 1:
    score = -np.log(np.clip(guess[np.arange(held.sum()), labels[held]], 1e-15, 1)).mean()
else:
    score = (guess.argmax(1) == labels[held]).mean()
print(f"{WORD}: {score:.6f}")
final = predict(known, labels, unknown)
if len(wanted) > 1:
    sample[wanted] = final
else:
    sample[wanted[0]] = np.array(classes)[final.argmax(1)]
OUT.parent.mkdir(exist_ok=True)
sample.to_csv(OUT, index=False)
