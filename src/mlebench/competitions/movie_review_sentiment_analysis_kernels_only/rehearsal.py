"""Rehearsal data: phrases of film reviews, tab-separated, with quotes and missing-value words."""

from mlebench.rehearsal import Files, Making, Random, raw_data, words, zipped
from mlebench.rehearsal.content import csv_file, lines_file

FIRST = 156061


def phrase(r: Random) -> str:
    text = words(r, r.randrange(1, 12))
    kinds = [text, text, f"{text} , {words(r, 2)}", f"`` {text} ''", "", f'"{text}', f'{text} " x']
    kinds += ["None", "null", "nan", f"é{text}", " ", "42", f"-LRB- {text} -RRB-", f"{text} 's"]
    chosen = r.choice(kinds)
    # Kaggle's file quotes a phrase only where it contains a quote character.
    return '"' + chosen.replace('"', '""') + '"' if '"' in chosen else chosen


def lines(r: Random, first: int, count: int) -> list[str]:
    """Phrases with their numbers and, in the train table, a sentiment."""
    found, sentence = ["PhraseId\tSentenceId\tPhrase"], first // 20
    for number in range(first, first + count):
        sentence += r.random() < 0.15
        found.append(f"{number}\t{sentence}\t{phrase(r)}")
        if first < FIRST:
            found[-1] += f"\t{r.choice([0, 1, 1, 2, 2, 2, 2, 3, 3, 4])}"
    return found


@raw_data("phrases")
def make_raw(making: Making) -> Files:
    header, *train = lines(making.r, 1, 220 * making.scale)
    yield zipped(lines_file("train.tsv", [f"{header}\tSentiment", *train]))
    yield zipped(lines_file("test.tsv", lines(making.r, FIRST, 12)))
    sample = ((number, 2) for number in range(FIRST, FIRST + 12))
    yield csv_file("sampleSubmission.csv", "PhraseId,Sentiment", sample)
