"""Whether a result was earned: checks of a run's files, findings with evidence, reviews by people.

`mlebench integrity RUNS` makes the checks I1 to I16 (`registry.py`) in a confined child per run,
writes `host/integrity.json` and returns exit code 0, 3 (to review) or 4 (violation). Nothing of an
agent is executed, imported or unpickled.

Two parts look at a run after the checks, each a context manager that yields an `Extension`:

    plagiarism.similarity.open_similarity(runs, options)    compares code
    judge.open_judge(runs, options)                         asks a model

An `Extension` (`extensions.py`) is a callable `(evidence, findings) -> Addition` that
names the checks it makes. It is called in the parent process, once per run and in the order of the
runs; `Evidence` has everything that a run left as text passages (`evidence.py`), and `findings` are
those of the deterministic checks. An `Addition` has more findings (use `make_finding`), entries for
`similarity`, replaced findings (with the verdict of a judge) and checks that were skipped, with
the reason. `IntegrityOptions` has `kernels`, `judge` and `questions` as given on the command line.
"""
