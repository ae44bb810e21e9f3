"""What is at stake in a match, before it is played."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from league.models import Arena, Arrangement, Player
from league.services.core.clock import database_now
from league.services.dates import playing
from league.services.dates.previews import Preview, preview
from league.services.dates.proposals import propose
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, arena, beats, side
from tests.support.date_steps import SATURDAY
from tests.support.web_steps import browser_of, words


def foreseen(one: Arrangement) -> Preview | None:
    return preview(one, one.arena.current_season(NOW), NOW)


def test_a_preview_gives_what_the_result_then_does(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    seen = foreseen(agreed_date)
    assert seen
    won, drawn, lost = seen.outcomes
    assert (won.winner, drawn.winner, lost.winner) == (alice, None, charlie)
    assert not seen.chances  # a draw is possible, but Glicko-2 forecasts none here
    assert seen.expected
    assert seen.expected > 0.5
    (_alice, mine), (_charlie, theirs) = won.changes
    assert mine.change > 0 > theirs.change
    match = playing.report(
        agreed_date.pk,
        [side(alice, place=1), side(charlie, place=0)],
        reporter=alice,
        played_at=SATURDAY,
        now=SATURDAY,
    )
    confirm(match.pk, by=charlie, now=SATURDAY)
    events = {event.player_id: event for event in match.events.all()}
    assert {player.pk: change.rating_after for player, change in lost.changes} == {
        number: event.rating_after for number, event in events.items()
    }


@pytest.mark.parametrize("system", ["ladder", "elo", "codeforces", "trueskill", "elo-mmr"])
def test_newcomers_have_a_preview_in_every_kind_of_system(
    system: str, alice: Player, charlie: Player
) -> None:
    made = arena("other", rating_system=system, draws_allowed=False)
    one = propose(made, charlie, SATURDAY, by=alice, now=NOW)
    seen = foreseen(one)
    assert seen
    assert [outcome.winner for outcome in seen.outcomes] == [alice, charlie]
    assert seen.outcomes[0].changes[0][1].change >= 0 or seen.shows.lowest_first


def test_a_preview_of_rosters_gives_what_the_result_then_does(
    team_date: Arrangement, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    confirm(beats(alice, charlie, team_date.arena).pk, by=charlie, now=NOW)
    seen = foreseen(team_date)
    assert seen
    assert seen.line_ups == [[alice, bob], [charlie, dora]]
    won, drawn, lost = seen.outcomes
    assert [str(one.winner) for one in (won, drawn, lost)] == ["Owls", "None", "Foxes"]
    assert not seen.chances  # a draw is possible, but Glicko-2 forecasts none here
    assert seen.expected
    assert seen.expected > 0.5
    match = playing.report(
        team_date.pk,
        [side(charlie, dora, place=0), side(alice, bob, place=1)],
        reporter=alice,
        played_at=SATURDAY,
        now=SATURDAY,
    )
    confirm(match.pk, by=charlie, now=SATURDAY)
    events = {event.player_id: event.rating_after for event in match.events.all()}
    assert {player.pk: change.rating_after for player, change in lost.changes} == events


def test_the_most_active_members_are_expected(
    team_date: Arrangement, teams: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    owls, foxes = team_date.proposer_roster, team_date.opponent_roster
    assert owls
    assert foxes
    owls.memberships.create(player=eve)
    season = teams.seasons.get()

    def expected() -> list[list[str]]:
        seen = foreseen(team_date)
        assert seen
        return [[player.name for player in line_up] for line_up in seen.line_ups]

    assert expected()[0] == ["Alice", "Bob"]
    confirm(beats(eve, charlie, teams).pk, by=charlie, now=NOW)
    assert season.ratings.filter(player=eve).exists()
    assert expected()[0] == ["Alice", "Eve"]
    foxes.memberships.create(player=eve)  # who is in both plays for neither, as far as is known
    assert expected()[0] == ["Alice", "Bob"]
    foxes.memberships.exclude(player=charlie).delete()
    assert expected() == [["Alice"], ["Charlie"]]
    teams.team_size_min = 2
    teams.save()
    team_date.refresh_from_db()
    assert foreseen(team_date) is None


def calculator_on(answer: Any) -> str:
    """Return the address of the match calculator on a page."""
    [found] = re.findall(r'href="([^"]+/what-if/\?sides=[^"]+)"', answer.content.decode())
    return html.unescape(found)


def test_a_date_and_a_match_lead_to_the_calculator_with_both_sides(
    team_date: Arrangement, alice: Player, charlie: Player
) -> None:
    match = confirm(beats(alice, charlie, team_date.arena).pk, by=charlie, now=NOW)
    ahead = Client().get(calculator_on(browser_of(alice).get(team_date.get_absolute_url())))
    assert [[seat.player.name for seat in seats] for _name, seats in ahead.context["teams"]] == [
        ["Alice", "Bob"],
        ["Charlie", "Dora"],
    ]
    again = Client().get(calculator_on(Client().get(match.get_absolute_url())))
    assert again.context["found"]
    team_date.arena.seasons.update(ends_at=NOW, archived_at=NOW)
    assert "what-if" not in Client().get(match.get_absolute_url()).content.decode()


def test_an_uneven_date_says_the_handicap_of_an_even_race(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    said = "Handicap, in wins needed for an even race: Alice"
    assert said not in words(browser_of(alice).get(agreed_date.get_absolute_url()))
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    seen = foreseen(agreed_date)
    assert seen
    assert seen.race
    assert seen.race.first > seen.race.second
    now = database_now()  # that of the page: the deviations have grown since
    race = preview(agreed_date, duel.current_season(now), now).race  # type: ignore[union-attr] # both can be rated
    assert race
    page = words(browser_of(alice).get(agreed_date.get_absolute_url()))
    assert f"{said} {race.first}, Charlie {race.second}." in page
