"""Rehearsal data. Question/answer pairs rated on 30 scales."""

from __future__ import annotations

from pathlib import Path

from mlebench.rehearsal import rng, words, write_csv

META = [
    "qa_id",
    "question_title",
    "question_body",
    "question_user_name",
    "question_user_page",
    "answer",
    "answer_user_name",
    "answer_user_page",
    "url",
    "category",
    "host",
]


TARGETS = [
    "question_asker_intent_understanding",
    "question_body_critical",
    "question_conversational",
    "question_expect_short_answer",
    "question_fact_seeking",
    "question_has_commonly_accepted_answer",
    "question_interestingness_others",
    "question_interestingness_self",
    "question_multi_intent",
    "question_not_really_a_question",
    "question_opinion_seeking",
    "question_type_choice",
    "question_type_compare",
    "question_type_consequence",
    "question_type_definition",
    "question_type_entity",
    "question_type_instructions",
    "question_type_procedure",
    "question_type_reason_explanation",
    "question_type_spelling",
    "question_well_written",
    "answer_helpful",
    "answer_level_of_information",
    "answer_plausible",
    "answer_relevance",
    "answer_satisfaction",
    "answer_type_instructions",
    "answer_type_procedure",
    "answer_type_reason_explanation",
    "answer_well_written",
]


VALUES = [k / 9 for k in range(10)] + [1 / 3, 2 / 3, 0.5, 0.25, 0.75, 0.2, 0.4, 0.6, 0.8, 7 / 15]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    import numpy as np

    r = rng(seed, "train")
    n = 230 * scale
    # Which rows the official split (one tenth, seed 0) takes for the test: with an even seed the rare
    # column question_type_spelling is all zero there, which triggers the official row swap.
    test_rows = set(np.random.RandomState(0).permutation(n)[: -(-n // 10)].tolist())
    spelled = (
        set(r.sample(sorted(set(range(n)) - test_rows), 4))
        if seed % 2 == 0
        else set(r.sample(sorted(test_rows), 2)) | {3}
    )
    used = sorted(r.sample(range(0, 9650), n))

    def meta(i: int):
        title = words(r, 6).capitalize() + r.choice(["?", " &amp; more?", ', "really"?', " – café"])
        body = f"{words(r, 15)}.\n\n{words(r, 5)}, <b>x</b>\r\n"
        host = r.choice(
            [
                "photo.stackexchange.com",
                "stackoverflow.com",
                "english.stackexchange.com",
                "superuser.com",
            ]
        )
        user = r.choice(["ysap", "None", "Łukasz L", "user1234", "Jan, Jr."])
        page = f"https://{host}/users/{r.randrange(9999)}"
        return [
            i,
            title,
            body,
            user,
            page,
            words(r, 12) + "\n" + words(r, 4),
            r.choice(["rfusca", "Mark", "7"]),
            page + "1",
            f"http://{host}/questions/{i}",
            r.choice(["LIFE_ARTS", "CULTURE", "SCIENCE", "STACKOVERFLOW", "TECHNOLOGY"]),
            host,
        ]

    rows = []
    for k, i in enumerate(used):
        scores = [r.choice(VALUES) for _ in TARGETS]
        scores[TARGETS.index("question_not_really_a_question")] = r.choice([0.0, 0.0, 0.0, 1 / 3])
        scores[TARGETS.index("question_type_spelling")] = (
            r.choice([1 / 3, 2 / 3]) if k in spelled else 0.0
        )
        rows.append(meta(i) + scores)
    write_csv(raw / "train.csv", META + TARGETS, rows)
    test = [meta(i) for i in sorted(r.sample(range(9650, 9700), 6))]
    write_csv(raw / "test.csv", META, test)
    write_csv(
        raw / "sample_submission.csv", ["qa_id", *TARGETS], ([t[0]] + [0.00308] * 30 for t in test)
    )
