"""A ban keeps a player from reports, challenges, rosters and every queue alike."""

from datetime import datetime, timedelta

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Challenge,
    Match,
    Player,
    Roster,
    RosterInvitation,
    User,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor.bans import ban, lift
from league.services.ladder.challenges import accept, challenge
from league.services.people.invitations import answer, invite, leave
from league.services.people.players import save_roster
from league.services.queue.queueing import join
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import TIME_TO_REPORT, report
from tests.support.api_steps import by_token, win
from tests.support.cast import NOW, beats, side
from tests.support.challenge_steps import ladder_of
from tests.support.web_steps import browser_of, reports, result_form, words

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SENTENCE = r"Bob is banned until 4 Mar(ch)? 2026, 12:00"


def bans(boss: User, player: Player, arena: Arena, *, at: datetime = NOW) -> None:
    ban(player, arena=arena, by=boss, reason="Insults.", until=at + 3 * DAY, now=at)


def test_a_banned_player_reports_nothing(
    duel: Arena, alice: Player, bob: Player, boss: User
) -> None:
    bans(boss, bob, duel)
    for played_at in (NOW - 2 * DAY, NOW):
        with pytest.raises(Forbidden, match=SENTENCE):
            report(
                duel,
                [side(bob, place=0), side(alice, place=1)],
                reporter=bob,
                played_at=played_at,
                now=NOW,
            )
    assert not Match.objects.exists()
    later = NOW + 4 * DAY
    report(
        duel, [side(bob, place=0), side(alice, place=1)], reporter=bob, played_at=later, now=later
    )


def test_nobody_reports_a_match_with_a_banned_player(
    duel: Arena, alice: Player, bob: Player, boss: User
) -> None:
    bans(boss, bob, duel)
    sides = [side(alice, place=0), side(bob, place=1)]

    def reported(played_at: datetime, now: datetime) -> Match:
        return report(duel, sides, reporter=alice, played_at=played_at, now=now)

    with pytest.raises(Conflict, match=SENTENCE):
        reported(NOW + HOUR, NOW + HOUR)
    with pytest.raises(Conflict, match=SENTENCE):  # a pretended time does not help for long
        reported(NOW - HOUR, NOW + TIME_TO_REPORT + HOUR)
    assert reported(NOW - HOUR, NOW + HOUR).pk


def test_a_banned_player_still_answers_and_finishes_what_began_before(
    duel: Arena, alice: Player, bob: Player, boss: User
) -> None:
    waiting = beats(alice, bob, duel)
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(bob, [bob])], now=NOW)
    bans(boss, bob, duel)
    confirm(waiting.pk, by=bob, now=NOW)
    finish(live.pk, [Finish(0), Finish(1)], reporter=bob, now=NOW)


def test_no_match_starts_with_a_banned_player(
    duel: Arena, alice: Player, bob: Player, boss: User
) -> None:
    bans(boss, bob, duel)
    with pytest.raises(Conflict, match=SENTENCE):
        start(duel, [StartingSide(alice, [alice]), StartingSide(bob, [bob])], now=NOW)


def test_a_banned_player_creates_no_roster_changes_none_and_invites_nobody(
    teams: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    owls = save_roster(teams, bob, "Owls", [alice], now=NOW)
    bans(boss, bob, teams)
    with pytest.raises(Forbidden, match=SENTENCE):
        save_roster(teams, bob, "Foxes", [alice], now=NOW)
    with pytest.raises(Forbidden, match=SENTENCE):
        save_roster(teams, bob, "Owls", [charlie], now=NOW, roster=owls)
    with pytest.raises(Forbidden, match=SENTENCE):
        invite(owls, [charlie], NOW)
    assert Roster.objects.count() == 1
    assert RosterInvitation.objects.count() == 1


def test_a_banned_player_joins_no_roster_but_may_decline_and_leave(
    teams: Arena, alice: Player, bob: Player, boss: User
) -> None:
    owls = save_roster(teams, alice, "Owls", [bob], now=NOW)
    asked = RosterInvitation.objects.get()
    bans(boss, bob, teams)
    with pytest.raises(Forbidden, match=SENTENCE):
        answer(asked.pk, by=bob, accept=True, now=NOW)
    assert not owls.memberships.filter(player=bob).exists()
    answer(asked.pk, by=bob, accept=False, now=NOW)
    lift(bob, by=boss, reason="Sorry.", now=NOW)
    asked.refresh_from_db()
    owls.memberships.create(player=bob)
    bans(boss, bob, teams)
    leave(owls, by=bob)


def test_a_banned_player_neither_challenges_nor_accepts_nor_is_challenged(boss: User) -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    open_one = challenge(ladder, bob, by=charlie, now=NOW)
    bans(boss, bob, ladder)
    with pytest.raises(Forbidden, match=SENTENCE):
        challenge(ladder, alice, by=bob, now=NOW)
    with pytest.raises(Conflict, match=SENTENCE):
        challenge(ladder, bob, by=dora, now=NOW)
    with pytest.raises(Forbidden, match=SENTENCE):
        accept(open_one.pk, by=bob, now=NOW)
    assert Challenge.objects.get().state == Challenge.State.OPEN


@pytest.mark.parametrize("bars_timeouts", [True, False])
def test_a_banned_player_is_kept_out_of_every_queue(
    bars_timeouts: bool, teams: Arena, bob: Player, boss: User
) -> None:
    ArenaQueue.objects.create(arena=teams, bars_timeouts=bars_timeouts)
    now = database_now()
    bans(boss, bob, teams, at=now)
    with pytest.raises(Refused, match="Bob is banned until "):
        join(teams, bob, [], now=now)
    page = words(browser_of(bob).get(reverse("queue", args=["teams"])))
    assert "You are banned until " in page


def test_page_and_api_refuse_the_report_of_a_banned_player_and_say_until_when(
    duel: Arena, alice: Player, bob: Player, boss: User
) -> None:
    bans(boss, bob, duel, at=database_now())
    page = reports(bob, duel, result_form("Alice"))
    assert "Bob is banned until " in words(page)
    refused = by_token(bob).post("/api/v1/arenas/duel/reports/", win(bob, alice), format="json")
    assert refused.status_code == 403, refused.content
    assert refused.json()["code"] == "banned"
    assert "Bob is banned until " in refused.json()["detail"]
    assert not Match.objects.exists()
