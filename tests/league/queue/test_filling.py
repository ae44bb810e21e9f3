"""Lone players fill the seats of leavers, unrated, and only if they have said so."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from league.models import (
    Agreement,
    Arena,
    ArenaQueue,
    DishonorAward,
    FillIn,
    Match,
    Participant,
    Player,
    Rating,
    RatingEvent,
    Scope,
    Ticket,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden
from league.services.dishonor.abandons import leave
from league.services.integrity.queue import breaches
from league.services.queue.filling import leave_seat
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import crowd, rated
from tests.support.web_steps import browser_of, words

LEFT_AT = NOW + timedelta(minutes=2)


@pytest.fixture
def filling_queue(queue: ArenaQueue) -> ArenaQueue:
    queue.fills_seats = True
    queue.save()
    return queue


@pytest.fixture
def match_with_gap(
    filling_queue: ArenaQueue,
    teams: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
) -> Match:
    """A match from the queue that Bob has left."""
    sides = [StartingSide(alice, [alice, bob]), StartingSide(charlie, [charlie, dora])]
    match = start(teams, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    leave(match.pk, by=bob, now=LEFT_AT)
    return match


def later(minutes: float) -> datetime:
    return LEFT_AT + timedelta(minutes=minutes)


def test_the_willing_player_with_the_nearest_rating_takes_the_seat(
    match_with_gap: Match, teams: Arena, bob: Player, eve: Player
) -> None:
    far, unwilling = crowd(2)
    for player, rating in ((bob, 1500), (far, 1900), (eve, 1450), (unwilling, 1500)):
        rated(player, teams, rating)
    for player in (far, eve):
        join(teams, player, [], now=LEFT_AT, fills_seat=True)
    join(teams, unwilling, [], now=LEFT_AT)
    assert tick(teams.pk, now=later(1), seed=1)
    one = FillIn.objects.get()
    assert (one.player, one.replaces.player, one.match) == (eve, bob, match_with_gap)
    assert not Ticket.objects.of(eve).exists()
    assert Ticket.objects.waiting().count() == 2
    tick(teams.pk, now=later(2), seed=1)
    assert FillIn.objects.count() == 1
    assert breaches(later(3)) == []


def test_a_fill_in_plays_unrated_and_the_result_is_as_if_nobody_had_come(
    match_with_gap: Match, teams: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    join(teams, eve, [], now=LEFT_AT, fills_seat=True)
    tick(teams.pk, now=later(1), seed=1)
    finish(match_with_gap.pk, [Finish(0), Finish(1)], reporter=alice, now=later(20))
    confirm(match_with_gap.pk, by=charlie, now=later(21))
    assert RatingEvent.objects.filter(match=match_with_gap).count() == 4
    assert not Rating.objects.filter(player=eve).exists()
    assert not Participant.objects.filter(player=eve).exists()
    join(teams, eve, [], now=later(22))  # free again
    assert breaches(later(22)) == []


def test_no_seat_is_filled_that_should_not_be(
    match_with_gap: Match, filling_queue: ArenaQueue, teams: Arena, bob: Player, eve: Player
) -> None:
    join(teams, eve, [], now=LEFT_AT, fills_seat=True)
    tick(teams.pk, now=later(11), seed=1)  # too late
    assert not FillIn.objects.exists()
    match_with_gap.sides.update(agreed_by="", agreed_at=None)  # not from the queue
    tick(teams.pk, now=later(1), seed=1)
    assert not FillIn.objects.exists()
    match_with_gap.sides.update(agreed_by=Agreement.READY_CHECK, agreed_at=NOW)
    filling_queue.fills_seats = False
    filling_queue.save()
    tick(teams.pk, now=later(2), seed=1)
    assert not FillIn.objects.exists()
    Ticket.objects.update(fills_seat=False)
    filling_queue.fills_seats = True
    filling_queue.save()
    tick(teams.pk, now=later(3), seed=1)
    assert not FillIn.objects.exists()


def test_the_leaver_does_not_take_their_own_seat(
    match_with_gap: Match, filling_queue: ArenaQueue, teams: Arena, bob: Player
) -> None:
    filling_queue.bars_timeouts = False
    filling_queue.save()
    join(teams, bob, [], now=LEFT_AT, fills_seat=True)
    tick(teams.pk, now=later(1), seed=1)
    assert not FillIn.objects.exists()


def test_a_fill_in_plays_nowhere_else_until_they_leave_which_costs_nothing(
    match_with_gap: Match, teams: Arena, duel: Arena, eve: Player, alice: Player
) -> None:
    join(teams, eve, [], now=LEFT_AT, fills_seat=True)
    tick(teams.pk, now=later(1), seed=1)
    with pytest.raises(Conflict, match="Eve fills a seat in a match in Teams"):
        join(teams, eve, [], now=later(2))
    other = crowd(1)[0]
    with pytest.raises(Conflict):
        start(duel, [StartingSide(eve, [eve]), StartingSide(other, [other])], now=later(2))
    with pytest.raises(Forbidden):
        leave_seat(match_with_gap.pk, by=alice, now=later(3))
    for _again in range(2):
        leave_seat(match_with_gap.pk, by=eve, now=later(3))
    assert not DishonorAward.objects.filter(player=eve).exists()
    join(teams, eve, [], now=later(4), fills_seat=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        FillIn.objects.update(left_at=None)
    tick(teams.pk, now=later(5), seed=1)  # not twice into one match
    assert FillIn.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_ticks_at_once_fill_a_seat_once(match_with_gap: Match, teams: Arena) -> None:
    for player in crowd(3):
        join(teams, player, [], now=LEFT_AT, fills_seat=True)
    all_at_once([partial(tick, teams.pk, now=later(1), seed=seed) for seed in range(4)])
    assert FillIn.objects.count() == 1
    assert breaches(later(1)) == []


def test_the_pages_offer_it_and_say_what_it_means(
    filling_queue: ArenaQueue, teams: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    now = database_now()
    mates = crowd(2)
    sides = [StartingSide(alice, [alice, mates[0]]), StartingSide(charlie, [charlie, mates[1]])]
    match = start(teams, sides, now=now - timedelta(minutes=2), agreed_by=Agreement.READY_CHECK)
    leave(match.pk, by=mates[0], now=now)
    browser = browser_of(eve)
    queue = reverse("queue", args=[teams.slug])
    assert "I would take the place of somebody who left a match." in words(browser.get(queue))
    browser.post(reverse("queue_join", args=[teams.slug]), {"fills_seat": "on"})
    tick(teams.pk, now=database_now(), seed=1)
    assert "You fill a seat in a match." in words(browser.get("/players/"))
    assert "You are playing in" in words(browser.get(queue))
    page: Any = words(browser.get(match.get_absolute_url()))
    assert f"Eve for {mates[0]}, from" in page
    assert "They play unrated" in page
    left = browser.post(reverse("match_leave_seat", args=[match.pk]), follow=True)
    assert "You have left the seat." in words(left)
    assert "Leave the seat" not in words(browser.get(match.get_absolute_url()))


def test_programs_leave_a_seat(
    match_with_gap: Match, teams: Arena, alice: Player, eve: Player
) -> None:
    join(teams, eve, [], now=LEFT_AT, fills_seat=True)
    tick(teams.pk, now=later(1), seed=1)
    address = f"/api/v1/matches/{match_with_gap.pk}/seat/leave/"
    assert send(by_token(alice), address, {}).json()["code"] == "no_seat"
    assert send(by_token(eve, Scope.REPORT), address, {}).status_code == 403
    assert fields_at_fault(send(by_token(eve), address, {"player": 1})) == {"player"}
    assert send(by_token(eve), "/api/v1/matches/999999/seat/leave/", {}).status_code == 404
    for _again in range(2):
        assert send(by_token(eve, Scope.QUEUE), address, {}).status_code == 204
    assert FillIn.objects.get().left_at
