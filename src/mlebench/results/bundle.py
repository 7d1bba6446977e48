"""Write results as one zip that others can check: records, reports, ledgers and hashes.

bundle.json                      schema, sources in order, the figures claimed, every file's hash
groups/<n>/                      has the layout of a run group
  metadata.json ledger.jsonl
  <run>/run.json
  <run>/host/report.json
  <run>/host/integrity.json      findings without evidence, where the run was checked
  <run>/host/submission.csv      with `submissions` only
reports/<n>_grading_report.json  where the source is a grading report

Only the fields named here are copied: no host paths, prompts, addresses or kernel versions.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from mlebench.errors import DataError, UsageError
from mlebench.records.bundle import BUNDLE_FILE, BundleRecord, Claim, ListedFile, encode_bundle
from mlebench.records.codec import to_json
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import GroupRecord
from mlebench.records.integrity import IntegrityRecord
from mlebench.records.ledger import read_ledger
from mlebench.records.reasons import without_host_paths
from mlebench.records.report import CompetitionReport
from mlebench.records.run import RunRecord
from mlebench.results.aggregate import SplitSummary
from mlebench.results.attempts import Attempt
from mlebench.results.disclosure import contradictions, disclose, with_claims
from mlebench.results.redaction import Cleaner
from mlebench.results.tables import summary_json
from mlebench.system.files import atomic_file
from mlebench.version import __version__

DATE = (1980, 1, 1, 0, 0, 0)
Files = dict[str, bytes | Path]
"""The content of each member: small ones as bytes, submissions as paths."""

PLAIN_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,199}", re.ASCII)
RUN_FIELDS = (
    "run_id competition_id agent seed state attempt created_at started_at ended_at seconds blame"
    " validations score medal schema"
).split()
INSIDE = {
    "sandbox": "name isolation network".split(),
    "model": (
        "name calls answered failed aborted refused input_tokens output_tokens cached_tokens"
        " unknown_tokens cost seconds budget_spent is_replay"
    ).split(),
    "submission": "exists sha256 size".split(),
    "provenance": (
        "mlebench revision python machine cpus cpu_model memory_bytes gpus manifest_sha256"
    ).split(),
}
USAGE = "wall_seconds cpus memory_bytes processes disk_bytes gpus".split()
SETTINGS = (
    "sandbox hours profile limits is_obfuscated obfuscation is_rehearsal revision network model"
    " budget"
).split()
GROUP_FIELDS = (
    "created_at agent agent_version agent_digest enforced protocol plan_hash schema".split()
)
FINDING = "id check severity deterministic status".split()
LEDGER_FIELDS = set(
    "number time run_id competition_id attempt score valid submission_sha256 previous hash"
    " schema".split()
)
REVIEW_FIELDS = {"kind", "finding", "decision", "reviewer", "reason"}
"""Of a ledger entry that is a review; the reviewer's name is published with the decision."""


def write_bundle(
    attempts: Sequence[Attempt],
    summary: Mapping[str, SplitSummary],
    path: Path,
    *,
    name: str,
    models: str = "",
    submissions: bool = False,
    claims: Mapping[str, Any] | None = None,
) -> int:
    """Write the bundle of one agent's attempts, reproducibly; returns the number of files.

    Args:
        submissions: include the sealed submissions, so that they can be graded again.
        claims: fields of the disclosure that the records lack, or should confirm.

    Raises:
        UsageError: the path does not end in `.zip` or cannot be written, or a claim contradicts
            the records.
        DataError: a record has a field or a file that must not be published.
    """
    if path.suffix != ".zip":
        raise UsageError(f"the name of a bundle ends in .zip, found {path.name!r}")
    if any(attempt.conditions.names not in (None, "original") for attempt in attempts):
        raise UsageError(
            "runs with neutral names (L2, L3) are not comparable with the benchmark and are not"
            " packed",
            hint="mlebench contamination --runs compares them with plain runs",
        )
    places = [Path(place) for place in {attempt.source for attempt in attempts}]
    clean = Cleaner([*places, *(place.parent for place in places)])
    files, sources = _collect(attempts, clean, submissions)
    claim = Claim(
        name=name,
        models=models,
        splits=summary_json(summary),
        is_padded=any(split.padded for split in summary.values()),
        seeds=max(split.seeds for split in summary.values()),
    )
    recorded = disclose(attempts, seeds=claim.seeds)
    disclosure = with_claims(recorded, claims or {})
    for text in contradictions(disclosure, recorded, attempts):
        raise UsageError(text, hint="correct the claim, or leave it to the records")
    listed = {name: describe_file(data) for name, data in files.items()}
    record = BundleRecord(__version__, tuple(sources), claim, listed, disclosure)
    members: Files = {BUNDLE_FILE: encode_bundle(record), **dict(sorted(files.items()))}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_file(path) as stream:
            _write_zip(members, stream)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
    return len(members)


def _write_zip(members: Files, stream: BinaryIO) -> None:
    """All members have the same date and mode; submissions are copied in pieces."""
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = 0o644 << 16
            with archive.open(member, "w", force_zip64=isinstance(content, Path)) as goal:
                if isinstance(content, bytes):
                    goal.write(content)
                else:
                    with content.open("rb") as source:
                        shutil.copyfileobj(source, goal, 1 << 20)


