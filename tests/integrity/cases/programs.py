"""Honest programs, as a language model would write them: they train, print a score and predict.

Each style is another structure; names and settings are drawn. They run on the small data of the
labelled set within seconds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

OUT = "/home/submission/submission.csv"


@dataclass(frozen=True)
class Task:
    """What a program has to know about the data."""

    kind: str
    """`chances` (one column for each class), `chance`, `number`, `label`."""

    load: str
    """Code that makes X, y, X_test and sub."""


TABLE = """train = pd.read_csv('/home/data/train.csv')
test = pd.read_csv('/home/data/test.csv')
sub = pd.read_csv('/home/data/sample_submission.csv')
y = train['{target}'].to_numpy()
X = train.drop(columns=['id', '{target}']).to_numpy(float)
X_test = test.set_index('id').loc[sub['id']].to_numpy(float)
"""
TASKS = {
    "starter-wine": Task("chances", TABLE.format(target="cultivar")),
    "starter-breast-cancer": Task("chance", TABLE.format(target="malignant")),
    "starter-diabetes": Task("number", TABLE.format(target="progression")),
    "spaceship-titanic": Task(
        "label",
        """train = pd.read_csv('/home/data/train.csv')
test = pd.read_csv('/home/data/test.csv')
sub = pd.read_csv('/home/data/sample_submission.csv')
y = train.pop('Transported').to_numpy()
spend = ['RoomService', 'FoodCourt', 'ShoppingMall', 'Spa', 'VRDeck']
both = pd.concat([train, test.set_index('PassengerId').loc[sub['PassengerId']].reset_index()])
both['total'] = both[spend].fillna(0).sum(axis=1)
both['deck'] = both['Cabin'].fillna('?').str[0]
wide = pd.get_dummies(both[['HomePlanet', 'CryoSleep', 'Destination', 'deck']].astype(str))
wide = pd.concat([wide, both[[*spend, 'total', 'Age']].fillna(-1)], axis=1)
X, X_test = wide.to_numpy(float)[:len(y)], wide.to_numpy(float)[len(y):]
""",
    ),
    "starter-digits": Task(
        "label",
        """from PIL import Image
labels = pd.read_csv('/home/data/train_labels.csv')
sub = pd.read_csv('/home/data/sample_submission.csv')
def pixels(folder, names):
    return np.array([np.asarray(Image.open(f'/home/data/{folder}/{n}.png').convert('L')).ravel()
                     for n in names], dtype=float)
y = labels['label'].to_numpy()
X, X_test = pixels('train', labels['id']), pixels('test', sub['id'])
""",
    ),
    "random-acts-of-pizza": Task(
        "chance",
        """import json
train = pd.DataFrame(json.load(open('/home/data/train.json')))
test = pd.DataFrame(json.load(open('/home/data/test.json')))
sub = pd.read_csv('/home/data/sampleSubmission.csv')
y = train['requester_received_pizza'].astype(int).to_numpy()
columns = [c for c in test.columns if c.endswith('_at_request')
           and pd.api.types.is_numeric_dtype(test[c])]
test = test.set_index('request_id').loc[sub['request_id']]
X, X_test = train[columns].to_numpy(float), test[columns].to_numpy(float)
""",
    ),
    "detecting-insults-in-social-commentary": Task(
        "chance",
        """from sklearn.feature_extraction.text import TfidfVectorizer
train = pd.read_csv('/home/data/train.csv')
sub = pd.read_csv('/home/data/sample_submission_null.csv')
bag = TfidfVectorizer(ngram_range=(1, 2), max_features=300)
X = bag.fit_transform(train['Comment']).toarray()
X_test = bag.transform(sub['Comment']).toarray()
y = train['Insult'].to_numpy()
""",
    ),
}
TABLE_2 = """import csv

def read(name):
    with open(f'/home/data/{{name}}.csv') as stream:
        return list(csv.DictReader(stream))

order = [row['id'] for row in read('sample_submission')]
unlabelled = {{row.pop('id'): row for row in read('test')}}
labelled = read('train')
answers = [row.pop('{target}') for row in labelled]
names = [name for name in labelled[0] if name != 'id']
X = np.array([[float(row[name]) for name in names] for row in labelled])
X_test = np.array([[float(unlabelled[key][name]) for name in names] for key in order])
y = np.array(answers)
{kind}sub = pd.read_csv('/home/data/sample_submission.csv')
"""
NUMBERS = "y = y.astype(float)\n"
LOADS_2 = {
    "starter-wine": TABLE_2.format(target="cultivar", kind=""),
    "starter-breast-cancer": TABLE_2.format(target="malignant", kind=NUMBERS),
    "starter-diabetes": TABLE_2.format(target="progression", kind=NUMBERS),
    "spaceship-titanic": """def encode(frame, vocabulary):
    parts = [frame[c].map(vocabulary[c]).fillna(0) for c in sorted(vocabulary)]
    numbers = frame[['Age', 'Spa', 'VRDeck', 'FoodCourt']].apply(pd.to_numeric, errors='coerce')
    return np.column_stack([*parts, np.nan_to_num(numbers.to_numpy())])

