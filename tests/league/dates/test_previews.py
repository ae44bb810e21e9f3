"""What is at stake in a match, before it is played."""

import pytest

from league.models import Arena, Arrangement, Player
from league.services.dates import playing
from league.services.dates.previews import Preview, preview
from league.services.dates.proposals import propose
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, arena, beats, side
from tests.support.date_steps import SATURDAY


def foreseen(one: Arrangement) -> Preview | None:
    return preview(one, one.arena.current_season(NOW), NOW)


def test_a_preview_gives_what_the_result_then_does(
    agreed: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    seen = foreseen(agreed)
    assert seen
    won, drawn, lost = seen.outcomes
    assert (won.winner, drawn.winner, lost.winner) == (alice, None, charlie)
    assert not seen.chances  # a draw is possible, but Glicko-2 forecasts none here
    assert seen.expected
    assert seen.expected > 0.5
    (_alice, mine), (_charlie, theirs) = won.changes
    assert mine.change > 0 > theirs.change
    match = playing.report(
        agreed.pk,
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