def _collect(
    attempts: Sequence[Attempt], clean: Cleaner, submissions: bool
) -> tuple[Files, list[str]]:
    files: Files = {}
    sources: dict[str, str] = {}
    entries: dict[str, list[dict[str, Any]]] = {}
    for attempt in attempts:
        number = f"{len(sources) + 1:03}"
        if attempt.group is None:
            place = sources.setdefault(attempt.source, f"reports/{number}_grading_report.json")
            if attempt.report:
                entries.setdefault(place, []).append(_report(attempt.report, clean))
            continue
        is_new = attempt.source not in sources
        place = sources.setdefault(attempt.source, f"groups/{number}")
        if is_new:
            files |= _group_files(attempt.group, GroupFolder(Path(attempt.source)), place)
        files |= _run_files(attempt, place, clean, submissions)
    for place, reports in entries.items():
        files[place] = _json({"competition_reports": reports})
    return files, list(sources.values())


def _group_files(group: GroupRecord, folder: GroupFolder, place: str) -> dict[str, bytes]:
    stored = to_json(group)
    record = _chosen(stored, GROUP_FIELDS) | {
        "group": Path(place).name,
        "settings": _chosen(stored["settings"], SETTINGS)
        | {"gateway": _chosen(stored["settings"]["gateway"], ("prices",))},
        "runs": stored["runs"],
        "provenance": _chosen(stored["provenance"], INSIDE["provenance"]),
    }
    files = {f"{place}/metadata.json": _json(record)}
    if read_ledger(folder.ledger).entries:
        # Unchanged: the hash chain covers these bytes.
        data = folder.ledger.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            if unknown := set(json.loads(line)) - LEDGER_FIELDS - REVIEW_FIELDS:
                raise DataError(f"the ledger of {folder.path.name} has a field {min(unknown)!r}")
        files[f"{place}/ledger.jsonl"] = whole
    return files


def _run_files(attempt: Attempt, place: str, clean: Cleaner, submissions: bool) -> Files:
    run, folder = attempt.run, attempt.folder
    if run is None or folder is None:
        return {}
    if not PLAIN_NAME.fullmatch(run.run_id):
        raise DataError(
            f"the run id {run.run_id!r} cannot be in a bundle:"
            " expected up to 200 letters, digits and _.-, the first a letter or a digit"
        )
    home = f"{place}/{run.run_id}"
    files: Files = {f"{home}/run.json": _json(_run(run, place, clean))}
    if attempt.report:
        files[f"{home}/host/report.json"] = _json(_report(attempt.report, clean))
        if attempt.integrity:
            files[f"{home}/host/integrity.json"] = _json(_integrity(attempt.integrity))
        if submissions and attempt.report.submission_sha256:
            files[f"{home}/host/submission.csv"] = _sealed(folder, attempt.report)
    return files


def _sealed(folder: RunFolder, report: CompetitionReport) -> Path:
    """The sealed submission, if its hash is that of the graded file."""
    file = folder.sealed_submission
    try:
        digest = describe_file(file).sha256
    except OSError as error:
        raise DataError(f"{file} cannot be read: {error.strerror}") from None
    if digest != report.submission_sha256:
        raise DataError(f"{file} is not the file that was graded")
    return file


def _run(run: RunRecord, place: str, clean: Cleaner) -> dict[str, Any]:
    stored = to_json(run)
    found = _chosen(stored, RUN_FIELDS) | {"group": Path(place).name}
    for name, fields in INSIDE.items():
        found[name] = _chosen(stored[name] or {}, fields)
    found["usage"] = _chosen(stored["usage"], USAGE)
    found["reason"] = without_host_paths(clean(run.reason))[:300] if run.reason else None
    found["attempts"] = [_chosen(lost, ("attempt", "kind")) for lost in stored["attempts"]]
    return found


def _integrity(record: IntegrityRecord) -> dict[str, Any]:
    """The findings without quotes and reviewers, which may be personal."""
    stored = to_json(record)
    findings = [_chosen(f, FINDING) | {"title": f["check"]} for f in stored["findings"]]
    kept = ("run_id", "competition_id", "revision", "created_at", "tool_version", "checks_run")
    return _chosen(stored, (*kept, "summary", "result", "schema")) | {"findings": findings}


def _report(report: CompetitionReport, clean: Cleaner) -> dict[str, Any]:
    facts = report.to_dict()
    reason = without_host_paths(clean(report.reason))[:300] if report.reason else None
    return facts | {"submission_path": "submission.csv", "reason": reason}


def _chosen(facts: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: facts[name] for name in names if name in facts}


def describe_file(content: bytes | Path) -> ListedFile:
    """Size and hash."""
    if isinstance(content, bytes):
        return ListedFile(len(content), hashlib.sha256(content).hexdigest())
    with content.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return ListedFile(content.stat().st_size, digest)


def _json(value: Any) -> bytes:
    text = json.dumps(value, indent=1, sort_keys=True, allow_nan=False, default=dict)
    return text.encode() + b"\n"
