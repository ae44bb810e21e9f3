"""Concurrent calls on real connections, with the locks and without them."""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from league.models import Arena, Match, Player, Rating, RatingEvent, StandingChange, Status
from league.services.core import locking
from league.services.core.errors import Conflict
from league.services.integrity.ratings import verify
from league.services.integrity.standings import differences
from league.services.rating import rate
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.live import StartingSide, start
from league.services.results.reports.reporting import report
from league.services.standings.rebuilding import rebuild
from league.services.standings.updating import update_pending
from ratings.replay import replay
from tests.support.cast import NOW, beats, beats_as_agreed, side
from tests.support.concurrency import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_hundred_confirmations_of_one_match_rate_it_once(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    answers = all_at_once([partial(confirm, match.pk, by=charlie, now=NOW)] * 100)
    assert sum(isinstance(answer, Match) for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == 99
    assert RatingEvent.objects.filter(match=match).count() == 2
    assert verify(duel.seasons.get()) == []


def test_confirmation_and_objection_at_the_same_instant_leave_one_of_them(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for minute in range(10):
        match = report(
            melee,
            [side(alice, place=0), side(bob, place=1), side(charlie, place=2)],
            reporter=alice,
            played_at=NOW,
            now=NOW + timedelta(minutes=minute),
            client_token=uuid4(),
        )
        confirm(match.pk, by=charlie, now=NOW)
        answers = all_at_once(
            [
                partial(confirm, match.pk, by=bob, now=NOW),
                partial(dispute, match.pk, by=charlie, reason="No", now=NOW),
            ]
        )
        assert sum(isinstance(answer, Match) for answer in answers) == 1
        match.refresh_from_db()
        assert match.events.count() == (3 if match.status == Status.RATED else 0)


@pytest.mark.usefixtures("countless_reports")
def test_sweepers_and_captains_rate_everything_once(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    players = [alice, bob, charlie, dora]
    matches = [
        (beats_as_agreed(one, other, duel, now=NOW + timedelta(minutes=round_)), other)
        for round_ in range(5)
        for one in players
        for other in players
        if one != other
    ]
    later = NOW + timedelta(days=9)
    calls: list[Callable[[], object]] = [partial(confirm_expired, later)] * 4
    calls += [partial(confirm, match.pk, by=other, now=later) for match, other in matches]
    all_at_once(calls)
    assert Match.objects.rated().count() == len(matches)
    assert RatingEvent.objects.count() == 2 * len(matches)
    assert verify(duel.seasons.get()) == []


def test_nobody_starts_two_matches_at_once(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [
        [StartingSide(alice, [alice]), StartingSide(other, [other])] for other in (bob, charlie)
    ]
    answers = all_at_once([partial(start, duel, pair, now=NOW) for pair in sides * 5])
    assert sum(isinstance(answer, Match) for answer in answers) == 1
    assert Match.objects.count() == 1


def meet_before_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold a call that has read ratings until another has too, for half a second at most."""
    both_have_read = threading.Barrier(2)

    def held(*arguments: object, **options: object) -> object:
        with suppress(threading.BrokenBarrierError):
            both_have_read.wait(timeout=0.5)
        return replay(*arguments, **options)  # type: ignore[arg-type] # passed on as they came

    monkeypatch.setattr(rate, "replay", held)


def confirm_two_wins_of_alice(duel: Arena, alice: Player, bob: Player, charlie: Player) -> None:
    for player in (alice, bob, charlie):  # so that nobody waits for a newcomer's row
        Rating.objects.create(
            season=duel.seasons.get(), player=player, rating=1200, deviation=350, volatility=0.06
        )
    won = [(beats(alice, loser, duel), loser) for loser in (bob, charlie)]
    all_at_once([partial(confirm, match.pk, by=loser, now=NOW) for match, loser in won])


def test_two_results_of_one_player_both_count(
    duel: Arena, alice: Player, bob: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet_before_writing(monkeypatch)
    confirm_two_wins_of_alice(duel, alice, bob, charlie)
    assert Rating.objects.get(player=alice).games == 2
    assert verify(duel.seasons.get()) == []


def test_without_the_lock_on_the_match_the_ledger_itself_refuses(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second line of defence: a result rated twice breaks a constraint, not a rating."""
    monkeypatch.setattr(
        locking,
        "LOCK_MATCH",
        locking.LOCK_MATCH.replace("FOR NO KEY UPDATE OF m FOR KEY SHARE OF season", ""),
    )
    meet_before_writing(monkeypatch)
    match = beats(alice, charlie, duel)

    def confirm_anyway() -> object:
        try:
            return confirm(match.pk, by=charlie, now=NOW)
        except Exception as error:  # noqa: BLE001 - whatever the database says
            return error

    answers = all_at_once([confirm_anyway, confirm_anyway])
    assert sum("a_result_is_rated_once" in str(answer) for answer in answers) == 1
    assert verify(duel.seasons.get()) == []


@pytest.mark.usefixtures("countless_reports")
def test_concurrent_updates_and_rebuilds_keep_standings_right_while_results_arrive(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    season = duel.seasons.get()
    pairs = [(alice, bob), (charlie, dora), (alice, dora), (charlie, bob), (dora, alice)] * 6
    waiting = [(beats(one, other, duel), other) for one, other in pairs]
    calls: list[Callable[[], object]] = []
    for number, (match, other) in enumerate(waiting):
        calls.append(partial(confirm, match.pk, by=other, now=NOW))
        calls += [partial(update_pending, NOW)] * 2
        if number % 5 == 0:
            calls.append(partial(rebuild, season, NOW))
    all_at_once(calls)
    assert Match.objects.rated().count() == len(pairs)
    update_pending(NOW)
    assert not StandingChange.objects.exists()
    assert differences(season, NOW) == []
