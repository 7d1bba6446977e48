"""The judge as an extension of the checks: a first pass over all pieces, a second on every hit."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from mlebench.errors import BenchError
from mlebench.gateway.settings import GatewaySettings
from mlebench.integrity.evidence import Evidence
from mlebench.integrity.extensions import Addition, IntegrityOptions
from mlebench.integrity.findings import make_finding, make_quote
from mlebench.integrity.judge.client import (
    JudgeModel,
    NoAnswer,
    exchange_lines,
    judge_gateway,
    open_model,
    read_object,
)
from mlebench.integrity.judge.digest import MODULE, DigestEntry, read_digest, split_digest
from mlebench.integrity.judge.fences import FencedText, clean, fence_entries, fence_text, unmarked
from mlebench.integrity.judge.questions import (
    FIRST,
    MAX_SUMMARY,
    PROMPT_SHA256,
    QUESTIONS,
    SECOND,
    SYSTEM,
    FirstAnswer,
    JudgeFinding,
    SecondAnswer,
    Verdict,
    shortened,
)
from mlebench.integrity.sources import RunSource
from mlebench.records.codec import RecordFormat
from mlebench.records.integrity import (
    EvidenceItem,
    IntegrityFinding,
    JudgeVerdict,
    SkippedCheck,
)
from mlebench.system.fork_server import ForkServer

SCHEMA = 1
MAX_HITS = 12
"""Hits of one run that get a second pass; more suggest a judge that answers yes to everything."""

AROUND = 4000
"""Characters before and after a hit that the second pass reads."""


class JudgeRecord(msgspec.Struct, frozen=True):
    """`host/judge.json`: what a replay needs besides the recorded calls."""

    model: str
    prompt_sha256: str
    nonce: str
    schema: int = SCHEMA


_RECORD = RecordFormat(JudgeRecord, SCHEMA)


@dataclass(frozen=True)
class Suspicion:
    """What the first pass suspects, with the entry that it quotes."""

    finding: JudgeFinding
    entry: DigestEntry


@dataclass
class Hearing:
    """The calls about one run."""

    model: JudgeModel
    nonce: str
    skipped: list[SkippedCheck] = field(default_factory=list)

    def first_pass(self, entries: Sequence[DigestEntry]) -> list[Suspicion]:
        """All suspicions whose quote occurs in the piece, each once."""
        summary = "nothing yet"
        hits: dict[tuple[str, str], Suspicion] = {}
        asked = "\n".join(f"{name}: {text}" for name, text in QUESTIONS.items())
        for number, piece in enumerate(split_digest(entries), 1):
            fenced = fence_entries(piece, self.nonce, self.model.calls)
            told = fence_text(summary, self.nonce, self.model.calls + 1_000_000)
            task = FIRST.format(questions=asked, summary=f"\n{told.text}\n")
            answer = read_object(self._ask(fenced, task, told.fence), FirstAnswer)
            if answer is None:
                self._note(f"the answer about piece {number} cannot be read")
                continue
            summary = answer.summary[:MAX_SUMMARY] or summary
            for finding in answer.findings:
                entry = _place(finding, piece)
                is_known = finding.question in QUESTIONS and finding.verdict != "no"
                if is_known and entry is not None and fenced.holds(finding.quote):
                    key = finding.question, " ".join(finding.quote.split())
                    hits.setdefault(key, Suspicion(finding, entry))
        if len(hits) > MAX_HITS:
            self._note(f"{len(hits) - MAX_HITS} more suspicions had no second pass")
        return list(hits.values())[:MAX_HITS]

    def second_pass(self, question: str, text: str) -> SecondAnswer | None:
        """The verdict after the innocent explanation; None if the answer cannot be read."""
        fenced = fence_text(text, self.nonce, self.model.calls)
        return read_object(self._ask(fenced, SECOND.format(question=question)), SecondAnswer)

    def _ask(self, fenced: FencedText, task: str, *more: str) -> str:
        names = " and ".join([fenced.fence, *more])
        text = f"FENCE is {names}.\n\n{fenced.text}\n\n{task}"
        return self.model.ask(
            [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}]
        )

    def _note(self, reason: str) -> None:
        self.skipped.append(SkippedCheck("judge", reason))


class ModelJudge:
    """Asks the model about one run after the other; see `Extension`."""

    def __init__(self, settings: GatewaySettings, control: Path, server: ForkServer) -> None:
        self._settings, self._control, self._server = settings, control, server

    def __call__(self, evidence: Evidence, findings: Sequence[IntegrityFinding]) -> Addition:
        folder = evidence.source.folder
        try:
            entries = read_digest(self._server, folder.path)
            nonce = self._nonce(folder.judge)
            with open_model(
                self._control, self._settings, evidence.source.record.run_id, folder.judge_calls
            ) as model:
                hearing = Hearing(model, nonce)
                made = [*self._suspicions(hearing, entries), *self._verdicts(hearing, findings)]
            lines = exchange_lines(folder.judge_calls)
        except (BenchError, NoAnswer) as error:
            reason = f"the judge could not be asked: {error}"
            return Addition(skipped=(SkippedCheck("judge", reason),))
        located = [_with_line(finding, lines) for finding in made]
        return Addition(
            findings=tuple(located), checks_run=("judge",), skipped=tuple(hearing.skipped)
        )

    def _nonce(self, path: Path) -> str:
        """The recorded nonce for a replay, else a new one."""
        if self._settings.replay is not None:
            return _RECORD.read(path).nonce
        nonce = secrets.token_hex(16)
        _RECORD.write(JudgeRecord(self._settings.model, PROMPT_SHA256, nonce), path)
        return nonce

    def _suspicions(
        self, hearing: Hearing, entries: Sequence[DigestEntry]
    ) -> Iterator[IntegrityFinding]:
        for hit in hearing.first_pass(entries):
            quote = hit.finding.quote
            answer = hearing.second_pass(
                QUESTIONS[hit.finding.question], f"{quote}\n\n{_context(hit.entry, quote)}"
            )
            # An unreadable answer does not acquit the run.
            verdict: Verdict = answer.verdict if answer else "unsure"
            if verdict == "no":
                continue
            if hit.finding.verdict == "unsure":
                verdict = "unsure"
            item = EvidenceItem(hit.entry.file, hit.entry.offset, quote=make_quote(quote))
            finding = make_finding(
                hit.finding.question,
                "review",
                f"the judge suspects ({verdict}): {make_quote(shortened(hit.finding.why))}",
                [item],
                deterministic=False,
            )
            yield self._judged(finding, verdict, answer, hearing)

    def _verdicts(
        self, hearing: Hearing, findings: Sequence[IntegrityFinding]
    ) -> Iterator[IntegrityFinding]:
        """Findings of the checks that depend on intent, with the verdict; their severity stays."""
        for finding in [f for f in findings if f.check in QUESTIONS][:MAX_HITS]:
            quotes = "\n".join(f"[{item.file}] {item.quote}" for item in finding.evidence)
            text = f"{finding.title}\n{quotes}"
            answer = hearing.second_pass(QUESTIONS[finding.check], text)
            yield self._judged(finding, answer.verdict if answer else "unsure", answer, hearing)

    def _judged(
        self,
        finding: IntegrityFinding,
        verdict: Verdict,
        answer: SecondAnswer | None,
        hearing: Hearing,
    ) -> IntegrityFinding:
        facts = JudgeVerdict(
            model=self._settings.model,
            prompt_sha256=PROMPT_SHA256,
            verdict=verdict,
            confidence=answer.stated_confidence if answer else None,
            trajectory_line=hearing.model.calls,
        )
        return msgspec.structs.replace(finding, judge=facts)


@contextmanager
def open_judge(runs: Sequence[RunSource], options: IntegrityOptions) -> Iterator[ModelJudge]:
    """The extension that asks a model about each run."""
    with judge_gateway(options) as (settings, control), ForkServer((MODULE,)) as server:
        yield ModelJudge(settings, control, server)


def _place(finding: JudgeFinding, piece: Sequence[DigestEntry]) -> DigestEntry | None:
    """The entry that contains the quote; the one with the stated offset, if several do."""
    quote = unmarked(finding.quote)
    found = [entry for entry in piece if quote in clean(entry.text)]
    stated = [entry for entry in found if entry.offset == finding.offset]
    return next(iter(stated or found), None)


def _context(entry: DigestEntry, quote: str) -> str:
    """The entry around the quote."""
    text = clean(entry.text)
    place = max(0, text.find(unmarked(quote)))
    return text[max(0, place - AROUND) : place + len(quote) + AROUND]


def _with_line(finding: IntegrityFinding, lines: Sequence[int]) -> IntegrityFinding:
    """The finding with the line of the call instead of its number."""
    judge = finding.judge
    if judge is None or judge.trajectory_line is None or judge.trajectory_line > len(lines):
        return finding
    line = lines[judge.trajectory_line - 1]
    located = msgspec.structs.replace(judge, trajectory_line=line)
    return msgspec.structs.replace(finding, judge=located)
