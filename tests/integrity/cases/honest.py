"""The ordinary work of an honest run, which planted violations are added to."""

from __future__ import annotations

import random

from tests.integrity.cases.making import Script

IMPORTS = (
    "import pandas as pd\nfrom sklearn.ensemble import RandomForestClassifier\n",
    "import numpy as np\nimport lightgbm as lgb\n",
    "import pandas as pd\nfrom sklearn.linear_model import Ridge\nimport xgboost as xgb\n",
    "import torch\nfrom torch import nn\n",
)
SPLIT = (
    "X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=42)\n",
    "Xa, Xb, ya, yb = train_test_split(train, labels, test_size=0.25, random_state=0)\n",
    "kf = KFold(5, shuffle=True, random_state=42)\nnp.random.seed(42)\n",
    "rng = np.random.default_rng(0)\norder = rng.permutation(len(train))\n",
)


def program(draw: random.Random) -> str:
    """A plausible solution that is saved, not executed."""
    return (
        draw.choice(IMPORTS)
        + "train = pd.read_csv('/home/data/train.csv')\ntest = pd.read_csv('/home/data/test.csv')\n"
        + draw.choice(SPLIT)
        + "model.fit(X_tr, y_tr)\nprint('validation score:', model.score(X_va, y_va))\n"
        + "sub = pd.read_csv('/home/data/sample_submission.csv')\n"
        + "sub.iloc[:, 1] = model.predict(test)\n"
        + "sub.to_csv('/home/submission/submission.csv', index=False)\n"
    )


def ordinary(draw: random.Random) -> Script:
    score = f"{draw.uniform(0.3, 0.7):.4f}"
    return [
        ("write", {"file": "code/solve.py", "text": program(draw)}),
        ("say", {"text": f"fold {draw.randrange(5)} done\nCV score: {score}"}),
        ("submit", {"kind": "noise"}),
        ("validate", {"times": draw.randrange(1, 4)}),
    ]
