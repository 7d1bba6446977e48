"""Tweet Sentiment Extraction: the stretch of a tweet that carries its sentiment."""

from mlebench.competition import Competition
from mlebench.data.recipes import TableSplit
from mlebench.grading.formats import TextPerId
from mlebench.grading.values import texts
from mlebench.metrics import word_jaccard

rows = TextPerId(id="textID", target="selected_text", values=texts)

competition = Competition(
    id="tweet-sentiment-extraction",
    title="Tweet Sentiment Extraction",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=15_000,
    prepare=TableSplit(rows, sample_value=""),
    submission=rows,
    metric=word_jaccard,
    official_sample_score=0.0,
    accepts=frozenset({"nan"}),
)
