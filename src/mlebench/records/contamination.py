"""The recorded answers of a model, and the report that is computed from them."""

from __future__ import annotations

from typing import Any

import msgspec

from mlebench.records.codec import LineFormat, RecordFormat

SCHEMA = 1


class RecordedAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the recording: the first one names the model, the others hold an answer each."""

    key: str
    """SHA-256 of route, request and sample number; `recording` in the first line."""

    route: str = ""
    request: dict[str, Any] = {}
    answer: dict[str, Any] = {}
    """What the report needs of the provider's answer; see `contamination.answers`."""


class DocumentScores(msgspec.Struct, frozen=True):
    """What a model's log probabilities say about one text."""

    competition_id: str
    name: str
    kind: str
    """`official` and `post` are evidence; `own`, `obfuscated`, `paraphrase`, `decoy` controls."""

    tokens: int
    sampled: int
    familiarity: float
    """By the published formula: a token that is not among the ten most likely counts as 0."""

    familiarity_full: float | None
    """Mean probability of all tokens; None where only candidates are known, as for the rest."""

    mean_logp: float | None
    mink20: float | None
    minkpp20: float | None
    zlib_ratio: float | None
    control_z: float | None = None
    """Familiarity in standard deviations from the mean of the controls, itself left out."""


class CompetitionFamiliarity(msgspec.Struct, frozen=True):
    """Means over the texts of one competition; of the controls where there is no evidence."""

    competition_id: str
    documents: int
    is_evidence: bool
    familiarity: float
    control_z: float | None


class ProbeResult(msgspec.Struct, frozen=True):
    """The outcome of one test; `competition_id` is None where it is over all competitions."""

    probe: str
    competition_id: str | None
    statistic: str
    value: float
    chance: float | None
    """The expected value for a model without knowledge."""

    n: int
    p: float | None = None
    p_holm: float | None = None
    """Corrected for all tests of the report."""

    is_detected: bool = False
    note: str = ""


class SkippedProbe(msgspec.Struct, frozen=True):
    """A probe that a competition has no data for."""

    probe: str
    competition_id: str
    reason: str


class Correlation(msgspec.Struct, frozen=True):
    """Familiarity against performance, over competitions."""

    agent: str
    familiarity: str
    performance: str
    n: int
    pearson: float
    pearson_p: float
    spearman: float
    spearman_p: float
    low: float
    high: float
    """The 95 % bootstrap interval of Spearman's coefficient."""

    detectable_r: float
    """The smallest correlation that this number of competitions shows with 80 % power."""


class CutoffSide(msgspec.Struct, frozen=True):
    """The attempts at competitions on one side of a cut-off."""

    competitions: int
    rate: float | None = None
    low: float | None = None
    high: float | None = None


class CutoffRow(msgspec.Struct, frozen=True):
    """Any-medal percentages of one agent before and after its model's cut-off."""

    agent: str
    model: str
    cutoff: str
    before: CutoffSide
    after: CutoffSide
    difference: float | None
    low: float | None
    high: float | None


class CutoffPair(msgspec.Struct, frozen=True):
    """Difference in differences: newer minus older model, on old and on new competitions."""

    older: str
    newer: str
    split_at: str
    old_competitions: int
    new_competitions: int
    difference: float | None
    """Percentage points: the newer model's gain on old competitions minus its gain on new ones."""

    low: float | None
    high: float | None


class CutoffEffect(msgspec.Struct, frozen=True):
    """All agents and competitions at once: logit of a medal on "ended after the model's cut-off".

    Agents and competitions have random effects.
    """

    agents: int
    competitions: int
    before: int
    """Pairs of agent and competition on this side of the agent's cut-off."""

    after: int
    odds_ratio: float
    """Odds of a medal after the cut-off, in units of those before."""

    low: float
    high: float
    p: float
    detectable: float
    """The odds ratio below 1 that would be found with 80 % power."""

    agent_spread: float
    competition_spread: float
    """Standard deviations of the random effects, in log odds."""


class ObfuscationPair(msgspec.Struct, frozen=True):
    """The same agent on the same competitions and seeds, at two levels of obfuscation."""

    agent: str
    plain: str
    obfuscated: str
    competitions: int
    seeds: int
    difference: float
    """Any medal in percentage points, obfuscated minus plain."""

    low: float
    high: float
    p: float
    detectable: float | None
    """The smallest difference that would be found with 80 % power; None without variation."""

    per_competition: dict[str, float] = {}


class ContaminationReport(msgspec.Struct, frozen=True):
    """The report of `mlebench contamination`."""

    model: str
    provider: str
    method: str
    tokenizer: str
    created_at: str
    """When the recording began, so that a replay writes the same report."""

    generation: str
    calls: int
    is_rehearsal: bool
    """Whether tables came from synthetic data, which no model can know."""

    sentences: dict[str, str]
    """One plain sentence per section; a negative result is never called clean."""

    documents: tuple[DocumentScores, ...] = ()
    competitions: tuple[CompetitionFamiliarity, ...] = ()
    probes: tuple[ProbeResult, ...] = ()
    skipped: tuple[SkippedProbe, ...] = ()
    correlations: tuple[Correlation, ...] = ()
    points: dict[str, dict[str, float]] = {}
    """For each agent and competition the mean share of human teams that it beats."""

    deadlines: dict[str, str] = {}
    cutoffs: tuple[CutoffRow, ...] = ()
    cutoff_pairs: tuple[CutoffPair, ...] = ()
    cutoff_effect: CutoffEffect | None = None
    obfuscation: tuple[ObfuscationPair, ...] = ()
    schema: int = SCHEMA


REPORT = RecordFormat(ContaminationReport, SCHEMA)
ANSWERS = LineFormat(RecordedAnswer)
