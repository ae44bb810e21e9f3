"""What the engines refuse is said in the reader's language, on every form that shows it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.admin.core.base import sentence
from league.models import Arena
from league.models.competition_rules import COMPETITION_RULES as COMPETITION
from league.models.explained import translate
from league.models.limits import Limits
from league.models.result_rules import ResultRules
from league.services.transfer.configuration.configurations import Import, import_configuration
from matchmaking.dishonor import DishonorRules
from matchmaking.io import xmlfile
from matchmaking.io.xmltree import XmlError
from matchmaking.prediction import PredictionRules
from matchmaking.rank_filter import RankFilterRules
from matchmaking.rules.arena import MatcherRules, QueueRules
from matchmaking.rules.laurel import LaurelRules
from ratings import divisions
from ratings.display import DisplayRules
from ratings.divisions import Cuts
from ratings.points import tables
from ratings.points.rules import CONQUEST, Ladder
from ratings.registry import SYSTEMS, UnknownSystem, find
from ratings.seasons.rules import SEASON_RULES, read_rules
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.sentences import Explained, Name, Sentence
from tests.support.admin_steps import errors_of, send, staff
from tests.support.cast import NOW
from tests.support.own_words import BRAND
from tests.support.pseudo_locale import pseudo_locale, untranslated

MODELS: set[type[Parameters]] = {
    *(system.Parameters for system in SYSTEMS.values()),
    *SEASON_RULES.values(),
    *COMPETITION.values(),
    Limits,
    ResultRules,
    DisplayRules,
    DishonorRules,
    QueueRules,
    MatcherRules,
    LaurelRules,
    PredictionRules,
    RankFilterRules,
}
EXTREME: list[Any] = ["", "-1", 0, -1, 1e300, float("nan"), float("inf"), "abc", True, None, [], {}]
__all__ = ["staff"]

TYPED = ["Gold", "Silver", "Conquest", "abc", "nan", "inf", "true"]
"""What staff typed below."""


def plain_in(texts: Iterable[str], own: Iterable[str] = ()) -> set[str]:
    """Return the problems that stay English in another language, besides these own words."""
    with pseudo_locale():
        return untranslated([sentence(text) for text in texts], [*BRAND, *TYPED, *own])


def problems_of(attempt: Callable[[], object]) -> list[Sentence]:
    try:
        attempt()
    except ParameterError as error:
        return list(error.problems.values())
    except XmlError as error:
        return list(error.problems)
    except Explained as error:
        return [error.sentence]
    return []


@pytest.mark.parametrize("model", sorted(MODELS, key=str))
def test_every_value_that_no_setting_takes(model: type[Parameters]) -> None:
    declared = declarations(model)
    problems = {
        (one.name, str(value)): problem
        for one in declared
        for value in EXTREME
        for problem in problems_of(partial(read_parameters, model, {one.name: value}))
    }
    values = [choice.value for one in declared for choice in one.choices]
    assert problems
    assert not plain_in(problems.values(), values)


def inverted() -> list[tuple[type[Parameters], dict[str, object]]]:
    """Return values that contradict each other, for each rule between settings."""
    glicko2, glicko = SYSTEMS["glicko-2"].Parameters, SYSTEMS["glicko"].Parameters
    return [
        (glicko2, {"rating_min": 3000, "rating_max": 100}),
        (glicko2, {"rating_default": 9, "rating_min": 100}),
        (glicko2, {"deviation_min": 300, "deviation_max": 100}),
        (glicko, {"form": "glickman", "deviation_min": 300, "deviation_max": 100}),
        (glicko, {"form": "glickman", "deviation_default": 10, "deviation_min": 30}),
        (SYSTEMS["wager"].Parameters, {"start": 10, "floor": 100}),
        (SEASON_RULES["calendar"], {"follows": True}),
        (SEASON_RULES["calendar"], {"length": "10m"}),
        (SEASON_RULES["start"], {"day_one": 100, "placement": "carry-over"}),
        (SEASON_RULES["teams"], {"window_every": "7d", "lock_after": "0s"}),
        (SEASON_RULES["teams"], {"window_every": "7d", "window_length": "8d", "lock_after": "1d"}),
        (SEASON_RULES["teams"], {"lowest_rating": 2000, "highest_rating": 1000}),
        (Ladder, {"starts": "2026-02-01T00:00Z", "ends": "2026-01-01T00:00Z"}),
        (QueueRules, {"rating_min": 500, "rating_max": 100}),
        (QueueRules, {"roster_min": 5, "roster_max": 1}),
        (COMPETITION["entry"], {"rating_from": 2000, "rating_to": 1000}),
        (COMPETITION["dates"], {"round_length": "1d", "default_after": "5d"}),
        (COMPETITION["play"], {"best_of": 2}),
        (COMPETITION["table"], {"win": 0, "draw": 3, "loss": 1}),
    ]


@pytest.mark.parametrize(("model", "values"), inverted(), ids=str)
def test_values_that_contradict_each_other(
    model: type[Parameters], values: dict[str, object]
) -> None:
    found = problems_of(lambda: read_parameters(model, values))
    assert found
    assert not plain_in(found)


def test_a_clash_names_settings_by_their_labels_to_people_and_by_name_to_programs() -> None:
    [problem] = problems_of(
        lambda: read_parameters(
            SYSTEMS["glicko-2"].Parameters, {"rating_min": 3000, "rating_max": 100}
        )
    )
    assert problem == "must be at most rating_max (100); you gave 3000"
    assert sentence(problem) == "Must be at most “Rating: highest” (100); you gave 3000."


@pytest.mark.parametrize(
    "typed",
    [
        "Silver\nGold",
        "Silver\nGold, #8a6a00, x",
        "Silver\nGold, #8a6a00, 51\nGold, 60",
        "Silver\nGold, 101",
        "Silver\nGold, nan",
        "Silver, 5",
        "Silver\nGold, red, 51",
        "Silver\nGold, 0",
        ", 1",
        f"{'G' * 99}",
        "\n".join(f"Gold{at}, {at}" for at in range(1, 99)),
    ],
)
@pytest.mark.parametrize("by", ["percentile", "rating", "rank"])
def test_divisions_that_are_no_scale(by: str, typed: str) -> None:
    cuts = read_parameters(Cuts, {"by": by})
    found = problems_of(lambda: divisions.parse_divisions(typed, cuts))
    assert found or by != "percentile"
    assert not plain_in(found, ["G" * 99, *(f"Gold{at}" for at in range(99)), "red"])


@pytest.mark.parametrize(
    "typed",
    ["", "0.2 0 = -1", "0.2: 0 = 1, x", "0.2: 0 = x", "0.2: 0 = 1", "0: 0.5 = 1", "0: 0 = 1, 0 = 2",
     "0: 0 = 1, 7 = 2", "0: 0 = 1, nan = 2", "0: 0 = 99999999", "0: 0 = 1\n0: 0 = 1",
     "\n".join(f"0.{at}: 0 = 1" for at in range(999))],
)  # fmt: skip
def test_tables_of_points_with_gaps(typed: str) -> None:
    modes = f"[Conquest]\n{typed}" if typed else "Conquest"
    own = [tables.EXAMPLE, "own", typed[:60]]
    if typed:
        found = problems_of(lambda: tables.parse_table(typed))
        assert found
        assert not plain_in(found, own)
    found = problems_of(lambda: tables.parse_mode_tables(modes))
    assert found
    assert not plain_in(found, own)


def test_stored_tables_of_the_wrong_shape() -> None:
    valid = tables.table_as_json(CONQUEST)
    modes: list[Any] = [
        [1],
        [{"mode": "", "table": valid}],
        [{"mode": "Gold", "table": valid}] * 2,
        [{"mode": f"Gold{at}", "table": valid} for at in range(tables.MOST_ROWS + 1)],
    ]
    shapes = ["odds", "checkpoints", "score_ratio", "points", "mode", "table"]
    for listed in modes:
        found = problems_of(partial(tables.mode_tables_from_json, listed))
        assert found
        assert not plain_in(found, shapes)
    found = problems_of(lambda: tables.table_from_json([{"odds": "x"}]))
    assert found
    assert not plain_in(found, shapes)


@pytest.mark.parametrize("name", SYSTEMS)
def test_matches_and_rules_that_a_system_cannot_rate(name: str) -> None:
    system = SYSTEMS[name](SYSTEMS[name].Parameters())
    found = [
        problem
        for shape in ([1], [1, 0], [2, 2], [1, 1, 1])
        for ceiling in (False, True)
        for problem in problems_of(partial(system.check_sizes, shape, perf_ceiling=ceiling))
    ]
    found += problems_of(lambda: system.with_anchors(["Alice"]))
    rules: list[Mapping[str, Any]] = [
        {"start": {"placement": "fresh", "day_one": 100}},
        {"teams": {"rate": True}},
        {"start": {"placement": "scatter"}},
        {"decay": {"points": 5}},
        {"cuts": {"by": "rating"}, "divisions": [{"name": "Gold"}]},
    ]
    for given in rules:
        clash = read_rules(given).clash_with(type(system)) if readable(given) else None
        found += [clash[1]] if clash else []
    assert found
    assert not plain_in(found)


def readable(given: Mapping[str, Any]) -> bool:
    return not problems_of(lambda: read_rules(given))


def test_names_that_nothing_has() -> None:
    found = problems_of(lambda: read_rules({"moon": {}, "start": {"moon": 1, "placment": "x"}}))
    try:
        find("glico")
    except UnknownSystem as error:
        found.append(error.sentence)
    try:
        find("moonbeams")
    except UnknownSystem as error:
        found.append(error.sentence)
    assert len(found) == 5
    own = [
        "moonbeams",
        "glico",
        "placement",
        "divisions",
        *SEASON_RULES,
        "point_table",
        "mode_points",
    ]
    own += [one.name for one in declarations(SEASON_RULES["start"])] + list(SYSTEMS)
    assert not plain_in(found, own)


def test_arguments_without_a_place_are_shown_as_they_are() -> None:
    assert translate(Sentence("100% sure")) == "100\u00a0% sure"
    assert translate("") == ""
    assert Sentence("").say(str.upper) == ""
    nested = Sentence("%(a)s or %(b)s", a=Name("x_min", label="Lowest"), b=Sentence("nothing"))
    assert nested == "x_min or nothing"
    assert nested.say(lambda text: text.replace("o", "ö")) == "“Löwest” ör nöthing"
    assert nested.naming(str.upper) == "X_MIN or nothing"


BROKEN = {
    "no XML": "<Arena",
    "an entity": '<!DOCTYPE a [<!ENTITY b "c">]><Arena/>',
    "text outside": "moon<Arena/>",
    "nothing": "",
    "an unknown element": "<Moon/>",
    "a near element": "<Arenas/>",
    "an arena of nothing": "<Arena/>",
    "two of a kind": '<Arena name="Gold"/><Arena name="Gold"/>',
    "two ladders": '<Ladder start="2015-03-20T09:00:00-07:00"/><Ladder/>',
    "a start after the end": '<Ladder start="2026-03-20T09:00:00Z" end="2026-01-20T09:00:00Z"/>',
    "inverted ratings": '<Ratings type="Gold"><Rating min="500" max="100"/></Ratings>',
    "an unknown attribute": '<Ladder moon="1" strat="2"/>',
    "a rule without points": '<PointRules Mode="Conquest"><PointRule/></PointRules>',
    "text inside": "<Ladder>moon</Ladder>",
    "wrong values": '<Ladder start="moon" grace="-5"/><Prediction rating="nan"/>',
    "settings": '<Settings arena="Gold"><Setting name="mapz" value="1"/>'
    '<Setting name="queue.pools" value="1"/><Setting name="limits.open_reports" value="moon"/>'
    "</Settings>",
    "an unknown system": '<Settings arena="Gold"><Setting name="rating_system" value="moon"/>'
    "</Settings>",
    "a setting twice": '<Settings arena="Gold"><Setting name="maps" value="[]"/>\n'
    '<Setting name="maps" value="[]"/></Settings><Settings/>',
    "a gap": '<PointRules Mode="Conquest"><PointRule Odds="0.5"><Checkpoint ScoreRatio="0" '
    'LadderPoints="1"/></PointRule></PointRules>',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_files_of_arenas(text: str) -> None:
    found = problems_of(lambda: xmlfile.read(text))
    if not found:
        found = problems_of(lambda: import_configuration(text, Import("a file", NOW)))
    assert found
    tags = ["Configuration", "Ratings", "Rating", "Arenas", "Arena", "Dishonor", "Moon", "Ladder",
            "PointRules", "PointRule", "Prediction", "Queue", "Matcher", "Checkpoint",
            "Settings", "Setting"]  # fmt: skip
    settings = ["mapz", "maps", "queue.pools", "limits.open_reports", "rating_system", *SYSTEMS]
    attributes = [
        one.xml.rpartition("@")[2]
        for model in [*MODELS, *xml_models()]
        for one in declarations(model)
        if one.xml
    ]
    typed = ["moon", "strat", "rating"]
    parser = ["not well-formed (invalid token)", "unclosed token", "mismatched tag",
              "DTDForbidden(name='a', system_id=None, public_id=None)"]  # fmt: skip
    assert not plain_in(found, [*tags, *attributes, *parser, *typed, *settings])


def xml_models() -> list[type[Parameters]]:
    from matchmaking.io import blocks  # noqa: PLC0415 - only here

    return [
        one
        for one in vars(blocks).values()
        if isinstance(one, type) and issubclass(one, Parameters) and one is not Parameters
    ]


def test_the_form_of_an_arena_shows_them_translated(staff: Client, duel: Arena) -> None:
    wrong = {
        "rating_system": "glicko-2",
        "glicko-2__rating_default": "50",
        "season__calendar__length": "10m",
        "season_divisions": "Silver\nGold",
        "season_mode_points": "Conquest",
    }
    url = reverse("admin:league_arena_change", args=[duel.pk])
    english = errors_of(send(staff, url, wrong))
    assert "“Rating: highest”" in str(english["glicko-2__rating_default"])
    with pseudo_locale():
        errors = errors_of(send(staff, url, wrong))
    assert errors.keys() == english.keys() >= {"glicko-2__rating_default", "season_divisions"}
    texts = [text for listed in errors.values() for text in listed]
    assert not untranslated(texts, [*BRAND, *TYPED])
