"""Records leave draws out where an arena allows none, unless some count already."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Fixture, Player, Season
from league.services.core.clock import database_now
from league.services.results.records import profiles
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.ending import archive
from league.services.teams import rating
from league.services.teams.pages import records_of
from league.web.sharing import cards
from tests.support.cast import NOW, beats, put_in_order, side
from tests.support.competition_steps import begun
from tests.support.team_steps import club, meet, team_arena
from tests.support.web_steps import browser_of, words

NAMED = re.compile(r"drawn?[ ,·]+(?:\d+, )?lost|W · D · L|>D</abbr>|\d draws?\b", re.IGNORECASE)
COUNTS = re.compile(r"(?<!Season )(?<!\S)\d · \d( · \d)?(?!\S)")
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)
CELL = re.compile(r"<t[hd][ >]")


def allow_draws(arena: Arena, *, allowed: bool) -> None:
    arena.draws_allowed = allowed
    arena.save()


def won(winner: Player, loser: Player, arena: Arena) -> None:
    now = timezone.now()
    confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)
    put_in_order()


def drawn(one: Player, other: Player, arena: Arena) -> None:
    now = timezone.now() - timedelta(hours=3)
    sides = [side(one, place=0), side(other, place=0)]
    match = report(arena, sides, reporter=one, played_at=now, now=now)
    confirm(match.pk, by=other, now=now)


def names_draws(reader: Player, address: str) -> bool:
    """Return whether a page of records names draws, in its headings and its counts alike."""
    answer = browser_of(reader).get(address)
    page = answer.content.decode()
    assert re.search(r"won|>W<", page, re.IGNORECASE)
    named = bool(NAMED.search(page))
    assert all(bool(drawn) == named for drawn in COUNTS.findall(words(answer)))
    for table in TABLE.findall(page):
        assert len({len(CELL.findall(row)) for row in table.split("<tr")[1:]}) == 1, table
    return named


CASES = [("allowed", True), ("none", False), ("from before", True)]


@pytest.fixture(params=CASES, ids=[name for name, _named in CASES])
def case(request: pytest.FixtureRequest) -> tuple[str, bool]:
    found: tuple[str, bool] = request.param
    return found


def test_pages_of_players_name_draws_where_there_are_any(
    duel: Arena, alice: Player, bob: Player, case: tuple[str, bool]
) -> None:
    which, named = case
    if which == "from before":
        drawn(alice, bob, duel)
    for _number in range(3):
        won(alice, bob, duel)
    allow_draws(duel, allowed=which == "allowed")
    for address in (
        reverse("leaderboard", args=[duel.slug]),
        alice.get_absolute_url(),
        reverse("player_records", args=[alice.pk]),
        reverse("player_against", args=[alice.pk, bob.pk]),
    ):
        assert names_draws(alice, address) == named, address
    played = profiles.seasons_played(alice)[0]
    card = cards.of_player(alice, played, database_now())
    assert any("drawn" in line for line in card.lines) == named


def test_suggestions_name_draws_where_there_are_any(
    duel: Arena, alice: Player, bob: Player, case: tuple[str, bool]
) -> None:
    which, _named = case
    if which == "from before":
        drawn(alice, bob, duel)
    won(alice, bob, duel)
    allow_draws(duel, allowed=which == "allowed")
    said = {
        "allowed": "Won 1, drawn 0, lost 0 against them",
        "none": "Won 1, lost 0 against them",
        "from before": "Won 1, drawn 1, lost 0 against them",
    }[which]
    for address in ("/", reverse("what_if", args=[duel.slug])):
        assert said in words(browser_of(alice).get(address)), address


def test_the_archive_of_a_season_names_draws_where_there_are_any(
    duel: Arena, alice: Player, bob: Player, case: tuple[str, bool]
) -> None:
    which, named = case
    if which == "from before":
        drawn(alice, bob, duel)
    won(alice, bob, duel)
    allow_draws(duel, allowed=which == "allowed")
    now = database_now() + timedelta(minutes=1)
    season = duel.seasons.get()
    Season.objects.filter(pk=season.pk).update(ends_at=now)
    assert archive(season.pk, now, is_due=lambda _ends_at: True)
    assert names_draws(alice, reverse("season", args=[season.pk])) == named


def test_pages_and_pictures_of_teams_name_draws_where_there_are_any(
    olga: Player, case: tuple[str, bool]
) -> None:
    which, named = case
    clubs = team_arena(rate=True)
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    meet(owls, foxes, (0, 0) if which == "from before" else (0, 1))
    rating.refresh_all(NOW)
    allow_draws(clubs, allowed=which == "allowed")
    assert owls.team
    assert names_draws(olga, reverse("team", args=[owls.team.pk])) == named
    assert names_draws(olga, reverse("team_board", args=[clubs.slug])) == named
    shown = cards.of_team(owls.team, records_of(owls.team), b"")
    assert any("drawn" in line for line in shown.lines) == named


def test_tables_of_competitions_name_draws_where_there_are_any(
    duel: Arena, alice: Player, bob: Player, olga: Player, case: tuple[str, bool]
) -> None:
    """Staff can decide on a draw in any arena."""
    which, named = case
    allow_draws(duel, allowed=which == "allowed")
    one = begun(duel, olga, [alice, bob])
    result = "draw" if which == "from before" else "home"
    Fixture.objects.update(result=result, decided_by="staff", decided_at=database_now())
    assert names_draws(alice, one.get_absolute_url()) == named
