"""U.S. Patent Phrase to Phrase Matching: how similar two phrases are within a patent class."""

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.metrics import pearson_correlation
from mlebench.recipes import TableSplit

rows = RowPerId(id="id", target="score")

competition = CompetitionDefinition(
    id="us-patent-phrase-to-phrase-matching",
    title="U.S. Patent Phrase to Phrase Matching",
    category="Text (Other)",
    complexity="medium",
    competition_type="code",
    awards_medals=True,
    prize_usd=14_200,
    prepare=TableSplit(rows),
    submission=rows,
    metric=pearson_correlation,
    faults=(
        Fault("the sample submission is constant, so that it has no score"),
        Fault("the recorded prize money counts the first prize as 1,200 USD instead of 12,000"),
        Fault("phrases such as `null` or `NA` become empty cells"),
    ),
)
