"""Rehearsal data: one sentence a line in a zip; one word of each test sentence is taken out."""

from mlebench.rehearsal import Making, Parts, Random, lines_file, raw_data, zipped

VOCAB = """
    the a of to in and said that was for on with is he by it as at from his have has an are be will
    not but who its bank team year people police minister percent market city president company game
    world week house state court café naïve €5 £3 2009 1,200 's n't -- ; : ( ) % Dodgers Obama
    Islamic U.S. Mr. Zürich
""".split()
TOO_SHORT = ["Yes .", ".", "", " Go .", "No way"]  # no word can be removed


def sentence(r: Random) -> str:
    kind = r.random()
    if kind < 0.03:
        return r.choice(TOO_SHORT)
    if kind < 0.06:
        return f"{r.choice(VOCAB)} {r.choice(VOCAB)} ."
    words = [r.choice(VOCAB) for _ in range(r.randrange(4, 30))]
    if r.random() < 0.25:
        words.insert(r.randrange(len(words)), '"')
        words.append('"')
    if r.random() < 0.1:
        words[r.randrange(len(words))] = 'so-called"x"'
    gap = "\u00a0" if r.random() < 0.05 else "  " if r.random() < 0.05 else " "
    text = gap.join(words[:2]) + " " + " ".join([*words[2:], "."])
    return (" " if r.random() < 0.03 else "") + text + (" " if r.random() < 0.05 else "")


@raw_data("sentences")
def make_raw(making: Making) -> Parts:
    train = [sentence(making.r) for _ in range(3000 * making.scale)]
    yield zipped(lines_file("train_v2.txt", train))
    r = making.stream("kaggle-test")
    test = [f'{i},"{" ".join(r.choice(VOCAB) for _ in range(9))} ."' for i in range(1, 20)]
    yield zipped(lines_file("test_v2.txt", ['"id","sentence"', *test]))
