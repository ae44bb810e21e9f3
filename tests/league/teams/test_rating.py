"""Teams have a rating of their own: the replay of their matches, with each team as one player."""

import math

import pytest
from django.core.exceptions import ValidationError

from league.models import Arena, Match, Player, Season, Status, TeamRating
from league.services.integrity import teams as integrity
from league.services.seasons.opening import open_season
from league.services.teams import rating, rosters
from ratings.history import History
from ratings.history import Match as Played
from ratings.history import Participant as Part
from ratings.history import Side as PlayedSide
from ratings.replay import replay
from tests.support.cast import NOW, OPENING, arena, roster
from tests.support.correction_steps import correct, undo
from tests.support.team_steps import arena_settings, club, joined, meet, team_arena, team_of

Results = list[tuple[str, str, float]]


@pytest.fixture
def clubs(db: None) -> Arena:
    return team_arena(rate=True)


def stored(where: Arena) -> dict[str, float]:
    """Return the ratings of an arena's teams, as a worker computes them, by name."""
    rating.refresh_all(NOW)
    rows = TeamRating.objects.filter(season=where.seasons.get())
    return dict(rows.values_list("team__name", "rating"))


def by_hand(results: Results) -> dict[str, float]:
    """Return Elo ratings with T = 90, K = 48 and a start of 1000, from the formula alone."""
    table: dict[str, float] = {}
    for one, other, score in results:
        first, second = table.get(one, 1000.0), table.get(other, 1000.0)
        expected = 1 / (1 + math.exp((second - first) / 90.0))
        gain = 48.0 * (score - expected)
        table[one], table[other] = first + gain, second - gain
    return table


def test_teams_are_rated_as_if_each_were_one_player(clubs: Arena) -> None:
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    bears = club(clubs, "Bears", "BEA")
    meet(owls, foxes)
    meet(foxes, bears)
    meet(bears, owls, (0, 0))
    meet(owls, foxes)
    results = [
        ("Owls", "Foxes", 1.0),
        ("Foxes", "Bears", 1.0),
        ("Bears", "Owls", 0.5),
        ("Owls", "Foxes", 1.0),
    ]
    assert stored(clubs) == pytest.approx(by_hand(results), abs=1e-9)
    row = TeamRating.objects.get(team__name="Owls")
    assert (row.games, row.wins, row.draws, row.losses) == (3, 2, 1, 0)


def test_the_replay_is_that_of_the_rating_engine_bit_for_bit(db: None) -> None:
    settings = arena_settings({"rate": True}) | {
        "rating_system": "glicko-2",
        "rating_parameters": {"volatility_system_constant": 0.9, "deviation_default": 200.0},
    }
    where = Arena(name="Clubs", slug="clubs", team_size_max=2, **settings)
    where.full_clean()
    where.save()
    open_season(where, starts_at=OPENING)
    owls, foxes = club(where, "Owls", "OWL"), club(where, "Foxes", "FOX")
    matches = [meet(owls, foxes), meet(foxes, owls)]
    stored(where)
    history = History.build(
        Played(
            str(match.pk),
            round(match.played_at.timestamp() * 1_000_000),
            (PlayedSide(0, (Part(names[0]),)), PlayedSide(1, (Part(names[1]),))),
        )
        for match, names in zip(matches, [("O", "F"), ("F", "O")], strict=True)
    )
    states = replay(where.seasons.get().system(), history).states
    for name, at in (("Owls", 0), ("Foxes", 1)):
        row = TeamRating.objects.get(team__name=name)
        found = (row.rating, row.deviation, row.volatility)
        assert found == (states.rating[at], states.deviation[at], states.volatility[at])


def test_only_matches_between_different_teams_count(clubs: Arena, eve: Player) -> None:
    owls = club(clubs, "Owls", "OWL")
    meet(owls, roster(clubs, "Strays", eve))
    assert stored(clubs) == {}
    team = owls.team
    assert team
    joined(team, eve)
    other = rosters.line_up(team, clubs, "Owls B", [eve], eve, by=owls.captain, now=NOW)
    meet(owls, other)
    assert stored(clubs) == {}