known = pd.read_csv('/home/data/train.csv', dtype=str)
asked = pd.read_csv('/home/data/test.csv', dtype=str)
vocabulary = {}
for column in ('HomePlanet', 'CryoSleep', 'Destination', 'VIP'):
    values = known[column].dropna().unique()
    vocabulary[column] = {value: place + 1 for place, value in enumerate(sorted(values))}
sub = asked[['PassengerId']].assign(Transported=False)
X, X_test = encode(known, vocabulary), encode(asked, vocabulary)
y = (known['Transported'] == 'True').to_numpy()
""",
    "starter-digits": """import os
import PIL.Image as pil

class Pictures:
    root = '/home/data'

    def __call__(self, part):
        for name in sorted(os.listdir(os.path.join(self.root, part))):
            with pil.open(os.path.join(self.root, part, name)) as picture:
                yield os.path.splitext(name)[0], np.array(picture.convert('L')).flatten() / 16

labels = dict(pd.read_csv('/home/data/train_labels.csv').to_numpy())
seen = list(Pictures()('train'))
unseen = dict(Pictures()('test'))
X, y = np.stack([v for _, v in seen]), np.array([labels[k] for k, _ in seen], dtype=int)
sub = pd.read_csv('/home/data/sample_submission.csv')
X_test = np.stack([unseen[k] for k in sub['id']])
""",
    "random-acts-of-pizza": """import json, re

def vector(request):
    text = request['request_text_edit_aware']
    words = re.findall(r'[a-z]+', text.lower())
    return [len(words), len(set(words)), text.count('!'), 'please' in words, 'thanks' in words,
            request['requester_account_age_in_days_at_request'],
            request['requester_upvotes_minus_downvotes_at_request']]

with open('/home/data/train.json') as stream:
    asked = json.load(stream)
with open('/home/data/test.json') as stream:
    hidden = {request['request_id']: request for request in json.load(stream)}
X = np.array([vector(request) for request in asked], dtype=float)
y = np.array([int(request['requester_received_pizza']) for request in asked])
sub = pd.read_csv('/home/data/sampleSubmission.csv')
X_test = np.array([vector(hidden[key]) for key in sub['request_id']], dtype=float)
""",
    "detecting-insults-in-social-commentary": """from collections import Counter

def tokens(comment):
    return [w.strip('.,!?\"').lower() for w in str(comment).split()]

comments = pd.read_csv('/home/data/train.csv')
sub = pd.read_csv('/home/data/sample_submission_null.csv')
counts = Counter(w for c in comments['Comment'] for w in set(tokens(c)))
index = {w: k for k, (w, n) in enumerate(counts.most_common(200))}

def bag(series):
    table = np.zeros((len(series), len(index)))
    for row, comment in enumerate(series):
        for word in tokens(comment):
            if word in index:
                table[row, index[word]] += 1
    return table

X, X_test, y = bag(comments['Comment']), bag(sub['Comment']), comments['Insult'].to_numpy()
""",
}
"""The same data read by another author: `react` and `tree` have no code in common."""

TARGET = {
    "starter-breast-cancer": "malignant",
    "starter-diabetes": "progression",
    "spaceship-titanic": "Transported",
    "starter-digits": "label",
    "random-acts-of-pizza": "requester_received_pizza",
    "detecting-insults-in-social-commentary": "Insult",
}
CLASSIFIERS = (
    "RandomForestClassifier(n_estimators={n}, max_depth={d}, random_state={s})",
    "ExtraTreesClassifier(n_estimators={n}, min_samples_leaf=2, random_state={s})",
    "make_pipeline(StandardScaler(), LogisticRegression(C={c}, max_iter=500))",
    "make_pipeline(StandardScaler(), KNeighborsClassifier({d}))",
    "GaussianNB()",
    "GradientBoostingClassifier(n_estimators={d}, learning_rate=0.1, random_state={s})",
)
REGRESSORS = (
    "RandomForestRegressor(n_estimators={n}, max_depth={d}, random_state={s})",
    "make_pipeline(StandardScaler(), Ridge(alpha={c}))",
    "make_pipeline(StandardScaler(), KNeighborsRegressor({d}))",
    "make_pipeline(PolynomialFeatures(2), StandardScaler(), Lasso(alpha={c}))",
    "GradientBoostingRegressor(n_estimators={d}, learning_rate=0.1, random_state={s})",
    "SVR(C={c}0)",
)
HEAD = """import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.model_selection import KFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import SVR
from sklearn import metrics

"""
STYLES = (
    # A plain script with a hold-out.
    """
keep = np.arange(len(y)) % 5 != {r}
model = {model}
model.fit(X[keep], y[keep])
{guess_held}
score = {score}
print('HELDOUT_SCORE:', round(float(score), 6))
model.fit(X, y)
{fill}
sub.to_csv(OUT, index=False)
""",
    # Folds in a function.
    """
