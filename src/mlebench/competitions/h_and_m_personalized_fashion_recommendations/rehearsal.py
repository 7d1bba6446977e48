"""Rehearsal data: purchases by day; article ids have a leading zero, which number parsers drop."""

from datetime import date, timedelta

from mlebench.rehearsal import Choice, FilePerId, HexId, Making, Of, Parts, Table, Text, Whole
from mlebench.rehearsal.content import csv_file, jpeg
from mlebench.rehearsal.declared import raw_data
from mlebench.rehearsal.draws import Phrase, hex_id

LAST = date(2020, 9, 22)
DESCRIPTION = Text('Jersey top, "narrow" straps; {} £5 – é', Phrase(4))
ARTICLE = {
    "product_code": Of("article_id", lambda r, article: article[:7]),
    "prod_name": Of("_number", lambda r, number: f"Top {number} (1)"),
    "product_type_no": Whole(-1, 400),
    "colour_group_name": Choice("Black", "Light Beige"),
    "detail_desc": Choice("", DESCRIPTION, weights=[0.1, 0.9]),
}
CUSTOMER = {
    "FN": Choice("", "1.0"),
    "Active": Choice("", "1.0"),
    "club_member_status": Choice("ACTIVE", "PRE-CREATE", ""),
    "fashion_news_frequency": Choice("NONE", "Regularly", ""),
    "age": Text(Choice("", "{}.0"), Whole(16, 90)),
    "postal_code": HexId(64),
}


@raw_data("shop")
def make_raw(making: Making) -> Parts:
    r, scale, bought = making.r, making.scale, list[tuple[object, ...]]()
    drawn = {f"0{r.randrange(108775, 959461):06d}{r.randrange(1, 30):03d}" for _ in range(45)}
    articles, customers = sorted(drawn), sorted(hex_id(r, 64) for _ in range(60 * scale))
    numbers = list(range(len(articles)))
    yield Table("articles.csv", {"article_id": articles, "_number": numbers, **ARTICLE})
    yield Table("customers.csv", {"customer_id": customers, **CUSTOMER})
    for back in range(40, -1, -1):
        day = LAST - timedelta(days=back)
        for _ in range(r.randrange(4, 9) * scale):
            customer = r.choice(customers[: 50 * scale])
            pool = articles[:12] if r.random() < 0.5 else articles
            for article in r.choices(pool, k=r.choice([1, 1, 2, 3])):
                prices = [r.randrange(1, 3000) / 59000, 1 / 59000 / r.randrange(1, 9), 0.05]
                row = day, customer, article, r.choice(prices), r.choice([1, 2])
                bought += [row] * r.choice([1, 1, 1, 1, 2])  # some rows are repeated
    # One customer with more than twelve articles in the last week.
    bought += [(LAST, customers[3], article, 0.0338813559322033, 2) for article in articles[5:20]]
    header = "t_dat,customer_id,article_id,price,sales_channel_id"
    yield csv_file("transactions_train.csv", header, bought)
    top = " ".join(articles[:12])
    yield Table("sample_submission.csv", {"customer_id": customers, "prediction": top})
    yield FilePerId("images/{0[0]}{0[1]}{0[2]}/{0}.jpg", articles[:30], jpeg)
