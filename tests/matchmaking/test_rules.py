"""Every rule is declared with everything a form or a page needs."""

import pytest
from pydantic import ValidationError

from matchmaking.dishonor import DishonorRules, Penalty
from matchmaking.io.blocks import Checkpoint, LadderSeason, PointRule, PointRules, RatingsBlock
from matchmaking.lab.workload import Workload
from matchmaking.prediction import PredictionRules
from matchmaking.rank_filter import RankFilterRules
from matchmaking.rules.arena import Choices, LadderFilter, MatcherRules, QueueRules, Rules
from matchmaking.rules.laurel import LaurelRules
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters

MODELS: list[type[Parameters]] = [
    Checkpoint,
    Choices,
    DishonorRules,
    LadderFilter,
    LadderSeason,
    LaurelRules,
    MatcherRules,
    Penalty,
    PointRule,
    PointRules,
    PredictionRules,
    QueueRules,
    RankFilterRules,
    RatingsBlock,
    Rules,
    Workload,
]
NOT_IN_XML = {Choices, LaurelRules, RankFilterRules, Rules, Workload}
IN_XML = [model for model in MODELS if model not in NOT_IN_XML]


@pytest.mark.parametrize("model", IN_XML)
def test_every_published_rule_has_its_own_place_in_xml(model: type[Parameters]) -> None:
    places = [declaration.xml for declaration in declarations(model)]
    assert all("@" in place for place in places)
    assert len(set(places)) == len(places)


def test_the_first_value_of_each_choice_is_the_default() -> None:
    for declaration in declarations(Choices):
        if declaration.kind == "choice":
            assert declaration.default == declaration.choices[0].value


@pytest.mark.parametrize("model", MODELS)
def test_every_rule_accepts_its_bounds_and_refuses_values_outside(
    model: type[Parameters],
) -> None:
    for declaration in declarations(model):
        if declaration.kind not in {"number", "integer", "duration"}:
            continue
        low, high = declaration.minimum, declaration.maximum
        assert low is not None
        assert high is not None
        within = {high} if declaration.exclusive_minimum else {low, high}
        outside = {low - 1, high + max(1, high * 1e-6), float("nan"), float("inf"), "many", None}
        for value in within | outside:
            named = refused(model, declaration.name, value)
            assert (declaration.name in named) == (value in outside), (declaration.name, value)


def refused(model: type[Parameters], name: str, value: object) -> set[object]:
    """Return the rules refused for a value of their own; clashes with other rules do not count."""
    try:
        model.model_validate({name: value})
    except ValidationError as error:
        return {item["loc"][0] for item in error.errors() if item["loc"]}
    return set()


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ({"roster_min": 3, "roster_max": 2}, "roster_min must be at most roster_max"),
        ({"potentials_min": 501}, "potentials_min must be at most potentials_max"),
        ({"potentials_start": "4m"}, "potentials_start must be at most potentials_end"),
        ({"rating_start": "11m"}, "rating_start must be at most rating_end"),
        ({"rating_min": 1201}, "rating_min must be at most rating_max"),
        ({"roster_min": 0}, "greater than or equal to 1"),
        ({"iteration_interval": 0}, "greater than 0"),
        ({"iteration_rosters": -1}, "greater than or equal to 0"),
        ({"rating_max": 2e9}, "less than or equal to"),
        ({"rating_max": float("nan")}, "finite"),
        ({"rating_end": "soon"}, "written like 30s, 90m, 4h, 3d, 1w or 250ms"),
        ({"colour": "red"}, "not permitted"),
    ],
)
def test_contradictory_rules_are_refused(rules: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        QueueRules.model_validate(rules)


def test_rules_survive_a_json_round_trip() -> None:
    rules = Rules(name="Duel", team_size=1, queue=QueueRules(iteration_limit=0.05))
    assert Rules.model_validate_json(rules.model_dump_json()) == rules
    assert '"50ms"' in rules.model_dump_json()