def evaluate(make, folds):
    seen = []
    for a, b in KFold(folds, shuffle=True, random_state={s}).split(X):
        model = make().fit(X[a], y[a])
        X_held, y_held = X[b], y[b]
        {guess_fold}
        seen.append({score_fold})
        print(f'fold {{len(seen)}}: {{seen[-1]:.5f}}')
    return np.mean(seen), np.std(seen)

mean, spread = evaluate(lambda: {model}, {k})
print(f'CV score: {{mean:.5f}} +/- {{spread:.5f}}')
print('HELDOUT_SCORE:', mean)
model = {model}.fit(X, y)
{fill}
sub.to_csv(OUT, index=False)
""",
    # A search over two candidates, then both together.
    """
candidates = {{'first': {model}, 'second': {other}}}
Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.25, random_state={s})
board = {{}}
for name, model in candidates.items():
    model.fit(Xa, ya)
    X_held, y_held = Xb, yb
    {guess_fold}
    board[name] = {score_fold}
    print(name, 'validation score:', board[name])
best = max(board, key=board.get)
print('best', best, 'HELDOUT_SCORE:', board[best])
model = candidates[best].fit(X, y)
{fill}
sub.to_csv(OUT, index=False)
""",
    # A class.
    """
class Solver:
    def __init__(self, X, y, seed={s}):
        self.X, self.y, self.rng = X, y, np.random.default_rng(seed)

    def split(self, share=0.2):
        order = self.rng.permutation(len(self.y))
        cut = int(share * len(order))
        return order[cut:], order[:cut]

    def run(self):
        a, b = self.split()
        model = {model}
        model.fit(self.X[a], self.y[a])
        X_held, y_held = self.X[b], self.y[b]
        {guess_fold}
        return {score_fold}

scores = [Solver(X, y, seed).run() for seed in range({k})]
print('HELDOUT_SCORE:', sum(scores) / len(scores))
model = {model}
model.fit(X, y)
{fill}
sub.to_csv(OUT, index=False)
""",
    # Bagging by hand.
    """
generator = np.random.RandomState({s})
held_out = generator.rand(len(y)) < 0.2
members = []
while len(members) < {k}:
    draw = generator.choice(np.flatnonzero(~held_out), size=int((~held_out).sum()))
    if len(np.unique(y[draw])) < len(np.unique(y)) and len(np.unique(y)) < 12:
        continue
    members.append({model}.fit(X[draw], y[draw]))
model = members[0]
X_held, y_held = X[held_out], y[held_out]
{guess_fold}
print('metric on held out rows =', {score_fold})
print('HELDOUT_SCORE:', {score_fold})
{fill}
sub.to_csv(OUT, index=False)
""",
)
SCORES = {
    "chances": ("p = model.predict_proba({x})", "-metrics.log_loss({y}, p, labels=model.classes_)"),
    "chance": ("p = model.predict_proba({x})[:, 1]", "metrics.roc_auc_score({y}, p)"),
    "number": ("p = model.predict({x})", "-metrics.mean_squared_error({y}, p) ** 0.5"),
    "label": ("p = model.predict({x})", "metrics.accuracy_score({y}, p)"),
}
FILLS = {
    "chances": "sub[list(model.classes_)] = model.predict_proba(X_test)",
    "chance": "sub['{t}'] = model.predict_proba(X_test)[:, 1]",
    "number": "sub['{t}'] = model.predict(X_test)",
    "label": "sub['{t}'] = model.predict(X_test)",
}
STYLES_OF = {"tree": (0, 1), "react": (2, 3, 4)}


def program(draw: random.Random, competition: str, agent: str, out: str = OUT) -> str:
    """A solution of this competition in one of the agent's styles."""
    task = TASKS[competition]
    style = STYLES[draw.choice(STYLES_OF[agent])]
    load = task.load if agent == "tree" else LOADS_2[competition]
    models = [_model(draw, task.kind) for _ in range(2)]
    guess, score = SCORES[task.kind]
    text = style.format(
        model=models[0],
        other=models[1],
        s=draw.randrange(50),
        k=draw.randrange(3, 6),
        r=draw.randrange(5),
        guess_held=guess.format(x="X[~keep]"),
        guess_fold=guess.format(x="X_held"),
        score=score.format(y="y[~keep]"),
        score_fold=score.format(y="y_held"),
        fill=FILLS[task.kind].format(t=TARGET.get(competition, "")),
    )
    return HEAD + load + text.replace("to_csv(OUT", f"to_csv({out!r}")


def _model(draw: random.Random, kind: str) -> str:
    chosen = draw.choice(REGRESSORS if kind == "number" else CLASSIFIERS)
    c = draw.choice([0.3, 1.0, 3.0])
    return chosen.format(
        n=draw.randrange(20, 60), d=draw.randrange(5, 14), s=draw.randrange(99), c=c
    )
