"""Tweet Sentiment Extraction: the stretch of a tweet that carries its sentiment."""

from mlebench.definition import CompetitionDefinition
from mlebench.formats import TextPerId
from mlebench.formats.values import texts
from mlebench.metrics import word_jaccard
from mlebench.recipes import TableSplit

rows = TextPerId(id="textID", target="selected_text", values=texts)
tables = TableSplit(rows, sample_value="")

competition = CompetitionDefinition(
    id="tweet-sentiment-extraction",
    title="Tweet Sentiment Extraction",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=15_000,
    prepare=tables,
    submission=rows,
    metric=word_jaccard,
    rounding="python",
    official_sample_score=0.0,
    accepts=frozenset({"nan"}),
)
