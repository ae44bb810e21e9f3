"""The permission table of the pages of queues and challenges."""

from tests.support.permission_objects import (
    in_arena,
    in_ready_check,
    in_regions,
    in_the_agreed_challenge,
    in_the_challenge,
    on_the_ladder,
)
from tests.support.permission_objects_results import a_result
from tests.support.permission_roles import ADMIN_ONLY, LOGGED_IN, OPEN, Row, form

CAPTAINS = "login forbidden ok ok forbidden forbidden"
TALKING = "login forbidden ok ok forbidden ok"
ANSWERING = "login forbidden forbidden ok forbidden forbidden"

QUEUE = [
    Row("queue", "GET", OPEN, where=in_arena),
    *form(
        "queue_join",
        LOGGED_IN,
        LOGGED_IN,  # Alice and Charlie are led to their live match
        where=in_arena,
    ),
    *form("queue_leave", LOGGED_IN, LOGGED_IN, where=in_arena),
    *form("queue_filter", LOGGED_IN, LOGGED_IN, where=in_arena, data={"percentiles": "10"}),
    *form("queue_regions", LOGGED_IN, LOGGED_IN, where=in_regions, data={"regions": "Europe"}),
    *form(
        "queue_answer",
        LOGGED_IN,
        "login forbidden forbidden forbidden forbidden forbidden",  # no such invitation
        where=in_ready_check,
    ),
    Row("challenges", "GET", OPEN, where=on_the_ladder),
    *form(
        "challenge_new",
        LOGGED_IN,
        "login ok refused ok ok ok",  # Alice is challenged, and nobody can challenge themselves
        where=on_the_ladder,
        data=lambda world: {"player": world.alice.pk},
    ),
    *form(
        "challenge_enter",
        ADMIN_ONLY,
        ADMIN_ONLY.replace("ok", "refused"),  # nobody has this name
        where=on_the_ladder,
        data={"challenger": "Nobody", "challenged": "Charlie"},
    ),
    *form(
        "challenge_end",
        ADMIN_ONLY,
        ADMIN_ONLY.replace("ok", "refused"),  # both have an account
        where=in_the_agreed_challenge,
        data={"ending": "ignored"},
    ),
    *form(
        "starting_list",
        ADMIN_ONLY,
        ADMIN_ONLY.replace("ok", "refused"),  # this ladder has results
        where=on_the_ladder,
        data={"names": "Ann", "answer": "save"},
    ),
    *form(
        "challenge_draw",
        LOGGED_IN,
        "login refused refused refused refused refused",  # this ladder has no random challenges
        where=on_the_ladder,
    ),
    *form(
        "challenge_answer", LOGGED_IN, ANSWERING, where=in_the_challenge, data={"answer": "decline"}
    ),
    *form(
        "challenge_start",
        LOGGED_IN,
        "login forbidden refused refused forbidden forbidden",  # both are in a live match
        where=in_the_agreed_challenge,
    ),
    Row("challenge", "GET", OPEN, where=in_the_agreed_challenge),
    *form(
        "challenge_write",
        LOGGED_IN,
        TALKING,
        where=in_the_agreed_challenge,
        data={"text": "Is eight too late?"},
    ),
    *form("challenge_report", CAPTAINS, CAPTAINS, where=in_the_agreed_challenge, data=a_result),
]
