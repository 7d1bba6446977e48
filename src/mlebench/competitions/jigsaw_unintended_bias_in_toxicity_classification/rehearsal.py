"""Rehearsal data: comments with shares of raters per attribute; some have identities labelled."""

from itertools import product
from typing import Any

from mlebench.competitions.jigsaw_unintended_bias_in_toxicity_classification import competition
from mlebench.rehearsal import Choice, Making, Parts, Phrase, Random, Text, csv_file, raw_data

SUBTYPES = "severe_toxicity obscene sexual_explicit identity_attack insult threat".split()
IDENTITIES = (
    "male female transgender other_gender heterosexual homosexual_gay_or_lesbian bisexual "
    "other_sexual_orientation christian jewish muslim hindu buddhist atheist other_religion black "
    "white asian latino other_race_or_ethnicity physical_disability "
    "intellectual_or_learning_disability psychiatric_or_mental_illness other_disability"
).split()
META = (
    "created_date publication_id parent_id article_id rating funny wow sad likes disagree".split()
)
COUNTS = ["identity_annotator_count", "toxicity_annotator_count"]
EXPANDED = ["id", "comment_text", *META, "toxicity", *SUBTYPES, *IDENTITIES, *COUNTS]
TRAIN = ["id", "target", "comment_text", *(name for name in SUBTYPES if name != "sexual_explicit")]
TRAIN += [*sorted(IDENTITIES), *META, "sexual_explicit", *COUNTS]
LINES = Text("{{}}\n\n{}", Phrase(3)), Text("{{}}\r\n{}", Phrase(3))
ODD = Choice("null", "N/A", "None", "12345", "😀")
FORMS = [Text('{{}}, "{}" — naïve café', Phrase(2)), *LINES, "  {} ", ODD, "{}"]
COMMENT = Text(Choice(*FORMS, weights=[15, 10, 5, 3, 2, 65]), Phrase(4, 18))
TOXICITY = [0.0, 0.0, 0.0, 0.0, 1 / 6, 0.2, 0.4, 0.49, 0.5, 0.5, 0.6, 0.8, 0.893617, 1.0]


def rated(r: Random, number: int, forced: tuple[str, float] | None = None) -> dict[str, Any]:
    """A comment with all its columns, with a forced identity and toxicity if there is one."""
    row: dict[str, Any] = {"id": number, "toxicity": r.choice(TOXICITY)}
    row["comment_text"] = COMMENT(r)
    row |= {name: r.choice([0.0, 0.0, 0.0, 0.1, 0.3]) for name in SUBTYPES}
    labelled = r.random() < 0.7
    for name in IDENTITIES:
        row[name] = r.choice([0.0, 0.0, 0.0, 0.25, 0.5, 1.0]) if labelled else ""
    if forced:
        identity, row["toxicity"] = forced
        row[identity] = 0.5
    return row | {
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
        "target": row["toxicity"],
    }


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    r, scale = making.r, making.scale
    train = [rated(r, 59848 + i) for i in range(60 * scale)]
    # Every scored identity occurs with toxic and with clean comments.
    forced = list(product(competition.IDENTITIES, (0.0, 0.4, 0.5, 1.0)))
    numbers = r.sample(range(7_000_000, 7_200_000), 160 * scale + len(forced))
    choices = [*forced, *[None] * (160 * scale)]
    private = [rated(r, *chosen) for chosen in zip(numbers, choices, strict=True)]
    r.shuffle(private)
    public = [rated(r, 7_300_000 + i) for i in range(8)]
    for name, header, rows in (
        ("train", TRAIN, train),
        ("test_private_expanded", EXPANDED, private),
        ("test_public_expanded", EXPANDED, public),
        ("test", ["id", "comment_text"], public),
    ):
        yield csv_file(f"{name}.csv", header, ([row[k] for k in header] for row in rows))
    yield csv_file("sample_submission.csv", "id,prediction", ([row["id"], 0.0] for row in public))
    for kind, column, value in (("identity", "gender", "male"), ("toxicity", "toxic", 0)):
        workers = ((59848 + i, i, value) for i in range(5))
        yield csv_file(f"{kind}_individual_annotations.csv", f"id,worker,{column}", workers)
