"""The permission table of challenges in the API."""

from tests.support.permission_matrix import ANSWERING, CAPTAINS, TALKING
from tests.support.permission_matrix_api import a_played_date
from tests.support.permission_objects import (
    in_the_agreed_challenge,
    in_the_challenge,
    on_the_ladder,
)
from tests.support.permission_roles import OPEN, Row, form

CHALLENGES = [
    *form(
        "api:challenges",
        OPEN,
        "login ok refused ok ok ok",  # Alice is challenged, and nobody can challenge themselves
        where=on_the_ladder,
        data=lambda world: {"player": world.alice.pk},
    ),
    Row(
        "api:challenge-draw",
        "POST",
        "login refused refused refused refused refused",  # this ladder has no random challenges
        where=on_the_ladder,
    ),
    Row(
        "api:challenge-answer",
        "POST",
        ANSWERING,
        where=in_the_challenge,
        data={"answer": "decline"},
    ),
    *form(
        "api:challenge-messages",
        TALKING,
        TALKING,
        where=in_the_agreed_challenge,
        data={"text": "Is eight too late?"},
    ),
    *form(
        "api:match-talk",
        TALKING,
        TALKING,
        where=lambda world: {"pk": world.live.pk},
        data={"text": "Hello."},
    ),
    Row(
        "api:challenge-start",
        "POST",
        "login forbidden refused refused forbidden forbidden",  # both are in a live match
        where=in_the_agreed_challenge,
    ),
    Row(
        "api:challenge-report", "POST", CAPTAINS, where=in_the_agreed_challenge, data=a_played_date
    ),
]
