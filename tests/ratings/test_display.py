"""What people see in place of ratings."""

import numpy as np
import pytest

from ratings.display import DisplayRules, Population, read_display_rules, shows_of
from ratings.registry import SYSTEMS
from ratings.system import Shows
from ratings.systems.fermi.display import fixed_range
from ratings.systems.fermi.elo import Elo
from ratings.systems.fermi.system import Fermi
from ratings.systems.ladder.system import Ladder
from ratings.tunables.reading import ParameterError


def shown_by(rules: DisplayRules, population: Population | None = None) -> Shows:
    return shows_of(Fermi.shows, rules, population, mean=0.0, scale=1.0)


def test_without_a_rule_what_is_shown_is_the_rating_itself() -> None:
    shows = shows_of(Fermi.shows, DisplayRules(), None, mean=0.0, scale=1.0)
    assert shows is Fermi.shows
    for rating in (-1.18, 0.1 + 0.2, 1500.123456789):
        assert shows.show(rating) == rating
        assert shows.movement(0.3, rating) == rating - 0.3
        assert shows.spread(rating, 0.7) == 0.7


def test_the_articles_example_a_mean_of_1500_and_a_width_of_500() -> None:
    shows = shown_by(DisplayRules(scale="scaled", offset=1500, factor=500))
    assert shows.show(0) == 1500
    assert shows.show(1) == 2000
    assert shows.show(-3.5) == -250
    assert shows.movement(0.0, 0.5) == 250
    assert shows.spread(9.0, 0.1) == pytest.approx(50)
    assert shows.decimals == 0


def test_ratings_below_the_lowest_value_are_shown_as_it() -> None:
    shows = shown_by(DisplayRules(scale="floored", offset=1500, factor=500, lowest=100))
    assert shows.show(-3.5) == 100
    assert shows.show(-2.8) == pytest.approx(100)
    assert shows.movement(-5.0, -4.0) == 0
    assert shows.show(2.0) == 2500


def test_the_fixed_range_is_the_articles_formula() -> None:
    shows = shown_by(DisplayRules(scale="fixed-range"), Population(3.0, 2.0))
    ratings = np.array([-1e6, -1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 1e6])
    right = fixed_range(ratings, mean=3.0, width=2.0)
    assert [shows.show(rating) for rating in ratings.tolist()] == right.tolist()
    assert shows.show(3.0) == 5000
    assert round(shows.show(1.0)) == 1192
    assert round(shows.show(5.0)) == 8808


def test_with_a_scale_of_055_two_widths_are_95_percent_of_the_range() -> None:
    shows = shown_by(DisplayRules(scale="fixed-range", range_scale=0.55), Population(0.0, 1.0))
    assert shows.show(-2.0) == pytest.approx(250, abs=10)
    assert shows.show(2.0) == pytest.approx(9750, abs=10)
    assert shows.show(0.0) == 5000


def test_before_it_is_measured_the_fixed_range_is_the_chance_against_a_newcomer() -> None:
    elo = Elo(Elo.Parameters())
    shows = shows_of(
        Elo.shows, DisplayRules(scale="fixed-range"), None, mean=1500.0, scale=elo.scale
    )
    assert shows.show(1500.0) == 5000
    assert shows.show(1900.0) == pytest.approx(10_000 * 10 / 11)


def test_the_order_of_ratings_stays_under_every_rule() -> None:
    ratings = np.sort(np.random.default_rng(3).normal(0, 1.5, 300)).tolist()
    for scale in ("scaled", "floored", "fixed-range"):
        shows = shown_by(DisplayRules(scale=scale, factor=700, offset=1000), Population(0.1, 1.4))
        seen = [shows.show(rating) for rating in ratings]
        assert seen == sorted(seen)
        assert seen[0] < seen[-1]
        assert (len(set(seen)) == len(ratings)) == (scale != "floored")


def test_ranks_of_a_ladder_are_never_scaled() -> None:
    rules = DisplayRules(scale="scaled", factor=100)
    assert shows_of(Ladder.shows, rules, None, mean=1.0, scale=1.0) is Ladder.shows


@pytest.mark.parametrize(
    "wrong",
    [{"factor": 0}, {"factor": -1}, {"range_scale": 0}, {"scale": "log"}, {"offset": float("nan")}],
)
def test_impossible_rules_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        read_display_rules(wrong)


def test_every_system_says_what_the_terms_of_a_change_are_in() -> None:
    """A change is in points everywhere but on a ladder, so a scale can show it."""
    for name, system in SYSTEMS.items():
        units = {term.name: term.unit for term in system.terms}
        assert units["change"] == ("" if name == "ladder" else "points"), name
