"""Rehearsal data. Comments with shares of raters per attribute; identities are labelled for some comments only."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, words, write_csv

SUBTYPES = ["severe_toxicity", "obscene", "sexual_explicit", "identity_attack", "insult", "threat"]


IDENTITIES = [
    "male",
    "female",
    "transgender",
    "other_gender",
    "heterosexual",
    "homosexual_gay_or_lesbian",
    "bisexual",
    "other_sexual_orientation",
    "christian",
    "jewish",
    "muslim",
    "hindu",
    "buddhist",
    "atheist",
    "other_religion",
    "black",
    "white",
    "asian",
    "latino",
    "other_race_or_ethnicity",
    "physical_disability",
    "intellectual_or_learning_disability",
    "psychiatric_or_mental_illness",
    "other_disability",
]


SCORED = [
    "male",
    "female",
    "homosexual_gay_or_lesbian",
    "christian",
    "jewish",
    "muslim",
    "black",
    "white",
    "psychiatric_or_mental_illness",
]


META = [
    "created_date",
    "publication_id",
    "parent_id",
    "article_id",
    "rating",
    "funny",
    "wow",
    "sad",
    "likes",
    "disagree",
]


EXPANDED = [
    "id",
    "comment_text",
    *META,
    "toxicity",
    *SUBTYPES,
    *IDENTITIES,
    "identity_annotator_count",
    "toxicity_annotator_count",
]


TRAIN = [
    "id",
    "target",
    "comment_text",
    "severe_toxicity",
    "obscene",
    "identity_attack",
    "insult",
    "threat",
    *sorted(IDENTITIES),
    "created_date",
    "publication_id",
    "parent_id",
    "article_id",
    "rating",
    "funny",
    "wow",
    "sad",
    "likes",
    "disagree",
    "sexual_explicit",
    "identity_annotator_count",
    "toxicity_annotator_count",
]


def comment(r) -> str:
    text = words(r, r.randrange(4, 18))
    kind = r.random()
    if kind < 0.15:
        return f'{text}, "{words(r, 2)}" — naïve café'
    if kind < 0.25:
        return f"{text}\n\n{words(r, 3)}"
    if kind < 0.3:
        return f"{text}\r\n{words(r, 3)}"
    if kind < 0.33:
        return f"  {text} "
    if kind < 0.35:
        return r.choice(["null", "N/A", "None", "12345", "😀"])
    return text


def record(r, number: int, force=None) -> dict:
    toxicity = r.choice(
        [0.0, 0.0, 0.0, 0.0, 0.16666666666666666, 0.2, 0.4, 0.49, 0.5, 0.5, 0.6, 0.8, 0.893617, 1.0]
    )
    row = {"id": number, "comment_text": comment(r), "toxicity": toxicity}
    row |= {k: r.choice([0.0, 0.0, 0.0, 0.1, 0.3]) for k in SUBTYPES}
    labelled = r.random() < 0.7
    row |= {k: r.choice([0.0, 0.0, 0.0, 0.25, 0.5, 1.0]) if labelled else "" for k in IDENTITIES}
    if force:
        identity, row["toxicity"] = force
        row[identity] = 0.5
    row |= {
        "created_date": f"2017-{r.randrange(1, 12):02d}-03 19:29:08.640{r.randrange(100, 999)}+00",
        "publication_id": r.randrange(100),
        "parent_id": "" if r.random() < 0.5 else f"{r.randrange(5_000_000)}.0",
        "article_id": r.randrange(300_000, 400_000),
        "rating": r.choice(["approved", "rejected"]),
        "funny": r.randrange(3),
        "wow": 0,
        "sad": 0,
        "likes": r.randrange(9),
        "disagree": r.randrange(3),
        "identity_annotator_count": 10 if labelled else 0,
        "toxicity_annotator_count": r.choice([4, 10]),
    }
    return row | {"target": row["toxicity"]}


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    train = [record(r, 59848 + i) for i in range(60 * scale)]
    write_csv(raw / "train.csv", TRAIN, ([row[k] for k in TRAIN] for row in train))
    # every scored identity occurs with toxic and with clean comments
    forced = [(k, t) for k in SCORED for t in (0.0, 0.4, 0.5, 1.0)]
    numbers = r.sample(range(7_000_000, 7_200_000), 160 * scale + len(forced))
    private = [record(r, n, forced[i] if i < len(forced) else None) for i, n in enumerate(numbers)]
    r.shuffle(private)
    write_csv(
        raw / "test_private_expanded.csv", EXPANDED, ([row[k] for k in EXPANDED] for row in private)
    )
    public = [record(r, 7_300_000 + i) for i in range(8)]
    write_csv(
        raw / "test_public_expanded.csv", EXPANDED, ([row[k] for k in EXPANDED] for row in public)
    )
    write_csv(
        raw / "test.csv",
        ["id", "comment_text"],
        ([row["id"], row["comment_text"]] for row in public),
    )
    write_csv(
        raw / "sample_submission.csv", ["id", "prediction"], ([row["id"], 0.0] for row in public)
    )
    write_csv(
        raw / "identity_individual_annotations.csv",
        ["id", "worker", "gender"],
        ((59848 + i, i, "male") for i in range(5)),
    )
    write_csv(
        raw / "toxicity_individual_annotations.csv",
        ["id", "worker", "toxic"],
        ((59848 + i, i, 0) for i in range(5)),
    )
