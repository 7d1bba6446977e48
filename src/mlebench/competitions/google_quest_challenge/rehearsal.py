"""Rehearsal data: pairs of question and answer, rated on 30 scales."""

from mlebench.competitions.google_quest_challenge import prepare
from mlebench.rehearsal import Making, Parts, Random, csv_file, raw_data, words
from mlebench.tables import split_positions

META = """
    qa_id question_title question_body question_user_name question_user_page answer answer_user_name
    answer_user_page url category host
""".split()
TARGETS = list(prepare.TARGETS)
VALUES = [k / 9 for k in range(10)] + [1 / 3, 2 / 3, 0.5, 0.25, 0.75, 0.2, 0.4, 0.6, 0.8, 7 / 15]
HOSTS = "photo.stackexchange.com stackoverflow.com english.stackexchange.com superuser.com".split()
CATEGORIES = ["LIFE_ARTS", "CULTURE", "SCIENCE", "STACKOVERFLOW", "TECHNOLOGY"]


def meta(r: Random, number: int) -> list[object]:
    title = words(r, 6).capitalize() + r.choice(["?", " &amp; more?", ', "really"?', " – café"])
    body = f"{words(r, 15)}.\n\n{words(r, 5)}, <b>x</b>\r\n"
    host = r.choice(HOSTS)
    user = r.choice(["ysap", "None", "Łukasz L", "user1234", "Jan, Jr."])
    page = f"https://{host}/users/{r.randrange(9999)}"
    answer = words(r, 12) + "\n" + words(r, 4), r.choice(["rfusca", "Mark", "7"]), page + "1"
    url = f"http://{host}/questions/{number}"
    return [number, title, body, user, page, *answer, url, r.choice(CATEGORIES), host]


def spelled_rows(making: Making, count: int) -> set[int]:
    """The rows where the rarest target is not zero.

    With an even seed none of them is in the test part of the split, so that preparation has to
    exchange a row.
    """
    train, test = (sorted(rows.tolist()) for rows in split_positions(count, test_size=0.1))
    if making.seed % 2 == 0:
        return set(making.r.sample(train, 4))
    return {*making.r.sample(test, 2), 3}


@raw_data("train")
def make_raw(making: Making) -> Parts:
    r, count, rows = making.r, 230 * making.scale, []
    spelled, end = spelled_rows(making, count), max(9650, count)
    for number, i in enumerate(sorted(r.sample(range(end), count))):
        scores = {target: r.choice(VALUES) for target in TARGETS}
        scores["question_not_really_a_question"] = r.choice([0.0, 0.0, 0.0, 1 / 3])
        scores[prepare.RAREST] = r.choice([1 / 3, 2 / 3]) if number in spelled else 0.0
        rows.append([*meta(r, i), *scores.values()])
    yield csv_file("train.csv", META + TARGETS, rows)
    test = [meta(r, i) for i in sorted(r.sample(range(end, end + 50), 6))]
    yield csv_file("test.csv", META, test)
    sample = ([row[0], *[0.00308] * 30] for row in test)
    yield csv_file("sample_submission.csv", ["qa_id", *TARGETS], sample)
