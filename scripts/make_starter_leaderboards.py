"""Make the leaderboards of the starter competitions by scoring many scikit-learn pipelines.

    python scripts/make_starter_leaderboards.py [ID …] [--out FOLDER] [--list]

Each pipeline is trained on the public training data, writes a submission, and is graded by our own
grader against the hidden answers. The same library versions give the same board.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import warnings
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.base import clone
from starter_pipelines import Entrant, classifiers, regressors

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import judge
from mlebench.leaderboards.leaderboard import QUANTILES, thresholds_of
from mlebench.preparing.prepare import prepare

Task = tuple[Any, Any, Any]
"""Training features, training target, test features."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID", help="all four where none is named")
    parser.add_argument("--out", type=Path, help="a folder for <id>.json, not the package")
    parser.add_argument("--list", action="store_true", help="print every entrant and its score")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Catalogue(Path(folder))
        for competition_id in args.ids or catalogue.get_split("starter"):
            competition = catalogue.get_competition(competition_id)
            prepare(competition)
            scores = score_entrants(competition, Path(folder) / "submission.csv")
            lower = competition.definition.metric.is_lower_better
            board = sorted(scores.items(), key=lambda item: item[1], reverse=not lower)
            if args.list:
                for rank, (name, score) in enumerate(board, 1):
                    print(f"{rank:4}  {score:9.5f}  {name}")
            target = competition.home / "leaderboard.json"
            if args.out:
                target = args.out / f"{competition_id}.json"
            write_board([score for _, score in board], lower, target)
            print(f"{competition_id}: {len(board)} entrants, {target}")


def score_entrants(
    competition: LocatedCompetition, path: Path, names: Collection[str] = ()
) -> dict[str, float]:
    """The score of every entrant by name, or of those named alone."""
    task, entrants, predict = TASKS[competition.id](competition.public_dir)
    sample = pd.read_csv(competition.sample_submission)
    scores = {}
    for entrant in entrants:
        if names and entrant.name not in names:
            continue
        columns = predict(fitted(entrant, task), task[2])
        submission = sample[["id"]].assign(
            **dict(zip(sample.columns[1:], np.atleast_2d(columns), strict=True))
        )
        submission.to_csv(path, index=False)
        verdict = judge(path, competition)
        if verdict.score is None:
            raise SystemExit(f"{competition.id}: {entrant.name} is invalid: {verdict.reason}")
        if entrant.name in scores:
            raise SystemExit(f"two entrants are called {entrant.name!r}")
        scores[entrant.name] = verdict.score
    return scores


def fitted(entrant: Entrant, task: Task) -> Any:
    """The entrant's model after training."""
    features, target, _ = task
    count = max(12, round(entrant.share * len(features)))
    with warnings.catch_warnings():
        # A network that stops before it converges is a weaker entrant, not a fault.
        warnings.simplefilter("ignore")
        return clone(entrant.model).fit(features[:count], target[:count])


def write_board(best_first: list[float], is_lower_better: bool, target: Path) -> None:
    """The summary that `grading/leaderboard.py` rebuilds the board from."""
    teams = len(best_first)
    cuts = thresholds_of(best_first, is_lower_better)
    ranks = [max(1, math.ceil(i * teams / QUANTILES)) for i in range(QUANTILES + 1)]
    facts = {
        "teams": teams,
        "lower_is_better": is_lower_better,
        "gold": cuts.gold,
        "silver": cuts.silver,
        "bronze": cuts.bronze,
        "median": round(cuts.median, 6),
        "best": best_first[0],
        "worst": best_first[-1],
        "entrants": "scikit-learn pipelines, made by scripts/make_starter_leaderboards.py",
    }
    quantiles = json.dumps([best_first[rank - 1] for rank in ranks])
    text = json.dumps(facts, indent=1)
    target.write_text(f'{text[:-2]},\n "quantiles": {quantiles}\n}}', "utf-8")


def table_task(public: Path, target: str) -> Task:
    train, test = pd.read_csv(public / "train.csv"), pd.read_csv(public / "test.csv")
    features = train.drop(columns=["id", target])
    return features.to_numpy(), train[target].to_numpy(), test[features.columns].to_numpy()


def breast_cancer(public: Path) -> tuple[Task, Any, Callable[[Any, Any], Any]]:
    task = table_task(public, "malignant")
    return task, classifiers(30), lambda model, test: model.predict_proba(test)[:, 1]


def diabetes(public: Path) -> tuple[Task, Any, Callable[[Any, Any], Any]]:
    task = table_task(public, "progression")
    return task, regressors(10), lambda model, test: np.ravel(model.predict(test))


def wine(public: Path) -> tuple[Task, Any, Callable[[Any, Any], Any]]:
    task = table_task(public, "cultivar")
    return task, classifiers(13), lambda model, test: model.predict_proba(test).T


def digits(public: Path) -> tuple[Task, Any, Callable[[Any, Any], Any]]:
    labels = pd.read_csv(public / "train_labels.csv")
    sample = pd.read_csv(public / "sample_submission.csv")
    train, test = (
        np.stack([np.asarray(Image.open(public / part / f"{i}.png")).ravel() / 16 for i in ids])
        for part, ids in (("train", labels["id"]), ("test", sample["id"]))
    )
    task = (train, labels["label"].to_numpy(), test)
    return task, classifiers(64), lambda model, test: model.predict(test)


TASKS = {
    "starter-breast-cancer": breast_cancer,
    "starter-diabetes": diabetes,
    "starter-digits": digits,
    "starter-wine": wine,
}

if __name__ == "__main__":
    main()
