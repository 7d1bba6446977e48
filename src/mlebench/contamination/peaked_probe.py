"""Peakedness: how many sampled solutions of a competition are nearly the most likely one.

A model that has memorised a solution writes the same text again and again, even at a temperature
above 0. How peaked its answers are otherwise is measured on invented competitions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from mlebench.contamination.controls import decoys
from mlebench.contamination.generation import Generator
from mlebench.contamination.subjects import Subject
from mlebench.records.contamination import ProbeResult

SAMPLES = 50
CONTROL_TEXTS = 4
TEMPERATURE = 0.8
NEAR = 0.05
"""Edits per word up to which two answers count as the same."""

MAX_TOKENS = 160
DESCRIPTION = 4000
"""Characters of a description that the question shows."""

TASK = """Write the core of a winning solution of the Kaggle competition "{title}" as a short Python
program, and nothing else.

{text}"""


@dataclass
class PeakedProbe:
    """Asks about competitions one after the other; the controls are asked once."""

    generator: Generator

    def __call__(self, subject: Subject) -> ProbeResult | str:
        """The share of samples that are close to the greedy answer, against that of controls."""
        from scipy.stats import fisher_exact

        # The official description if the user has it, else ours.
        texts = map(subject.text_of, ("official", "own", "obfuscated"))
        text = next(filter(None, texts), None)
        if text is None:
            return "there is no description"
        near = self._near(subject.title, text)
        control, asked = self._control
        table = [[near, SAMPLES - near], [control, asked - control]]
        return ProbeResult(
            probe="peakedness",
            competition_id=subject.id,
            statistic=f"samples within {NEAR:.0%} of the most likely answer",
            value=round(near / SAMPLES, 6),
            chance=round(control / asked, 6),
            n=SAMPLES,
            p=float(fisher_exact(table, alternative="greater").pvalue),
            note=f"chance: {asked} samples about {CONTROL_TEXTS} invented competitions",
        )

    @cached_property
    def _control(self) -> tuple[int, int]:
        """Close samples about invented competitions, and how many were asked for."""
        chosen = decoys()[:CONTROL_TEXTS]
        near = [self._near(name.replace("-", " ").title(), text) for name, text in chosen]
        return sum(near), SAMPLES * len(chosen)

    def _near(self, title: str, text: str) -> int:
        prompt = TASK.format(title=title, text=text[:DESCRIPTION])
        (likely,) = self.generator.ask([prompt], max_tokens=MAX_TOKENS)
        samples = self.generator.sample(
            prompt, SAMPLES, temperature=TEMPERATURE, max_tokens=MAX_TOKENS
        )
        return count_near(likely, samples)


def count_near(likely: str, samples: Sequence[str]) -> int:
    """Samples that differ from the likely answer in at most a twentieth of the words."""
    from rapidfuzz.distance import Levenshtein

    words = likely.split()
    if not words:
        return 0
    return sum(Levenshtein.normalized_distance(words, s.split()) <= NEAR for s in samples)
