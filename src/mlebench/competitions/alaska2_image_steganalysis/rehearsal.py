"""Rehearsal data: cover images and three stego versions of each.

Preparation takes exactly 5,000 for the test, so there are more files than elsewhere.
"""

from mlebench.rehearsal import Files, Making, csv_file, hex_id, raw_data


@raw_data("images")
def make_raw(making: Making) -> Files:
    for number in range(1, 5000 + 24 * making.scale + 1):
        mark = hex_id(making.r, 8)
        for kind in ("Cover", "JMiPOD", "JUNIWARD", "UERD"):
            yield f"{kind}/{number:05d}.jpg", b"\xff\xd8" + f"{kind[:2]}{mark}".encode()
    test = [f"{number:04d}.jpg" for number in (1, 2, 3)]
    for name in test:
        yield f"Test/{name}", f"test{hex_id(making.r, 8)}".encode()
    yield csv_file("sample_submission.csv", "Id,Label", ((name, 0) for name in test))
