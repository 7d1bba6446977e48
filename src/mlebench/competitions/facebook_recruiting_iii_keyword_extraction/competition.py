"""Facebook Recruiting III: the tags of a question, from its title and text."""

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import TextPerId
from mlebench.formats.values import texts_only
from mlebench.metrics import label_set_micro_f1

competition = CompetitionDefinition(
    id="facebook-recruiting-iii-keyword-extraction",
    title="Facebook Recruiting III - Keyword Extraction",
    category="Text Classification",
    complexity="medium",
    awards_medals=True,
    prepare=prepare,
    submission=TextPerId(id="Id", target="Tags", values=texts_only),
    metric=label_set_micro_f1,
    official_sample_score=0.07645,
    faults=(
        Fault("predicted tags that no test question has are dropped and cost nothing"),
        Fault("the sample submission repeats all titles and texts"),
        Fault("lone tags such as `nan` and `null` are read as missing, on both sides"),
        Fault("repeated questions are in both parts of the split"),
    ),
    accepts=frozenset({"nan"}),
)
