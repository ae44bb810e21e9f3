"""Parameters as their sources publish them, beside defaults that forecast well."""

import io

import numpy as np
import pytest
from django.core.management import call_command

from matchmaking.io.blocks import RatingsBlock
from ratings.facade import Ratings
from ratings.history import History
from ratings.lab.trial import try_system
from ratings.registry import SYSTEMS, UnknownSystem, build, read_name
from ratings.system import RatingSystem
from ratings.systems.glicko2.system import Glicko2
from ratings.tunables.declarations import declarations
from tests.support.published import published
from tests.support.rating_histories import DAY, duel, states_of

NAMES = [f"{name}:{key}" for name, system in SYSTEMS.items() for key in system.published]


@pytest.mark.parametrize("name", NAMES)
def test_every_set_is_in_range_named_listed_and_not_the_defaults(name: str) -> None:
    system, parameters = read_name(name)
    built = build(system, parameters)
    assert built.parameters != build(system).parameters
    assert parameters.items() <= built.parameters.to_json().items()
    one = SYSTEMS[system].published[name.partition(":")[2]]
    assert one.label
    assert one.source
    output = io.StringIO()
    call_command("systems", stdout=output)
    assert name in output.getvalue()


@pytest.mark.parametrize("name", NAMES)
def test_programs_start_from_a_set_and_change_parts_of_it(name: str) -> None:
    system, parameters = read_name(name)
    assert Ratings(name).system.parameters == build(system, parameters).parameters
    first = next(iter(parameters))
    given = build(system).parameters.to_json()[first]
    assert Ratings(name, **{first: given}).system.parameters.to_json()[first] == given


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("glicko-2:gw3", "Glicko-2 has no published parameters called “gw3”; choose from gw2"),
        ("elo:fide", "Elo has no published parameters besides its defaults"),
        ("glicko-3:gw2", "there is no rating system “glicko-3”"),
        ("glicko-2:", "Glicko-2 has no published parameters called “”"),
    ],
)
def test_other_names_are_refused_with_those_there_are(name: str, said: str) -> None:
    with pytest.raises(UnknownSystem, match=said):
        read_name(name)


def test_those_of_guild_wars_2_are_every_attribute_of_its_ratings() -> None:
    """The wiki's ``<Ratings>`` has them all, and so has the reader of its files."""
    wiki = RatingsBlock(type="Ranked")
    given = Glicko2.published["gw2"].parameters
    system = published("glicko-2:gw2")
    read = {one.name for one in declarations(RatingsBlock)} & Glicko2.Parameters.model_fields.keys()
    assert read <= given.keys()
    for name in read:
        assert getattr(system.parameters, name) == getattr(wiki, name), name
    # Twenty periods of three days take the lowest deviation to the highest.
    states = states_of(np.array([1200.0]))
    states.deviation[:], states.last_played[:] = 30, 0
    for days, deviation in ((2, 30.0), (3, (30**2 + 121_600 / 20) ** 0.5), (60, 350.0)):
        found = system.at(states, np.array([days * DAY])).deviation[0]
        assert found == pytest.approx(deviation)


def a_league(seed: int, *, gap: int) -> History:
    """Thirty players of usual strengths, each of whom plays about once in ``gap`` days."""
    rng = np.random.default_rng(seed)
    skills = rng.normal(0, 200, 30)
    matches = []
    for number in range(3_000):
        one, two = rng.permutation(30)[:2].tolist()
        won = rng.random() < 1 / (1 + 10 ** ((skills[two] - skills[one]) / 400))
        at = round(number * gap * DAY / 15)
        pair = (str(one), str(two)) if won else (str(two), str(one))
        matches.append(duel(*pair, at=at, match_id=str(number)))
    return History.build(matches)


def loss(system: RatingSystem, history: History) -> float:
    return try_system(system, history, len(history) // 2, lambda: 0.0).log_loss


@pytest.mark.parametrize(
    "name",
    [
        "glicko-2:gw2",
        "glicko:glickman",
        "trueskill:elo-mmr",
        "fermi:kreimeier",
        "codeforces:elo-mmr",
        "topcoder:elo-mmr",
    ],
)
def test_the_defaults_forecast_a_weekly_league_better_than_what_was_published(name: str) -> None:
    history = a_league(5, gap=7)
    by_default = loss(build(name.partition(":")[0]), history)
    assert by_default < loss(published(name), history) - 0.005
    assert by_default < 0.66
