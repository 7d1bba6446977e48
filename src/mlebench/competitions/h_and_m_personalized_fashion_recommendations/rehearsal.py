"""Rehearsal data: purchases by day; article ids have a leading zero, which number parsers drop."""

from collections.abc import Iterator
from datetime import date, timedelta

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, jpeg, raw_data, words

LAST = date(2020, 9, 22)
ARTICLES = "article_id,product_code,prod_name,product_type_no,colour_group_name,detail_desc"
CUSTOMERS = "customer_id,FN,Active,club_member_status,fashion_news_frequency,age,postal_code"
TRANSACTIONS = "t_dat,customer_id,article_id,price,sales_channel_id"


def article_row(r: Random, number: int, article: str) -> list[object]:
    row = [article, article[:7], f"Top {number} (1)", r.randrange(-1, 400)]
    row.append(r.choice(["Black", "Light Beige"]))
    has_text = r.random() >= 0.1
    text = f'Jersey top, "narrow" straps; {words(r, 4)} £5 – é' if has_text else ""
    return [*row, text]


def customer_row(r: Random, customer: str) -> list[object]:
    row = [customer, r.choice(["", "1.0"]), r.choice(["", "1.0"])]
    row += [r.choice(["ACTIVE", "PRE-CREATE", ""]), r.choice(["NONE", "Regularly", ""])]
    return [*row, r.choice(["", f"{r.randrange(16, 90)}.0"]), hex_id(r, 64)]


def price(r: Random) -> str:
    return repr(r.choice([r.randrange(1, 3000) / 59000, 1 / 59000 / r.randrange(1, 9), 0.05]))


def purchases(
    making: Making, articles: list[str], customers: list[str]
) -> Iterator[tuple[object, ...]]:
    r, scale = making.r, making.scale
    for back in range(40, -1, -1):
        day = (LAST - timedelta(days=back)).isoformat()
        for _ in range(r.randrange(4, 9) * scale):
            customer = r.choice(customers[: 50 * scale])
            pool = articles[:12] if r.random() < 0.5 else articles
            for article in r.choices(pool, k=r.choice([1, 1, 2, 3])):
                row = day, customer, article, price(r), r.choice([1, 2])
                yield from [row] * r.choice([1, 1, 1, 1, 2])  # two of the same: a repeated row
    # One customer with more than twelve articles in the last week.
    for article in articles[5:20]:
        yield LAST.isoformat(), customers[3], article, "0.0338813559322033", 2


@raw_data("shop")
def make_raw(making: Making) -> Files:
    r = making.r
    drawn = {f"0{r.randrange(108775, 959461):06d}{r.randrange(1, 30):03d}" for _ in range(45)}
    articles, customers = sorted(drawn), sorted(hex_id(r, 64) for _ in range(60 * making.scale))
    rows = [article_row(r, number, article) for number, article in enumerate(articles)]
    yield csv_file("articles.csv", ARTICLES, rows)
    yield csv_file("customers.csv", CUSTOMERS, (customer_row(r, c) for c in customers))
    bought = purchases(making, articles, customers)
    yield csv_file("transactions_train.csv", TRANSACTIONS, bought)
    top = " ".join(articles[:12])
    yield csv_file("sample_submission.csv", "customer_id,prediction", ((c, top) for c in customers))
    for article in articles[:30]:
        yield f"images/{article[:3]}/{article}.jpg", jpeg(r)
