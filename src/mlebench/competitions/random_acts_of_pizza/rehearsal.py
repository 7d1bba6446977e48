"""Rehearsal data. Reddit posts that ask for a pizza, as two JSON lists."""

from __future__ import annotations

import json
from pathlib import Path

from mlebench.rehearsal import hex_id, rng, words, write_csv, write_text

TEST_FIELDS = [
    "giver_username_if_known",
    "request_id",
    "request_text_edit_aware",
    "request_title",
    "requester_account_age_in_days_at_request",
    "requester_days_since_first_post_on_raop_at_request",
    "requester_number_of_comments_at_request",
    "requester_number_of_comments_in_raop_at_request",
    "requester_number_of_posts_at_request",
    "requester_number_of_posts_on_raop_at_request",
    "requester_number_of_subreddits_at_request",
    "requester_subreddits_at_request",
    "requester_upvotes_minus_downvotes_at_request",
    "requester_upvotes_plus_downvotes_at_request",
    "requester_username",
    "unix_timestamp_of_request",
    "unix_timestamp_of_request_utc",
]


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "rows")
    subs = ["AskReddit", "funny", "gaming", "pics", "Random_Acts_Of_Pizza", "IAmA", "WTF"]

    def text() -> str:
        return words(r, r.randrange(3, 30)) + r.choice(
            [
                "",
                "\n\nEDIT: thanks!",
                " \u2018caf\u00e9\u2019 \U0001f355",
                ' "please", \\o/',
                " $20\t& more",
            ]
        )

    def post() -> dict:
        got = r.random() < 0.25
        s = r.sample(subs, r.randrange(len(subs)))
        stamp = float(r.randrange(1_297_000_000, 1_380_000_000))
        age = r.choice([0.0, r.uniform(0, 2000)])
        body = text()
        return {
            "giver_username_if_known": f"giver{r.randrange(999)}"
            if got and r.random() < 0.3
            else "N/A",
            "number_of_downvotes_of_request_at_retrieval": r.randrange(9),
            "number_of_upvotes_of_request_at_retrieval": r.randrange(40),
            "post_was_edited": r.choice([False, True, stamp]),
            "request_id": f"t3_{hex_id(r, 6)}",
            "request_number_of_comments_at_retrieval": r.randrange(30),
            "request_text": body,
            "request_text_edit_aware": body.split("EDIT")[0],
            "request_title": "[REQUEST] " + text(),
            "requester_account_age_in_days_at_request": age,
            "requester_account_age_in_days_at_retrieval": age + 500.5,
            "requester_days_since_first_post_on_raop_at_request": r.choice(
                [0.0, 1.5e-05, 12.041666666666666]
            ),
            "requester_days_since_first_post_on_raop_at_retrieval": r.uniform(0, 900),
            "requester_number_of_comments_at_request": r.randrange(900),
            "requester_number_of_comments_at_retrieval": r.randrange(999),
            "requester_number_of_comments_in_raop_at_request": r.randrange(5),
            "requester_number_of_comments_in_raop_at_retrieval": r.randrange(9),
            "requester_number_of_posts_at_request": r.randrange(50),
            "requester_number_of_posts_at_retrieval": r.randrange(60),
            "requester_number_of_posts_on_raop_at_request": r.randrange(2),
            "requester_number_of_posts_on_raop_at_retrieval": r.randrange(3),
            "requester_number_of_subreddits_at_request": len(s),
            "requester_received_pizza": got,
            "requester_subreddits_at_request": s,
            "requester_upvotes_minus_downvotes_at_request": r.randrange(-20, 5000),
            "requester_upvotes_minus_downvotes_at_retrieval": r.randrange(-20, 6000),
            "requester_upvotes_plus_downvotes_at_request": r.randrange(9000),
            "requester_upvotes_plus_downvotes_at_retrieval": r.randrange(9999),
            "requester_user_flair": r.choice([None, None, "shroom", "PIF"]),
            "requester_username": f"user{r.randrange(10**6)}",
            "unix_timestamp_of_request": stamp,
            "unix_timestamp_of_request_utc": stamp - 3600.0,
        }

    # Kaggle's keys are alphabetical; here each list has orders of its own, so that the order of the output shows
    r2 = rng(seed, "keys")
    fields = sorted(post())
    orders = [r2.sample(fields, len(fields)) for _ in range(3)]
    train = [
        {k: p[k] for k in orders[n % 3]}
        for n, p in enumerate(post() for _ in range(126 * scale + seed))
    ]
    orders = [r2.sample(TEST_FIELDS, len(TEST_FIELDS)) for _ in range(2)]
    test = [
        {k: p[k] for k in orders[n % 2]} for n, p in enumerate(post() for _ in range(51 * scale))
    ]
    write_text(raw / "train.json", json.dumps(train, indent=2))
    write_text(raw / "test.json", json.dumps(test, indent=2))
    write_csv(
        raw / "sampleSubmission.csv",
        ["request_id", "requester_received_pizza"],
        ([t["request_id"], 0] for t in test),
    )