def test_corrections_and_their_undoing_need_nothing_special(clubs: Arena, olga: Player) -> None:
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    first, _second = meet(owls, foxes), meet(foxes, owls)
    before = stored(clubs)
    assert olga.user
    turned = correct(first, olga.user, [(1, None), (0, None)])
    results = [("Owls", "Foxes", 0.0), ("Foxes", "Owls", 1.0)]
    assert stored(clubs) == pytest.approx(by_hand(results), abs=1e-9)
    assert turned.correction
    undo(turned.correction, olga.user)
    assert stored(clubs) == before
    correct(first, olga.user)
    assert Match.objects.get(pk=first.pk).status == Status.VOID
    assert stored(clubs) == pytest.approx(by_hand([("Foxes", "Owls", 1.0)]), abs=1e-9)


def test_nothing_is_computed_again_without_a_change(clubs: Arena) -> None:
    meet(club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX"))
    assert (rating.refresh_all(NOW), rating.refresh_all(NOW)) == (1, 0)


def test_one_broken_season_does_not_stop_the_others(
    clubs: Arena, caplog: pytest.LogCaptureFixture
) -> None:
    meet(club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX"))
    other = arena("other", team_size_max=2, **arena_settings({"rate": True}))
    meet(club(other, "Bears", "BEA"), club(other, "Wolves", "WOL"))
    Season.objects.filter(arena=clubs).update(rating_parameters={"T": "none"})
    assert len(stored(other)) == 2
    assert "could not be rated" in caplog.text


def test_turning_it_off_forgets_the_ratings(clubs: Arena) -> None:
    meet(club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX"))
    assert stored(clubs)
    season = clubs.seasons.get()
    season.rules["teams"]["rate"] = False
    season.save()
    assert (stored(clubs), rating.refresh_all(NOW)) == ({}, 0)


def test_a_season_that_does_not_rate_teams_has_no_ratings_of_them(db: None) -> None:
    where = team_arena()
    meet(club(where, "Owls", "OWL"), club(where, "Foxes", "FOX"))
    assert rating.refresh_all(NOW) == 0


def test_a_roster_that_joins_a_team_brings_its_matches(clubs: Arena, eve: Player) -> None:
    owls, strays = club(clubs, "Owls", "OWL"), roster(clubs, "Strays", eve)
    meet(strays, owls)
    assert stored(clubs) == {}
    rosters.adopt(team_of(eve, "Stars", "STA"), strays, by=eve, now=NOW)
    assert stored(clubs) == pytest.approx(by_hand([("Stars", "Owls", 1.0)]), abs=1e-9)


def test_verification_finds_a_changed_rating(clubs: Arena) -> None:
    meet(club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX"))
    season: Season = clubs.seasons.get()
    assert integrity.differences(season, NOW) == []
    row = TeamRating.objects.get(team__name="Owls")
    TeamRating.objects.filter(pk=row.pk).update(rating=math.nextafter(row.rating, 0))
    (found,) = integrity.differences(season, NOW)
    assert str(found).startswith(f"rating of team {row.team_id}:")


def test_an_anchor_with_the_number_of_a_team_does_not_hold_it(clubs: Arena) -> None:
    owls = club(clubs, "Owls", "OWL")
    meet(owls, club(clubs, "Foxes", "FOX"))
    Season.objects.filter(arena=clubs).update(anchors=[owls.team_id])
    assert stored(clubs)["Owls"] > 1000


def test_a_ladder_rates_no_teams(db: None) -> None:
    where = Arena(name="Steps", slug="steps", rating_system="ladder")
    where.season_rules = {"teams": {"rate": True}}
    with pytest.raises(ValidationError, match="single players, not teams"):
        where.full_clean()


def test_a_change_elsewhere_does_not_hide_a_wrong_rating(clubs: Arena) -> None:
    meet(club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX"))
    stored(clubs)
    other = Arena(name="Others", slug="others", team_size_max=2, **arena_settings({"rate": True}))
    other.full_clean()
    other.save()
    open_season(other, starts_at=OPENING)
    season = clubs.seasons.get()
    assert (rating.is_due(other.seasons.get()), rating.is_due(season)) == (True, False)
    row = TeamRating.objects.get(team__name="Owls")
    TeamRating.objects.filter(pk=row.pk).update(rating=math.nextafter(row.rating, 0))
    assert len(integrity.differences(season, NOW)) == 1
