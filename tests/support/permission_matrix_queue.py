"""The permission table of the pages of queues and challenges."""

from __future__ import annotations

from tests.support.permission_objects import (
    in_arena,
    in_ready_check,
    in_regions,
    in_the_agreed_challenge,
    in_the_challenge,
    on_the_ladder,
)
from tests.support.permission_objects_results import a_result
from tests.support.permission_roles import LOGGED_IN, OPEN, Row

CAPTAINS = "login forbidden ok ok forbidden forbidden"
ANSWERING = "login forbidden forbidden ok forbidden forbidden"

QUEUE = [
    Row("queue", "GET", OPEN, where=in_arena),
    Row("queue_join", "GET", LOGGED_IN, where=in_arena),
    Row(
        "queue_join",
        "POST",
        LOGGED_IN,  # Alice and Charlie are led to their live match
        where=in_arena,
    ),
    Row("queue_leave", "GET", LOGGED_IN, where=in_arena),
    Row("queue_leave", "POST", LOGGED_IN, where=in_arena),
    Row("queue_filter", "GET", LOGGED_IN, where=in_arena),
    Row(
        "queue_filter",
        "POST",
        LOGGED_IN,
        where=in_arena,
        data=lambda world: {"percentiles": "10"},
    ),
    Row("queue_regions", "GET", LOGGED_IN, where=in_regions),
    Row(
        "queue_regions",
        "POST",
        LOGGED_IN,
        where=in_regions,
        data=lambda world: {"regions": "Europe"},
    ),
    Row("queue_answer", "GET", LOGGED_IN, where=in_ready_check),
    Row(
        "queue_answer",
        "POST",
        "login forbidden forbidden forbidden forbidden forbidden",  # no such invitation
        where=in_ready_check,
    ),
    Row("challenges", "GET", OPEN, where=on_the_ladder),
    Row("challenge_new", "GET", LOGGED_IN, where=on_the_ladder),
    Row(
        "challenge_new",
        "POST",
        "login ok refused ok ok ok",  # Alice is challenged, and nobody can challenge themselves
        where=on_the_ladder,
        data=lambda world: {"player": world.alice.pk},
    ),
    Row("challenge_draw", "GET", LOGGED_IN, where=on_the_ladder),
    Row(
        "challenge_draw",
        "POST",
        "login refused refused refused refused refused",  # this ladder has no random challenges
        where=on_the_ladder,
    ),
    Row("challenge_answer", "GET", LOGGED_IN, where=in_the_challenge),
    Row(
        "challenge_answer",
        "POST",
        ANSWERING,
        where=in_the_challenge,
        data=lambda world: {"answer": "decline"},
    ),
    Row("challenge_start", "GET", LOGGED_IN, where=in_the_agreed_challenge),
    Row(
        "challenge_start",
        "POST",
        "login forbidden refused refused forbidden forbidden",  # both are in a live match
        where=in_the_agreed_challenge,
    ),
    Row("challenge_report", "GET", CAPTAINS, where=in_the_agreed_challenge),
    Row(
        "challenge_report",
        "POST",
        CAPTAINS,
        where=in_the_agreed_challenge,
        data=a_result,
    ),
]
