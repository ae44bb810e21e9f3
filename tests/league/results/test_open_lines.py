"""The lines of open matches, and what the pages that list what waits ask of the database."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player
from league.services.results.records.lines import in_lines, lines_of
from league.services.results.reports.reporting import report
from league.web.results.scoresheets import sheet
from tests.support.cast import side
from tests.support.team_steps import club, team_arena
from tests.support.web_steps import browser_of, words


@pytest.fixture
def reported_match(db: None) -> Match:
    """A match of two teams that waits for the captain of the Foxes."""
    clubs, now = team_arena(), timezone.now()
    owls, foxes = club(clubs, "Owls", "OWL"), club(clubs, "Foxes", "FOX")
    sides = [
        side(owls.captain, *owls.members.exclude(pk=owls.captain_id), place=0, score=3),
        side(foxes.captain, *foxes.members.exclude(pk=foxes.captain_id), place=1, score=1),
    ]
    made = report(
        clubs,
        [replace(each, roster=roster) for each, roster in zip(sides, (owls, foxes), strict=True)],
        reporter=owls.captain,
        played_at=now - timedelta(hours=1),
        now=now,
        client_token=uuid4(),
    )
    return Match.objects.get(pk=made.pk)


def test_a_line_of_an_open_match_says_what_its_rows_say(
    reported_match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    captain = reported_match.sides.get(index=1).captain
    with django_assert_num_queries(5):
        found = lines_of([reported_match.pk, reported_match.pk], captain)
        short = sheet(found[reported_match.pk], captain, me=captain)
        assert [one.name for one in short.sides] == ["Foxes", "Owls"]
    whole = in_lines(Match.objects.filter(pk=reported_match.pk), captain).get()
    long = sheet(whole, captain, me=captain)
    for one in (short, long):
        assert one.match.season.arena == one.match.arena
    for name in ("status", "played_at", "mode", "confirm_deadline", "revision", "season", "arena"):
        assert getattr(short.match, name) == getattr(long.match, name), name
    for mine, theirs in zip(short.sides, long.sides, strict=True):
        assert (mine.name, mine.players, mine.is_mine) == (
            theirs.name,
            theirs.players,
            theirs.is_mine,
        )
        assert (mine.side.score, mine.place) == (theirs.side.score, theirs.place)
        assert mine.team
        assert theirs.team
        for name in ("pk", "tag", "picture", "colour", "second_colour"):
            assert getattr(mine.team, name) == getattr(theirs.team, name)
    assert (short.outcome, short.own_place) == (long.outcome, long.own_place) == ("loss", 2)


def test_a_report_can_be_answered_from_the_page_of_what_waits(reported_match: Match) -> None:
    captain = reported_match.sides.get(index=1).captain
    browser = browser_of(captain)
    page = browser.get("/matches/waiting/")
    assert "left" in words(page)
    assert "FOX" in words(page)
    sent = {"revision": reported_match.revision}
    assert f'name="revision" value="{reported_match.revision}"' in page.text
    assert browser.post(f"/matches/{reported_match.pk}/confirm/", sent).status_code == 302
    reported_match.refresh_from_db()
    assert reported_match.status == "rated"


def test_where_nothing_waits_its_lists_are_not_read(
    alice: Player, duel: Arena, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    browser = browser_of(alice)
    for address, most in (("/matches/waiting/", 8), (f"/arenas/{duel.slug}/dates/", 10)):
        browser.get(address)
        with django_assert_max_num_queries(most):
            browser.get(address)
