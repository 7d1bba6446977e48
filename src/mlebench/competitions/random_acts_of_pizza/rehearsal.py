"""Rehearsal data: Reddit posts that ask for a pizza, as two JSON lists."""

from typing import Any

from mlebench.rehearsal import Choice, Making, Parts, Phrase, Random, Text, csv_file, raw_data
from mlebench.rehearsal.content import json_file
from mlebench.rehearsal.draws import hex_id

SUBREDDITS = "AskReddit funny gaming pics Random_Acts_Of_Pizza IAmA WTF".split()
ENDING = Choice("", "\n\nEDIT: thanks!", " ‘café’ 🍕", ' "please", \\o/', " $20\t& more")
TEXT = Text("{}{}", Phrase(3, 30), ENDING)
DAYS = [0.0, 1.5e-05, 12.041666666666666]
# Upper bounds at the request and at retrieval.
COUNTS = {"comments": (900, 999), "comments_in_raop": (5, 9), "posts": (50, 60)}
COUNTS |= {"posts_on_raop": (2, 3)}
TRAIN_ONLY = {"post_was_edited", "request_text", "requester_received_pizza", "requester_user_flair"}


def post(r: Random) -> dict[str, Any]:
    got = r.random() < 0.25
    subreddits = r.sample(SUBREDDITS, r.randrange(len(SUBREDDITS)))
    stamp = float(r.randrange(1_297_000_000, 1_380_000_000))
    age, body = r.choice([0.0, r.uniform(0, 2000)]), TEXT(r)
    giver = f"giver{r.randrange(999)}" if got and r.random() < 0.3 else "N/A"
    row = {
        "giver_username_if_known": giver,
        "number_of_downvotes_of_request_at_retrieval": r.randrange(9),
        "number_of_upvotes_of_request_at_retrieval": r.randrange(40),
        "post_was_edited": r.choice([False, True, stamp]),
        "request_id": f"t3_{hex_id(r, 6)}",
        "request_number_of_comments_at_retrieval": r.randrange(30),
        "request_text": body,
        "request_text_edit_aware": body.split("EDIT")[0],
        "request_title": "[REQUEST] " + TEXT(r),
        "requester_account_age_in_days_at_request": age,
        "requester_account_age_in_days_at_retrieval": age + 500.5,
        "requester_days_since_first_post_on_raop_at_request": r.choice(DAYS),
        "requester_days_since_first_post_on_raop_at_retrieval": r.uniform(0, 900),
    }
    for what, (then, later) in COUNTS.items():
        row[f"requester_number_of_{what}_at_request"] = r.randrange(then)
        row[f"requester_number_of_{what}_at_retrieval"] = r.randrange(later)
    return row | {
        "requester_number_of_subreddits_at_request": len(subreddits),
        "requester_received_pizza": got,
        "requester_subreddits_at_request": subreddits,
        "requester_upvotes_minus_downvotes_at_request": r.randrange(-20, 5000),
        "requester_upvotes_minus_downvotes_at_retrieval": r.randrange(-20, 6000),
        "requester_upvotes_plus_downvotes_at_request": r.randrange(9000),
        "requester_upvotes_plus_downvotes_at_retrieval": r.randrange(9999),
        "requester_user_flair": r.choice([None, None, "shroom", "PIF"]),
        "requester_username": f"user{r.randrange(10**6)}",
        "unix_timestamp_of_request": stamp,
        "unix_timestamp_of_request_utc": stamp - 3600.0,
    }


@raw_data("rows")
def make_raw(making: Making) -> Parts:
    """Kaggle's keys are alphabetical; here their order varies, which preparation must keep."""
    r, keys = making.r, making.stream("keys")
    fields = sorted(post(r))
    posts = [post(r) for _ in range(126 * making.scale + making.seed)]
    orders = [keys.sample(fields, len(fields)) for _ in range(3)]
    train = [{key: found[key] for key in orders[n % 3]} for n, found in enumerate(posts)]
    fields = [f for f in fields if f not in TRAIN_ONLY and not f.endswith("_at_retrieval")]
    orders = [keys.sample(fields, len(fields)) for _ in range(2)]
    posts = [post(r) for _ in range(51 * making.scale)]
    test = [{key: found[key] for key in orders[n % 2]} for n, found in enumerate(posts)]
    yield json_file("train.json", train, indent=2)
    yield json_file("test.json", test, indent=2)
    rows = ([found["request_id"], 0] for found in test)
    yield csv_file("sampleSubmission.csv", "request_id,requester_received_pizza", rows)
