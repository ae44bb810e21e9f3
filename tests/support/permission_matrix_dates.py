"""The permission table of dates, on the pages and in the API."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

from league.models import Arrangement
from league.services.core.clock import database_now
from league.services.dates.answers import accept
from league.services.dates.changing import ask_to_move
from league.services.dates.no_shows import claim
from league.services.dates.proposals import propose
from tests.support.permission_matrix import ANSWERING, CAPTAINS
from tests.support.permission_matrix_api import a_played_date
from tests.support.permission_objects import Fields, in_arena
from tests.support.permission_objects_results import a_result
from tests.support.permission_roles import LOGGED_IN, OPEN, Row, World, form

SIDES_AND_STAFF = "login missing ok ok missing ok"
"""Proposals are for both sides and for staff who decide matches."""


def asked_charlie(world: World) -> Arrangement:
    """Alice asks Charlie to play next week."""
    if "arrangement" not in world.extras:
        next_week = timezone.now() + timedelta(days=7)
        world.extras["arrangement"] = propose(
            world.arena, world.charlie, next_week, by=world.alice, now=timezone.now()
        )
    made: Arrangement = world.extras["arrangement"]
    return made


def in_the_proposal(world: World) -> Fields:
    return in_arena(world) | {"pk": asked_charlie(world).pk}


def a_date(world: World) -> Arrangement:
    """Alice and Charlie agreed to play an hour ago."""
    if "date" not in world.extras:
        now = timezone.now()
        today = now - timedelta(hours=1)
        one = propose(
            world.arena, world.charlie, today, by=world.alice, now=now - timedelta(days=1)
        )
        world.extras["date"] = accept(
            one.pk, by=world.charlie, seen=1, now=now - timedelta(hours=2)
        )
    made: Arrangement = world.extras["date"]
    return made


def a_coming_date(world: World) -> Arrangement:
    """Alice and Charlie agreed to play in three days."""
    if "coming" not in world.extras:
        now = timezone.now()
        one = propose(world.arena, world.charlie, now + timedelta(days=3), by=world.alice, now=now)
        world.extras["coming"] = accept(one.pk, by=world.charlie, seen=1, now=now)
    made: Arrangement = world.extras["coming"]
    return made


def on_the_coming_date(world: World) -> Fields:
    return in_arena(world) | {"pk": a_coming_date(world).pk}


def a_moving_date(world: World) -> Arrangement:
    """Alice asks Charlie to move a date."""
    if "moving" not in world.extras:
        now = timezone.now()
        at = now + timedelta(days=4)
        one = propose(world.arena, world.charlie, at, by=world.alice, now=now)
        accept(one.pk, by=world.charlie, seen=1, now=now)
        later = at + timedelta(hours=1)
        world.extras["moving"] = ask_to_move(one.pk, later, by=world.alice, seen=1, now=now)
    made: Arrangement = world.extras["moving"]
    return made


def on_the_moving_date(world: World) -> Fields:
    return in_arena(world) | {"pk": a_moving_date(world).pk}


def a_claimed_date(world: World) -> Arrangement:
    """Alice waited for Charlie in vain, who has to answer her claim."""
    if "claimed" not in world.extras:
        now = timezone.now()
        yesterday = now - timedelta(days=1)
        today = now - timedelta(hours=2)
        one = propose(world.arena, world.charlie, today, by=world.alice, now=yesterday)
        accept(one.pk, by=world.charlie, seen=1, now=yesterday)
        world.extras["claimed"] = claim(one.pk, by=world.alice, now=now)
    made: Arrangement = world.extras["claimed"]
    return made


def on_the_date(world: World) -> Fields:
    return in_arena(world) | {"pk": a_date(world).pk}


def another_time(world: World) -> Fields:
    asked_charlie(world)
    later = timezone.now() + timedelta(days=8)
    return {"zone": "UTC", "play_at": f"{later:%Y-%m-%dT%H:%M}", "revision": "1"}


def a_proposal(world: World) -> Fields:
    later = timezone.now() + timedelta(days=9)
    return {"opponent": "Eve", "zone": "UTC", "play_at": f"{later:%Y-%m-%dT%H:%M}"}


def in_api(date: Callable[[World], Arrangement]) -> Callable[[World], Fields]:
    """Return the arguments of an address of the API about a date."""
    return lambda world: {"pk": date(world).pk}


DATES = [
    Row("dates", "GET", OPEN, where=in_arena),
    *form(
        "date_new",
        LOGGED_IN,
        "login refused ok ok ok ok",  # nobody plays against themselves
        where=in_arena,
        data=a_proposal,
    ),
    Row("date", "GET", OPEN, where=on_the_date),
    Row("guess_table", "GET", OPEN, where=in_arena),
    *form(
        "guess",
        LOGGED_IN,
        "login refused forbidden forbidden refused refused",  # the two play live
        where=on_the_coming_date,
        data={"percent": "70"},
    ),
    Row("date_calendar", "GET", OPEN, where=on_the_date),
    Row("date_score", "GET", OPEN, where=on_the_date),
    Row(
        "date_score",
        "POST",
        LOGGED_IN,
        where=on_the_date,
        data={"act": "first", "seen": "0"},
    ),
    *form(
        "date_answer",
        SIDES_AND_STAFF,
        "login missing forbidden ok missing forbidden",  # Charlie is asked
        where=in_the_proposal,
        data={"answer": "accept", "revision": "1"},
    ),
    *form(
        "date_move",
        SIDES_AND_STAFF,
        "login missing forbidden ok missing forbidden",
        where=in_the_proposal,
        data=another_time,
    ),
    *form("date_report", CAPTAINS, CAPTAINS, where=on_the_date, data=a_result),
    *form("date_no_show", LOGGED_IN, CAPTAINS, where=on_the_date, data={"answer": "claim"}),
    *form(
        "date_write",
        SIDES_AND_STAFF,
        SIDES_AND_STAFF,
        where=in_the_proposal,
        data={"text": "Hello."},
    ),
    *form("date_reschedule", LOGGED_IN, CAPTAINS, where=on_the_coming_date, data=another_time),
    *form(
        "date_call_off",
        LOGGED_IN,
        CAPTAINS,
        where=on_the_coming_date,
        data={"reason": "I am ill.", "revision": "1"},
    ),
    *form(
        "date_request",
        LOGGED_IN,
        ANSWERING,
        where=on_the_moving_date,
        data=lambda world: {"answer": "agree", "request": str(a_moving_date(world).request_id)},
    ),
    *form(
        "api:dates",
        OPEN,
        "login refused ok ok ok ok",  # nobody plays against themselves
        where=in_arena,
        data=lambda world: {
            "opponent": world.eve.pk,
            "play_at": (database_now() + timedelta(days=9)).isoformat(),
        },
    ),
    Row(
        "api:date-answer",
        "POST",
        "login missing forbidden ok missing forbidden",  # Charlie is asked
        where=lambda world: {"pk": asked_charlie(world).pk},
        data={"answer": "accept", "revision": 1},
    ),
    Row(
        "api:date-withdraw",
        "POST",
        "login missing ok forbidden missing forbidden",
        where=lambda world: {"pk": asked_charlie(world).pk},
    ),
    Row(
        "api:date-report",
        "POST",
        CAPTAINS,
        where=lambda world: {"pk": a_date(world).pk},
        data=a_played_date,
    ),
    *form(
        "api:date-messages",
        SIDES_AND_STAFF,
        SIDES_AND_STAFF,
        where=in_api(asked_charlie),
        data={"text": "Hello."},
    ),
    Row(
        "api:date-move",
        "POST",
        CAPTAINS,
        where=in_api(a_coming_date),
        data=lambda world: {
            "play_at": (timezone.now() + timedelta(days=5, hours=3)).isoformat(),
            "revision": 1,
        },
    ),
    Row(
        "api:date-call-off",
        "POST",
        CAPTAINS,
        where=in_api(a_coming_date),
        data={"reason": "I am ill.", "revision": 1},
    ),
    Row(
        "api:date-request",
        "POST",
        ANSWERING,
        where=in_api(a_moving_date),
        data=lambda world: {"answer": "agree", "request": a_moving_date(world).request_id},
    ),
    Row("api:date-no-show", "POST", CAPTAINS, where=in_api(a_date)),
    Row(
        "api:date-no-show-answer",
        "POST",
        ANSWERING,
        where=in_api(a_claimed_date),
        data={"answer": "concede"},
    ),
]
