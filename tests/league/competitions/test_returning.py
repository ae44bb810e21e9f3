"""Entrants who come back after a withdrawal."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Entrant, Fixture, Player, Roster, StaffAction
from league.services.competitions import decisions, pages, progress, returning
from league.services.competitions.running import entering, withdrawing
from league.services.core.errors import Conflict, Forbidden
from tests.support.cast import NOW, account
from tests.support.competition_steps import START, begun, crowd, date_of, fixture_of, opened
from tests.support.effort import LONG
from tests.support.result_steps import user_of

DAY, WEEK = timedelta(days=1), timedelta(days=7)
RULES = {"comeback": True, "groups": 2}
Result = Fixture.Result


def decide_open(one: Competition, olga: Player, now: datetime) -> None:
    """Let the side at home win all that can be played."""
    open_ = one.fixtures.with_sides().filter(result=Result.OPEN, round__opened_at__isnull=False)
    for fixture in open_.filter(home__isnull=False, away__isnull=False):
        decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Test.", now=now)


def test_open_fixtures_are_to_be_played_again(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie], play=RULES)
    withdrawing.withdraw(one.pk, by=bob, now=START)
    assert one.entrants.get(player=bob).annulled
    back = returning.come_back(one.pk, by=bob, now=START + DAY)
    assert (back.state, back.withdrawn_at, back.annulled) == ("playing", None, False)
    assert not one.fixtures.exclude(result=Result.OPEN).exists()
    assert [line.row.points for line in pages.load(one).tables[0].lines] == [0, 0, 0]
    progress.sweep(START + DAY)
    first = one.fixtures.with_sides().get(round__number=1)
    assert date_of(first).state == "accepted"
    with pytest.raises(Conflict, match="Bob has not withdrawn"):
        returning.come_back(one.pk, by=bob, now=START + DAY)


def test_what_is_over_stays_lost(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], play=RULES)
    mine = one.entrants.get(player=bob)
    withdrawing.withdraw(one.pk, by=bob, now=START)
    decide_open(one, olga, START)
    progress.sweep(START + WEEK)
    decide_open(one, olga, START + WEEK)
    returning.come_back(one.pk, by=bob, now=START + WEEK)
    lost = one.fixtures.with_sides().get(round__number=1, decided_by="withdrawal")
    winner = lost.away if lost.home == mine else lost.home
    assert lost.result == ("away" if lost.home == mine else "home")
    [table] = pages.load(one).tables
    points = {line.entrant.pk: line.row.points for line in table.lines}
    assert winner
    assert points[winner.pk] >= 3
    open_ = one.fixtures.filter(result=Result.OPEN)
    assert (open_.filter(home=mine) | open_.filter(away=mine)).count() == 2


def test_two_who_withdrew_come_back_one_after_the_other(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], play={**RULES, "withdrawal": "forfeit"})
    for player in (alice, bob):
        withdrawing.withdraw(one.pk, by=player, now=START)
    game = fixture_of(one, alice, bob)
    returning.come_back(one.pk, by=alice, now=START)
    game.refresh_from_db()
    at_home = game.home is not None and game.home.player == alice
    assert game.result == ("home" if at_home else "away")
    returning.come_back(one.pk, by=bob, now=START)
    assert not one.fixtures.exclude(result=Result.OPEN).exists()


def test_an_entrant_of_a_swiss_is_paired_again(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(6), "swiss", play=RULES)
    gone = one.entrants.with_people().get(seed=6)
    decide_open(one, olga, START)
    withdrawing.withdraw(one.pk, by=gone.captain, now=START)
    progress.sweep(START + WEEK)
    decide_open(one, olga, START + WEEK)
    returning.come_back(one.pk, by=gone.captain, now=START + WEEK)
    progress.sweep(START + 2 * WEEK)
    last = one.fixtures.filter(round__number=3)
    assert gone.pk in {side for each in last for side in (each.home_id, each.away_id)}
    decide_open(one, olga, START + 2 * WEEK)
    progress.sweep(START + 2 * WEEK)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert one.entrants.get(pk=gone.pk).place


def test_a_loser_of_a_bracket_has_nothing_left(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single", play=RULES)
    decide_open(one, olga, START)
    lost = one.fixtures.with_sides().filter(round__stage="winners", result="home")[0].away
    assert lost
    withdrawing.withdraw(one.pk, by=lost.captain, now=START)
    with pytest.raises(Conflict, match="Nothing is left to play"):
        returning.come_back(one.pk, by=lost.captain, now=START)
    assert Entrant.objects.get(pk=lost.pk).state == Entrant.State.WITHDRAWN


@pytest.mark.parametrize("played", [False, True])
def test_a_fixture_of_a_bracket_opens_unless_the_next_was_played(
    duel: Arena, olga: Player, played: bool
) -> None:
    one = begun(duel, olga, crowd(4), "single", play=RULES)
    first, second = one.fixtures.with_sides().filter(round__stage="winners")
    assert first.away
    withdrawing.withdraw(one.pk, by=first.away.captain, now=START)
    progress.sweep(START)
    if played:
        decisions.decide(second.pk, "home", by=user_of(olga), reason="Test.", now=START)
        progress.sweep(START + WEEK)
        decide_open(one, olga, START + WEEK)
        with pytest.raises(Conflict, match="Nothing is left to play"):
            returning.come_back(one.pk, by=first.away.captain, now=START + WEEK)
        return
    assert one.fixtures.get(round__stage="final").home_id == first.home_id
    returning.come_back(one.pk, by=first.away.captain, now=START + DAY)
    progress.sweep(START + DAY)
    first.refresh_from_db()
    assert first.result == Result.OPEN
    assert one.fixtures.get(round__stage="final").home_id is None


def test_only_an_organiser_brings_back_by_default(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    withdrawing.withdraw(one.pk, by=bob, now=START)
    mine = one.entrants.get(player=bob)
    with pytest.raises(Forbidden, match="Only an organiser can bring you back"):
        returning.come_back(one.pk, by=bob, now=START)
    with pytest.raises(Forbidden):
        returning.bring_back(mine.pk, by=user_of(alice), reason="Please.", now=START)
    returning.bring_back(mine.pk, by=user_of(olga), reason="He is well again.", now=START)
    assert one.entrants.get(player=bob).state == Entrant.State.PLAYING
    assert StaffAction.objects.filter(reason="He is well again.").exists()


def test_those_whom_staff_withdrew_do_not_come_back_on_their_own(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play=RULES)
    mine = one.entrants.get(player=bob)
    withdrawing.withdraw_entrant(mine.pk, by=user_of(olga), reason="Insults.", now=START)
    with pytest.raises(Forbidden, match="Only an organiser"):
        returning.come_back(one.pk, by=bob, now=START)


def test_organisers_who_play_bring_nobody_back(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    account("Oskar", superuser=True)
    one = begun(duel, olga, [alice, bob, olga], play=RULES)
    withdrawing.withdraw(one.pk, by=bob, now=START)
    with pytest.raises(Forbidden, match="Ask another organiser to bring them back"):
        returning.bring_back(
            one.entrants.get(player=bob).pk, by=user_of(olga), reason="A friend.", now=START
        )


def test_players_who_play_for_another_entrant_stay_there(
    teams: Arena, owls: Roster, foxes: Roster, olga: Player
) -> None:
    one = opened(teams, olga, "swiss", entry={"late_until": 3}, play={**RULES, "rounds": 1})
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    gone = one.entrants.get(roster=owls)
    withdrawing.withdraw(one.pk, by=owls.captain, now=START)
    player = owls.members.exclude(pk=owls.captain_id).first()
    assert player
    foxes.members.add(player, through_defaults={})
    with pytest.raises(Conflict, match="Everybody can play for only"):
        returning.bring_back(gone.pk, by=user_of(olga), reason="Try.", now=START)


@pytest.mark.parametrize("format_", [*Competition.Format])
@pytest.mark.parametrize("week", range(3 if LONG else 1))
def test_all_who_leave_and_come_back_play_to_the_end(
    duel: Arena, olga: Player, format_: str, week: int
) -> None:
    one = begun(duel, olga, crowd(5), format_, play=RULES)
    for number in range(week):
        decide_open(one, olga, START + number * WEEK)
        progress.sweep(START + (number + 1) * WEEK)
    now = START + week * WEEK
    gone = [each.captain for each in one.entrants.with_people().order_by("seed")[:3]]
    for player in gone:
        withdrawing.withdraw(one.pk, by=player, now=now)
    for player in gone:
        try:
            returning.come_back(one.pk, by=player, now=now)
        except Conflict as refusal:
            assert refusal.code == "nothing_left"  # noqa: PT017 - only some are refused
    for number in range(week, 15):
        progress.sweep(START + number * WEEK)
        decide_open(one, olga, START + number * WEEK)
        progress.sweep(START + number * WEEK)
        one.refresh_from_db()
        if one.state == Competition.State.OVER:
            break
    assert one.state == Competition.State.OVER


def test_the_page_the_api_and_the_admin_offer_the_way_back(
    duel: Arena, alice: Player, bob: Player, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, [alice, bob], play=RULES)
    entry = reverse("competition_entry", args=[duel.slug, one.pk])
    client.force_login(user_of(bob))
    client.post(entry, {"answer": "withdraw"})
    assert b"Come back" in client.get(one.get_absolute_url()).content
    assert client.post(entry, {"answer": "come-back"}).status_code == 302
    assert one.entrants.get(player=bob).state == Entrant.State.PLAYING
    client.post(entry, {"answer": "withdraw"})
    address = reverse("api:competition-return", args=[one.pk])
    assert client.post(address, content_type="application/json").status_code == 200
    assert one.entrants.get(player=bob).state == Entrant.State.PLAYING
    assert client.post(address, content_type="application/json").status_code == 409
    client.post(entry, {"answer": "withdraw"})
    client.force_login(user_of(olga))
    mine = one.entrants.get(player=bob)
    page = client.get(reverse("admin:league_entrant_change", args=[mine.pk])).content
    assert b"Bring back" in page
    client.post(reverse("admin:league_entrant_return", args=[mine.pk]), {"reason": "Well again."})
    assert one.entrants.get(player=bob).state == Entrant.State.PLAYING
