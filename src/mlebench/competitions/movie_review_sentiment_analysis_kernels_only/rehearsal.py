"""Rehearsal data: phrases of film reviews, tab-separated, with quotes and missing-value words."""

from mlebench.rehearsal import Choice, Making, Parts, Phrase, Random, Table, Text, raw_data, zipped
from mlebench.rehearsal.content import lines_file

FIRST = 156061
FORMS = ["{0}", "{0}", "{0} , {1}", "`` {0} ''", "", '"{0}', '{0} " x', "None", "null", "nan"]
FORMS += ["é{0}", " ", "42", "-LRB- {0} -RRB-", "{0} 's"]
PHRASE = Text(Choice(*FORMS), Phrase(1, 12), Phrase(2))


def lines(r: Random, first: int, count: int) -> list[str]:
    """Phrases with their numbers and, in the train table, a sentiment."""
    found, sentence = ["PhraseId\tSentenceId\tPhrase"], first // 20
    for number in range(first, first + count):
        sentence += r.random() < 0.15
        phrase = PHRASE(r)
        if '"' in phrase:  # Kaggle's file quotes no other phrases
            phrase = '"' + phrase.replace('"', '""') + '"'
        found.append(f"{number}\t{sentence}\t{phrase}")
        if first < FIRST:
            found[-1] += f"\t{r.choice([0, 1, 1, 2, 2, 2, 2, 3, 3, 4])}"
    return found


@raw_data("phrases")
def make_raw(making: Making) -> Parts:
    header, *train = lines(making.r, 1, 220 * making.scale)
    yield zipped(lines_file("train.tsv", [f"{header}\tSentiment", *train]))
    yield zipped(lines_file("test.tsv", lines(making.r, FIRST, 12)))
    numbers = list(range(FIRST, FIRST + 12))
    yield Table("sampleSubmission.csv", {"PhraseId": numbers, "Sentiment": 2})
