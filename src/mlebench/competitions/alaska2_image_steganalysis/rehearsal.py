"""Rehearsal data: cover images and three stego versions of each.

Preparation takes exactly 5,000 for the test, so there are more files than elsewhere.
"""

from mlebench.rehearsal import FilePerId, Making, Numbered, Parts, Table, hex_id, raw_data


@raw_data("images")
def make_raw(making: Making) -> Parts:
    for number in range(1, 5000 + 24 * making.scale + 1):
        mark = hex_id(making.r, 8)
        for kind in ("Cover", "JMiPOD", "JUNIWARD", "UERD"):
            yield f"{kind}/{number:05d}.jpg", b"\xff\xd8" + f"{kind[:2]}{mark}".encode()
    test = Numbered(fixed=3, form="{:04d}.jpg")
    yield FilePerId("Test/{}", test, lambda r: f"test{hex_id(r, 8)}".encode())
    yield Table("sample_submission.csv", {"Id": test, "Label": 0})
