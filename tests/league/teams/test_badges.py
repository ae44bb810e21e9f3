"""Badges of teams are those of the rules for their matches with other teams, and follow every
correction."""

import random
from datetime import timedelta

import pytest
from django.test import Client

from league.models import Arena, Match, Player, RatingEvent, Roster, Side, Status, Team
from league.services.results.records.badges import Badge, Result
from league.services.seasons.ending import end, freeze_early
from league.services.teams import rating
from league.services.teams.badges import badges_of
from league.services.teams.pages import records_of
from league.services.teams.results import results_of
from tests.league.people.test_badges import moments_by_the_rules
from tests.support.cast import NOW, put_in_order
from tests.support.correction_steps import correct, undo
from tests.support.team_steps import club, meet, team_arena
from tests.support.web_steps import words

pytestmark = pytest.mark.usefixtures("countless_reports")


def team_in(roster: Roster) -> Team:
    assert roster.team
    return roster.team


def read_again(team: Team) -> list[Badge]:
    return badges_of(team, results_of(team), records_of(team))


def clubs(count: int = 3, *, rate: bool = False) -> tuple[Arena, list[Roster]]:
    where = team_arena(rate=rate)
    names = ["Owls", "Foxes", "Bears", "Wolves"][:count]
    return where, [club(where, name, name[:3]) for name in names]


def play(one: Roster, other: Roster, days: float = 0) -> Match:
    """Play a match that the first wins, so many days ago."""
    match = meet(one, other)
    Match.objects.filter(pk=match.pk).update(played_at=NOW - timedelta(days=days))
    return match


def from_matches(team: Team) -> list[Result]:
    """Return a team's matches with other teams, read one by one."""
    found = []
    for match in Match.objects.filter(status=Status.RATED).order_by("played_at", "rated_order"):
        sides = list(match.sides.select_related("roster").order_by("index"))
        teams = [side.roster.team_id if side.roster else None for side in sides]
        if team.pk not in teams or None in teams:
            continue
        own, other = (sides[0], sides[1]) if teams[0] == team.pk else (sides[1], sides[0])
        assert other.roster
        assert other.roster.team_id
        found.append(
            Result(
                match_id=match.pk,
                season_id=match.season_id,
                arena_id=match.arena_id,
                played_at=match.played_at,
                outcome="draw" if own.place == other.place else "loss" if own.place else "win",
                share=match.weight / match.contest_weight,
                chance=match.forecast[own.index] if match.forecast else None,
                opponents=frozenset([other.roster.team_id]),
                is_duel=True,
            )
        )
    return found


def by_the_rules(team: Team) -> dict[str, int]:
    first: dict[str, int] = {}
    for kind, match in moments_by_the_rules(from_matches(team)):
        if kind == "giant":
            games = RatingEvent.objects.filter(match=match).values_list("games", flat=True)
            if min(games) <= 5:
                continue
        first.setdefault(kind, match)
    return first


@pytest.mark.parametrize("seed", range(2))
def test_badges_follow_every_correction(seed: int, db: None, olga: Player) -> None:
    assert olga.user
    draw = random.Random(seed)  # noqa: S311 - no secrets
    _where, rosters = clubs()
    matches = []
    for number in range(24):
        one, other = draw.sample(rosters, 2)
        if draw.random() < 0.6:
            one, other = sorted((one, other), key=rosters.index)
        matches.append(play(one, other, days=60 - 2 * number))
    seen: set[str] = set()
    for _step in range(4):
        for team in map(team_in, rosters):
            found = {one.kind: one.match_id for one in read_again(team)}
            assert found == by_the_rules(team)
            assert results_of(team) == from_matches(team)
            seen |= found.keys()
        match = draw.choice(matches)
        if draw.random() < 0.4:
            matches.remove(match)
            correct(match, olga.user)
        else:
            places = match.sides.order_by("index").values_list("place", flat=True)
            correct(match, olga.user, [(place or 0, None) for place in reversed(places)])
    assert {"first_win", "streak"} <= seen


def test_a_voided_first_win_is_taken_back_and_given_again(db: None, olga: Player) -> None:
    assert olga.user
    _where, (owls, foxes) = clubs(2)
    match = play(owls, foxes)
    owls_team = team_in(owls)
    assert [(one.kind, one.match_id) for one in read_again(owls_team)] == [("first_win", match.pk)]
    assert read_again(team_in(foxes)) == []
    done = correct(match, olga.user)
    assert read_again(owls_team) == []
    assert done.correction
    undo(done.correction, olga.user)
    assert [one.kind for one in read_again(owls_team)] == ["first_win"]


def test_two_teams_that_trade_wins_earn_nothing_but_their_first(db: None) -> None:
    _where, (owls, foxes) = clubs(2)
    for number in range(30):
        one, other = (owls, foxes) if number // 6 % 2 else (foxes, owls)
        play(one, other, days=1 - number / 100)
    both = read_again(team_in(owls)) + read_again(team_in(foxes))
    assert {one.kind for one in both} == {"first_win"}


def test_matches_against_others_than_teams_earn_nothing(db: None) -> None:
    _where, (owls, foxes) = clubs(2)
    match = play(owls, foxes)
    Side.objects.filter(match=match, index=1).update(roster=None)
    assert read_again(team_in(owls)) == []
    assert [one.outcome for one in results_of(team_in(owls))] == ["win"]


def test_the_page_names_a_badge_and_its_match(db: None) -> None:
    _where, (owls, foxes) = clubs(2)
    match = play(owls, foxes)
    page = Client().get(f"/teams/{owls.team_id}/")
    assert "First win" in words(page)
    assert match.get_absolute_url() in page.text
    assert "First win" not in words(Client().get(f"/teams/{foxes.team_id}/"))
    assert "Badges of teams" in words(Client().get("/badges/"))


def test_an_archived_season_gives_the_podium(db: None) -> None:
    where, (owls, foxes, _bears) = clubs(rate=True)
    play(owls, foxes)
    rating.refresh_all(NOW)
    put_in_order()
    season = where.seasons.get()
    assert end(season.pk, now=NOW + timedelta(days=1))
    assert freeze_early(season.pk, now=NOW + timedelta(days=2))
    assert [(one.kind, one.value) for one in read_again(team_in(owls))][-1] == ("podium", 1)
