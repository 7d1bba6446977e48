"""Probes of what a model can say: names, second halves of texts, labels, boards, split facts.

If one question per competition has no chance level of its own, the answers are compared with
the facts of the other competitions, or with invented ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np

from mlebench.contamination.controls import INVENTED
from mlebench.contamination.documents import CONTROLS
from mlebench.contamination.generation import Generator
from mlebench.contamination.inference import at_least_by_chance, bootstrap_p, matching_p
from mlebench.contamination.label_child import LabelJudge
from mlebench.contamination.subjects import LabelSource, Subject
from mlebench.records.contamination import ProbeResult

NAMES = 5
PLAIN_TEXT = "plain text"
"""This text names its subject: its rate shows what obfuscation hides, not what a model knows."""

PASSAGE = 800
PASSAGES = 8
LABELS = 60
SPLIT_SEED = 0
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

NAME_TEXT = """Which Kaggle competition is described below? Answer with the five most likely names,
one per line, the most likely one first.

{text}"""
NAME_ROWS = """These are the first rows of a file of a Kaggle competition. Which competition is it?
Answer with the five most likely names, one per line, the most likely one first.

{text}"""
GUIDED = """This is the first half of a passage about the Kaggle competition "{title}", from the
document {name}. Write the second half exactly as it continues there.

{half}"""
GENERAL = """This is the first half of a passage. Write how it may continue.

