"""Reports of more than two sides count with those they can harm, or a quorum."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from league.models import (
    Agreement,
    Arena,
    Confirmation,
    Flag,
    Player,
    Rating,
    RatingEvent,
    Side,
    Status,
)
from league.services.core.errors import Conflict
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once
from tests.support.result_steps import placed, rules
from tests.support.web_steps import browser_of, words

LATER = NOW + timedelta(days=30)


def test_one_accomplice_does_not_make_a_free_for_all_count(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=bob, now=NOW).status == Status.REPORTED
    with pytest.raises(Conflict, match="already confirmed"):
        confirm(match.pk, by=bob, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.VOID, "lapsed")
    assert not Rating.objects.exists()


def test_a_quorum_of_the_other_sides_makes_a_free_for_all_count(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=dora, now=NOW)
    assert confirm(match.pk, by=bob, now=NOW).status == Status.REPORTED  # Charlie may object
    assert confirm_expired(match.confirm_deadline or LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement, match.confirmed_by) == (Status.RATED, "quorum", bob)
    assert set(Confirmation.objects.values_list("player__name", flat=True)) == {"Bob", "Dora"}


def test_a_quorum_needs_a_side_below_the_reporter(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(bob, charlie, alice, dora), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=dora, now=NOW).status == Status.RATED


def test_all_harmed_sides_are_enough_without_the_winner(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match = report(melee, placed(bob, alice, charlie), reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.RATED


def test_sharing_the_first_place_harms_too(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [side(one, place=0) for one in (alice, bob, charlie)] + [side(dora, place=3)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    for other in (dora, charlie):
        assert confirm(match.pk, by=other, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=bob, now=NOW).status == Status.RATED


def test_an_arena_can_ask_everybody(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    rules(melee, quorum_share=1)
    sides = [side(alice, place=0), *(side(one, place=0) for one in (bob, charlie, dora))]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    for other in (bob, charlie):
        assert confirm(match.pk, by=other, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=dora, now=NOW).status == Status.RATED


def test_silence_in_a_free_for_all_counts_only_for_sides_that_agreed(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    agreed = Side.objects.filter(match=match, captain=charlie)
    agreed.update(agreed_at=NOW, agreed_by=Agreement.READY_CHECK)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, "window")


def test_a_dispute_before_the_deadline_beats_a_quorum(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    for other in (bob, charlie):
        confirm(match.pk, by=other, now=NOW)
    page = words(browser_of(dora).get(match.get_absolute_url()))
    assert "Enough sides have confirmed it. It counts on" in page
    just_before = match.confirm_deadline or NOW
    dispute(match.pk, by=dora, reason="I won.", now=just_before - timedelta(seconds=1))
    assert confirm_expired(LATER) == 0
    assert not Rating.objects.exists()


HELD = ["fresh", "one address", "flagged", "with the reporter", "silent", "ranked"]


@pytest.mark.parametrize("who", HELD)
def test_only_the_word_of_ranked_and_separate_accounts_sinks_a_ranked_player(
    melee: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    eve: Player,
    who: str,
) -> None:
    season = melee.seasons.get()
    ranked = [dora] if who == "fresh" else [bob, charlie, dora, eve]
    Rating.objects.bulk_create(
        Rating(season=season, player=one, rating=1500, deviation=60, volatility=0.06, games=20)
        for one in ranked
    )
    addresses = {alice: uuid4(), bob: uuid4(), charlie: uuid4(), eve: uuid4()}
    if who == "one address":
        addresses[charlie] = addresses[bob]
    elif who == "with the reporter":
        addresses[charlie] = addresses[alice]
    elif who == "flagged":
        kind = Flag.Kind.ONE_ADDRESS
        Flag.objects.create(kind=kind, season=season, player=charlie, other=alice, raised_at=NOW)
    match = report(
        melee,
        placed(alice, bob, charlie, dora),
        reporter=alice,
        played_at=NOW,
        now=NOW,
        sent_from=addresses[alice],
    )
    for other in (bob,) if who == "silent" else (bob, charlie):
        confirm(match.pk, by=other, now=NOW, sent_from=addresses[other])
    page = words(browser_of(bob).get(match.get_absolute_url()))
    assert "Dora), only captains count who are ranked" in page
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert match.status == (Status.RATED if who == "ranked" else Status.VOID)


def test_a_ranked_player_sinks_by_their_own_word(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    Rating.objects.create(
        season=melee.seasons.get(),
        player=charlie,
        rating=1500,
        deviation=60,
        volatility=0.06,
        games=20,
    )
    match = report(melee, placed(alice, bob, charlie), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.RATED


@pytest.mark.django_db(transaction=True)
def test_confirmations_at_once_settle_the_match_once(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    calls: list[Callable[[], object]] = [
        partial(confirm, match.pk, by=player, now=NOW) for player in (bob, charlie, dora)
    ]
    all_at_once(calls * 3)
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert RatingEvent.objects.count() == 4
    assert 2 <= Confirmation.objects.count() <= 3
