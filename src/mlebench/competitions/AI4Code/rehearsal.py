"""Rehearsal data: notebooks whose markdown cells must be put back in order.

The official split takes exactly 20,000 notebooks for the test: fewer cannot be prepared.
"""

from mlebench.rehearsal import Files, Making, Random, csv_file, hex_id, json_file, raw_data

CODE = "import pandas as pd|df.head()|x = 1\ny = 2|print('a, \"b\"')|plt.plot(x)|é = 'ü'".split("|")
TEXT = ["# Title", "## EDA", "Let's look, again", "* one\n* two", "数据 – π", "$\\alpha$"]


def families(r: Random, ids: list[str]) -> dict[str, tuple[str, str]]:
    """Ancestor and parent of every notebook, in families of forks of 1 to 40."""
    found, pool = {}, list(ids)
    r.shuffle(pool)
    while pool:
        size = r.choice([1, 1, 1, 1, 1, 1, 2, 3, 4, r.choice([1, 10, 25, 40])])
        family, name = [pool.pop() for _ in range(min(size, len(pool)))], hex_id(r, 8)
        for number, notebook in enumerate(family):
            parent = ""
            if number or r.random() >= 0.8:
                parent = hex_id(r, 14) if r.random() < 0.5 else family[0]
            found[notebook] = name, parent
    return found


def notebook(r: Random) -> tuple[str, dict[str, dict[str, str]]]:
    """The order of the cells, and the cells: code in order, then markdown shuffled."""
    cells = [hex_id(r, 8) for _ in range(r.choice([2, 2, 2, 3, 3, 4]))]
    code = set(r.sample(cells, r.randrange(1, len(cells))))
    markdown = [cell for cell in cells if cell not in code]
    r.shuffle(markdown)
    listed = [cell for cell in cells if cell in code] + markdown
    types = {cell: "code" if cell in code else "markdown" for cell in listed}
    source = {cell: r.choice(CODE if cell in code else TEXT) for cell in listed}
    return " ".join(cells), {"cell_type": types, "source": source}


@raw_data("notebooks")
def make_raw(making: Making) -> Files:
    r, total = making.r, 20_000 + 150 * making.scale
    ids = sorted({hex_id(r, 14) for _ in range(total)})
    while len(ids) < total:
        ids = sorted({*ids, hex_id(r, 14)})
    ancestors = families(r, ids)
    orders = []
    for i in ids:
        order, cells = notebook(r)
        orders.append((i, order))
        yield json_file(f"train/{i}.json", cells)
    yield csv_file("train_orders.csv", "id,cell_order", orders)
    rows = ((i, *ancestors[i]) for i in ids)
    yield csv_file("train_ancestors.csv", "id,ancestor_id,parent_id", rows)
    test = [hex_id(r, 14) for _ in range(4)]
    for i in test:
        yield json_file(f"test/{i}.json", {"cell_type": {"0a": "code"}, "source": {"0a": "1"}})
    yield csv_file("sample_submission.csv", "id,cell_order", ((i, "0a") for i in test))
