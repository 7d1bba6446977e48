"""Rehearsal data. Purchases by day; article ids are ten digits with a leading zero, which a number parser drops."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from mlebench.rehearsal import hex_id, jpeg, rng, words, write_bytes, write_csv

LAST = date(2020, 9, 22)


def make_raw(raw: Path, seed: int, scale: int = 1) -> None:
    r = rng(seed, "shop")
    articles = sorted(
        {f"0{r.randrange(108775, 959461):06d}{r.randrange(1, 30):03d}" for _ in range(45)}
    )
    customers = sorted(hex_id(r, 64) for _ in range(60 * scale))
    write_csv(
        raw / "articles.csv",
        [
            "article_id",
            "product_code",
            "prod_name",
            "product_type_no",
            "colour_group_name",
            "detail_desc",
        ],
        (
            (
                a,
                a[:7],
                f"Top {i} (1)",
                r.randrange(-1, 400),
                r.choice(["Black", "Light Beige"]),
                "" if r.random() < 0.1 else f'Jersey top, "narrow" straps; {words(r, 4)} £5 – é',
            )
            for i, a in enumerate(articles)
        ),
    )
    write_csv(
        raw / "customers.csv",
        [
            "customer_id",
            "FN",
            "Active",
            "club_member_status",
            "fashion_news_frequency",
            "age",
            "postal_code",
        ],
        (
            (
                c,
                r.choice(["", "1.0"]),
                r.choice(["", "1.0"]),
                r.choice(["ACTIVE", "PRE-CREATE", ""]),
                r.choice(["NONE", "Regularly", ""]),
                r.choice(["", str(r.randrange(16, 90)) + ".0"]),
                hex_id(r, 64),
            )
            for c in customers
        ),
    )
    rows = []
    for back in range(40, -1, -1):
        day = (LAST - timedelta(days=back)).isoformat()
        for _ in range(r.randrange(4, 9) * scale):
            c = r.choice(customers[: 50 * scale])
            for a in r.choices(
                articles[:12] if r.random() < 0.5 else articles, k=r.choice([1, 1, 2, 3])
            ):
                price = r.choice(
                    [r.randrange(1, 3000) / 59000, 1 / 59000 / r.randrange(1, 9), 0.05]
                )
                rows += [(day, c, a, repr(price), r.choice([1, 2]))] * r.choice(
                    [1, 1, 1, 1, 2]
                )  # a repeated row: two of the same
    big = customers[3]  # one customer with more than twelve articles in the last week
    rows += [(LAST.isoformat(), big, a, "0.0338813559322033", 2) for a in articles[5:20]]
    write_csv(
        raw / "transactions_train.csv",
        ["t_dat", "customer_id", "article_id", "price", "sales_channel_id"],
        rows,
    )
    top = " ".join(articles[:12])
    write_csv(
        raw / "sample_submission.csv", ["customer_id", "prediction"], ((c, top) for c in customers)
    )
    for a in articles[:30]:
        write_bytes(raw / "images" / a[:3] / f"{a}.jpg", jpeg(r))
