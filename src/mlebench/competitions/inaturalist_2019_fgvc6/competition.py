"""iNaturalist 2019: the species of a plant or animal on a photograph."""

from mlebench.competitions.inaturalist_2019_fgvc6.format import first_whole_numbers
from mlebench.competitions.inaturalist_2019_fgvc6.prepare import prepare
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerId
from mlebench.metrics import top_1_error

competition = CompetitionDefinition(
    id="inaturalist-2019-fgvc6",
    title="iNaturalist 2019 at FGVC6",
    category="Image Classification",
    complexity="medium",
    prepare=prepare,
    submission=RowPerId(id="id", target="predicted", values=first_whole_numbers),
    metric=top_1_error,
    rounding="python",
    answers="private/answers.csv",
    sample_submission="public/kaggle_sample_submission.csv",
    official_sample_score=0.9996,
    faults=(
        Fault("val2019.json describes validation images that are not delivered"),
        Fault("members of the archives lack the top folder that the JSON files name"),
        Fault("files called .tar.gz are plain tar"),
        Fault(
            "every row of the sample submission has the same class: the seed is set again for each"
        ),
    ),
)
