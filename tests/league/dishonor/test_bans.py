"""Bans, permanent or for a time, and lifting them."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Arena,
    ArenaQueue,
    Discipline,
    DishonorAward,
    Offence,
    Player,
    StaffAction,
    Ticket,
    User,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor.amnesties import Incident, grant
from league.services.dishonor.bans import LONGEST, ban, lift
from league.services.dishonor.discipline import ban_of, costs_of, penalise, status_of
from league.services.queue.queueing import join
from league.services.queue.ready_checks import remove_banned
from tests.support.admin_steps import browser_of as admin_of
from tests.support.admin_steps import form_on, messages_of, staff
from tests.support.cast import NOW, account
from tests.support.concurrency import all_at_once
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]


MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams)


def ban_page(player: Player) -> str:
    return reverse("admin:league_player_ban", args=[player.pk])


def lift_page(player: Player) -> str:
    return reverse("admin:league_player_lift_ban", args=[player.pk])


def player_page(player: Player) -> str:
    return reverse("admin:league_player_change", args=[player.pk])


def errors_of(answer: Any) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in answer.context["form"].errors.items()}


def test_olga_bans_bob_for_a_time_and_he_reads_why_and_until_when(
    staff: Client, queue: ArenaQueue, teams: Arena, bob: Player
) -> None:
    page = words(staff.get(player_page(bob)))
    assert "Ban…" in page
    assert "Lift the ban" not in page
    assert_strict(staff, ban_page(bob))
    assert "Leave empty for a permanent ban." in words(staff.get(ban_page(bob)))
    form = form_on(staff, ban_page(bob))
    assert form["arena"] == str(teams.pk)  # the only arena
    until = (timezone.now() + 3 * DAY).replace(second=0, microsecond=0)
    answer = staff.post(
        ban_page(bob), form | {"reason": "Insults <b>.", "until": f"{until:%Y-%m-%dT%H:%M}"}
    )
    assert answer["Location"] == player_page(bob)
    assert "Bob is banned and leaves all queues within seconds." in messages_of(answer)
    page = words(staff.get(player_page(bob)))
    assert "Lift the ban" in page
    assert "by olga: “Insults <b>.”" in page

    browser = browser_of(bob)
    said = words(browser.get(reverse("queue", args=["teams"])))
    assert "You are banned until " in said
    assert f"{until:%H:%M}" in said
    assert ": “Insults <b>.”" in said
    said = words(browser.get(reverse("dishonor")))
    assert "You are banned until " in said
    assert "Reason given by staff: “Insults <b>.”" in said
    assert "Stacks 0 Timeout 2 days 23 hours" in said
    assert "Banned by staff until " in said
    said = words(browser.get(reverse("settings")))
    assert "You have no dishonor. You are banned until " in said
    with pytest.raises(Refused, match="Bob is banned until "):
        join(teams, bob, [], now=database_now())
    assert not status_of(bob, until).in_timeout
    assert ban_of(bob, until) is None
    action = StaffAction.objects.get()
    assert (action.kind, action.reason) == (StaffAction.Kind.BAN, "Insults <b>.")
    assert action.details["name"] == "Bob"
    award = DishonorAward.objects.get()
    assert (award.ends_at, award.stacks, award.action) == (until, 0, action)
    row = words(staff.get(reverse("admin:league_dishonoraward_change", args=[award.pk])))
    assert "olga: Insults <b>." in row


def test_olga_bans_bob_permanently_and_lifts_the_ban(
    staff: Client, queue: ArenaQueue, bob: Player
) -> None:
    staff.post(ban_page(bob), form_on(staff, ban_page(bob)) | {"reason": "A bot."})
    browser = browser_of(bob)
    assert "You are banned. Reason: “A bot.”" in words(browser.get("/arenas/teams/queue/"))
    assert DishonorAward.objects.get().stacks == 1_000_000
    again = staff.post(ban_page(bob), form_on(staff, ban_page(bob)) | {"reason": "A bot."})
    assert errors_of(again) == {"__all__": ["Bob is already banned."]}
    assert "Bob is banned. Permanent, by olga: “A bot.”" in words(again)

    assert_strict(staff, lift_page(bob))
    empty = staff.post(lift_page(bob), {"reason": "  "})
    assert list(errors_of(empty)) == ["reason"]
    answer = staff.post(lift_page(bob), {"reason": "He is none."})
    assert "Bob is no longer banned." in messages_of(answer)
    assert "Queue alone" in words(browser.get("/arenas/teams/queue/"))
    said = words(browser.get(reverse("dishonor")))
    assert "Stacks 0 Timeout none" in said
    assert "Does not count. Staff: lifted a ban. “He is none.”" in said
    late = staff.post(lift_page(bob), {"reason": "He is none."})
    assert errors_of(late) == {"__all__": ["Bob is not banned."]}
    assert [action.kind for action in StaffAction.objects.order_by("pk")] == ["ban", "unban"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reason": ""}, "reason"),
        ({"arena": ""}, "arena"),
        ({"arena": "x"}, "arena"),
        ({"until": "2026-03-01T12:00"}, "until"),
        ({"until": "9999-12-31T23:59"}, "until"),
        ({"until": "soon"}, "until"),
    ],
)
def test_an_invalid_ban_is_refused_at_its_field(
    staff: Client, duel: Arena, bob: Player, changes: dict[str, str], field: str
) -> None:
    form = form_on(staff, ban_page(bob)) | {"reason": "Insults."} | changes
    assert list(errors_of(staff.post(ban_page(bob), form))) == [field]
    assert not DishonorAward.objects.exists()
    assert not StaffAction.objects.exists()


def test_only_staff_with_the_permission_can_ban(
    duel: Arena, bob: Player, olga: Player, boss: User
) -> None:
    frank = account("Frank").user
    assert frank
    frank.is_staff = True
    frank.save()
    frank.user_permissions.set(Permission.objects.filter(codename__in=["view_player"]))
    browser = admin_of(frank)
    assert "Ban…" not in words(browser.get(player_page(bob)))
    for address in (ban_page(bob), lift_page(bob)):
        assert browser.get(address).status_code == 403
        assert browser.post(address, {"reason": "So."}).status_code == 403
    for forbidden in (partial(ban, bob, arena=duel), partial(lift, bob)):
        with pytest.raises(Forbidden):
            forbidden(by=frank, reason="So.", now=NOW)
    frank.user_permissions.add(Permission.objects.get(codename="ban_player"))
    assert "Ban…" in words(admin_of(frank).get(player_page(bob)))
    for reason in ("", "  "):
        with pytest.raises(Refused, match="Give a reason"):
            ban(bob, arena=duel, by=boss, reason=reason, now=NOW)
        with pytest.raises(Refused, match="Give a reason"):
            lift(bob, by=boss, reason=reason, now=NOW)
    for until in (NOW, NOW - MINUTE, NOW + LONGEST + MINUTE):
        with pytest.raises(Refused, match="the next hundred years"):
            ban(bob, arena=duel, by=boss, reason="So.", until=until, now=NOW)


@pytest.mark.parametrize(("held", "offers"), [("void_match", True), ("decide_match", False)])
def test_voiding_all_matches_is_offered_to_those_who_may(
    duel: Arena, bob: Player, *, held: str, offers: bool
) -> None:
    frank = account("Frank").user
    assert frank
    frank.is_staff = True
    frank.save()
    names = ["view_player", "change_player", "ban_player", held]
    frank.user_permissions.set(Permission.objects.filter(codename__in=names))
    answer = admin_of(frank).post(ban_page(bob), {"arena": duel.pk, "reason": "So.", "until": ""})
    assert ("Void all their matches" in messages_of(answer)) == offers


def test_a_permanent_ban_lasts_as_long_as_the_rules_say(
    duel: Arena, bob: Player, boss: User
) -> None:
    penalties = [
        {"reason": "Abandon", "stacks": 10},
        {"reason": "QueueDodge", "stacks": 3},
        {"reason": "Banned", "stacks": 25},
    ]
    Discipline.objects.create(rules={"penalties": penalties})
    (cost,) = costs_of(bob, NOW, [Offence.BANNED])
    end = NOW + 63 * MINUTE
    assert cost.until == end
    ban(bob, arena=duel, by=boss, reason="So.", now=NOW)
    assert ban_of(bob, end - MINUTE)
    assert ban_of(bob, end) is None
    penalise([bob], Offence.QUEUE_DODGE, duel, now=end)
    assert status_of(bob, end).in_timeout
    assert ban_of(bob, end) is None  # the dodge keeps him out
    assert lift_is_refused(bob, boss, end)
    assert ban(bob, arena=duel, by=boss, reason="Again.", now=end)


def lift_is_refused(player: Player, by: User, now: Any) -> bool:
    with pytest.raises(Conflict, match="is not banned"):
        lift(player, by=by, reason="So.", now=now)
    return True


def test_a_lifted_ban_leaves_other_penalties_and_an_amnesty_lifts_a_ban_too(
    duel: Arena, bob: Player, boss: User
) -> None:
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW)
    ban(bob, arena=duel, by=boss, reason="So.", until=NOW + DAY, now=NOW)
    assert status_of(bob, NOW).until == NOW + DAY
    assert lift(bob, by=boss, reason="So.", now=NOW) == 1
    assert status_of(bob, NOW).until == NOW + 3 * MINUTE
    ban(bob, arena=duel, by=boss, reason="So.", until=NOW + DAY, now=NOW + MINUTE)
    incident = Incident(NOW, NOW + DAY, player=bob, offences=(Offence.BANNED,))
    assert grant(incident, by=boss, reason="So.", now=NOW + MINUTE) == 1
    assert status_of(bob, NOW + MINUTE).until == NOW + 3 * MINUTE
    with pytest.raises(IntegrityError, match="given_by_somebody"), transaction.atomic():
        DishonorAward.objects.create(
            player=bob,
            arena=duel,
            at=NOW,
            offence=Offence.ABANDON,
            stacks=1,
            ends_at=NOW + DAY,
        )


def test_banned_players_leave_every_queue_without_penalties(
    queue: ArenaQueue, teams: Arena, duel: Arena, bob: Player, eve: Player, boss: User
) -> None:
    ArenaQueue.objects.create(arena=duel, bars_timeouts=False)
    join(teams, bob, [], now=NOW)
    join(duel, eve, [], now=NOW)
    for player in (bob, eve):
        ban(player, arena=teams, by=boss, reason="So.", until=NOW + DAY, now=NOW)
    assert remove_banned(NOW + DAY) == 0
    assert remove_banned(NOW + MINUTE) == 2
    assert not Ticket.objects.waiting().exists()
    assert set(DishonorAward.objects.values_list("offence", flat=True)) == {Offence.BANNED}


@pytest.mark.django_db(transaction=True)
def test_many_bans_at_once_leave_one(duel: Arena, bob: Player, boss: User) -> None:
    give = partial(ban, bob, arena=duel, by=boss, reason="So.", now=NOW)
    answers = all_at_once([give] * 10)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 9
    assert DishonorAward.objects.count() == StaffAction.objects.count() == 1
    answers = all_at_once([partial(lift, bob, by=boss, reason="So.", now=NOW)] * 10)
    assert sum(answer == 1 for answer in answers) == 1
    assert StaffAction.objects.count() == 2