{half}"""
LABEL = """In the Kaggle competition "{title}", what is the value of {target} for {column} = {id}?
Answer with the value only."""
BOARD = """What was the best score on the final private leaderboard of the Kaggle competition
"{title}"? Answer with the number only."""
SPLIT = """MLE-bench splits the training data of the Kaggle competition "{title}" again. Which share
of the rows becomes the test set, and which random seed is used? Answer as: share, seed"""


def name_probe(
    subjects: Sequence[Subject],
    generator: Generator,
    text_of: Callable[[Subject], str | None],
    *,
    source: str,
) -> list[ProbeResult]:
    """How often the competition itself is named, and how often answers to others name it."""
    asked = [(subject, text) for subject in subjects if (text := text_of(subject))]
    if len(asked) < 2:
        return []
    question = NAME_ROWS if source == "rows" else NAME_TEXT
    answers = generator.ask([question.format(text=text) for _, text in asked])
    found = []
    for statistic, count in (("top-1", 1), (f"top-{NAMES}", NAMES)):
        guesses = [[line for line in a.splitlines() if line.strip()][:count] for a in answers]
        hits = np.array([[any(is_name(g, s) for g in own) for s, _ in asked] for own in guesses])
        right, expected, p = matching_p(hits)
        found.append(
            ProbeResult(
                probe="naming",
                competition_id=None,
                statistic=f"{statistic} from {source}",
                value=round(right / len(asked), 6),
                chance=round(expected / len(asked), 6),
                n=len(asked),
                # The two statistics are not independent tests: only one of them has a p-value.
                p=p if count == NAMES and source != PLAIN_TEXT else None,
                note="chance: answers against the names of other competitions",
            )
        )
    return found


def is_name(guess: str, subject: Subject) -> bool:
    """Whether a line of an answer names the competition, by title or by id."""
    from rapidfuzz import fuzz

    said = _letters(guess)
    names = {_letters(subject.title), _letters(subject.id)}
    return any(name in said or fuzz.ratio(name, said) >= 90 for name in names)


def _letters(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def guided_probe(subject: Subject, generator: Generator) -> ProbeResult | str:
    """ROUGE-L of second halves: is it higher when the source is named?"""
    evidence = [d for d in subject.documents if d.kind not in CONTROLS]
    passages = [(d.name, *halves) for d in evidence for halves in split_passages(d.text)]
    if len(passages) < 3:
        return "there are no posts or official texts of three passages or more"
    passages = passages[:PASSAGES]
    guided = [GUIDED.format(title=subject.title, name=n, half=half) for n, half, _ in passages]
    general = [GENERAL.format(half=half) for _, half, _ in passages]
    answers = generator.ask([*guided, *general], max_tokens=PASSAGE // 4)
    truth = [second for _, _, second in passages]
    with_source, without = (
        [rouge_l(answer, second) for answer, second in zip(own, truth, strict=True)]
        for own in (answers[: len(passages)], answers[len(passages) :])
    )
    differences = [a - b for a, b in zip(with_source, without, strict=True)]
    return ProbeResult(
        probe="guided",
        competition_id=subject.id,
        statistic="ROUGE-L with the source named minus without",
        value=round(fmean(differences), 6),
        chance=0.0,
        n=len(passages),
        p=bootstrap_p(differences),
        note=f"ROUGE-L {fmean(with_source):.3f} and {fmean(without):.3f}",
    )


def split_passages(text: str) -> list[tuple[str, str]]:
    """Passages of a few sentences, each as two halves."""
    words = text.split()
    step = max(20, PASSAGE // 7)
    pieces = [words[k : k + step] for k in range(0, len(words), step)]
    return [
        (" ".join(piece[: len(piece) // 2]), " ".join(piece[len(piece) // 2 :]))
        for piece in pieces
        if len(piece) >= 20
    ]


def rouge_l(answer: str, truth: str) -> float:
    """The F-measure of the longest common subsequence of words."""
    from rapidfuzz.distance import LCSseq

    said, expected = (_letters(text).split() for text in (answer, truth))
    if not said or not expected:
        return 0.0
    return 2 * LCSseq.similarity(said, expected) / (len(said) + len(expected))


def label_probe(
    probe: str, subject: Subject, labels: LabelSource, *, generator: Generator, judge: LabelJudge
) -> ProbeResult:
    """Labels of test or training ids; the question contains ids only.

    The answers are compared with the labels in a child process.
    """
    chosen = np.linspace(0, len(labels.ids) - 1, min(LABELS, len(labels.ids))).astype(int)
    ids = [labels.ids[k] for k in chosen]
    prompts = [
        LABEL.format(title=subject.title, target=labels.target, column=labels.id_column, id=i)
        for i in ids
    ]
    answers = dict(zip(ids, generator.ask(prompts, max_tokens=16), strict=True))
    firsts = {i: (text.strip().splitlines() or [""])[0] for i, text in answers.items()}
    right, compared, majority = judge.compare(labels, firsts)
    return ProbeResult(
        probe=probe,
        competition_id=subject.id,
        statistic=f"right labels of {'training' if probe == 'train-labels' else 'test'} ids",
        value=round(right / max(1, compared), 6),
        chance=round(majority, 6),
        n=compared,
        p=at_least_by_chance(right, compared, majority),
        note="chance: the most frequent label",
    )


def board_probe(subjects: Sequence[Subject], generator: Generator) -> list[ProbeResult]:
    """The winning score, against the winning scores of other competitions."""
    known = [(subject, subject.best_score) for subject in subjects]
    asked = [(subject, score) for subject, score in known if score is not None]
    if len(asked) < 2:
        return []
    answers = generator.ask([BOARD.format(title=s.title) for s, _ in asked], max_tokens=24)
    said = [float(found[0]) if (found := NUMBER.search(text)) else np.nan for text in answers]
    best = np.array([score for _, score in asked])
    # Precise enough to tell the first places of a board apart.
    tolerance = 0.0005 * np.maximum(np.abs(best), 0.001)
    hits = np.abs(np.array(said)[:, None] - best) <= tolerance
    right, expected, p = matching_p(hits)
    return [
        ProbeResult(
            probe="leaderboard",
            competition_id=None,
            statistic="winning scores within 0.05 %",
            value=round(right / len(asked), 6),
            chance=round(expected / len(asked), 6),
            n=len(asked),
            p=p,
            note="chance: answers against the scores of other competitions",
        )
    ]


def split_probe(subjects: Sequence[Subject], generator: Generator) -> list[ProbeResult]:
    """Share and seed of the benchmark's own split, against answers about invented competitions."""
    from scipy.stats import fisher_exact

    asked = [(s.title, s.test_size) for s in subjects if s.test_size is not None]
    if not asked:
        return []
    invented = [name.replace("-", " ").title() for name in INVENTED]
    titles = [*(title for title, _ in asked), *invented]
    answers = generator.ask([SPLIT.format(title=title) for title in titles], max_tokens=32)
    said = [_share_and_seed(answer) for answer in answers]
    right = sum(
        answer == (size, SPLIT_SEED) for answer, (_, size) in zip(said, asked, strict=False)
    )
    # What a model says about a competition that does not exist is its guess for any.
    decoys = [
        fmean(answer == (size, SPLIT_SEED) for _, size in asked) for answer in said[len(asked) :]
    ]
    by_chance = round(sum(decoys))
    table = [[right, len(asked) - right], [by_chance, len(invented) - by_chance]]
    return [
        ProbeResult(
            probe="split",
            competition_id=None,
            statistic="share and seed of the split",
            value=round(right / len(asked), 6),
            chance=round(fmean(decoys), 6),
            n=len(asked),
            p=float(fisher_exact(table, alternative="greater").pvalue),
            note=f"chance: answers about {len(invented)} invented competitions",
        )
    ]


def _share_and_seed(answer: str) -> tuple[float, float] | None:
    numbers = [float(number) for number in NUMBER.findall(answer)]
    if len(numbers) < 2:
        return None
    share = numbers[0] / 100 if numbers[0] > 1 else numbers[0]
    return share, numbers[1]
