"""Programs enter competitions, check in and withdraw."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Competition, Player, Roster, Scope
from tests.support.api_steps import a_token, by_token, fields_at_fault, send
from tests.support.cast import arena
from tests.support.competition_steps import begun, competition, opened


@pytest.fixture
def open_competition(duel: Arena, olga: Player) -> Competition:
    """A competition that takes entries on the day of the test, and is checked in to."""
    one = opened(duel, olga, entry={"check_in": "2h"})
    Competition.objects.filter(pk=one.pk).update(starts_at=timezone.now() + timedelta(hours=1))
    return one


def at(one: Competition, step: str = "entry") -> str:
    return reverse(f"api:competition-{step}", args=[one.pk])


def test_a_program_enters_checks_in_and_leaves(
    open_competition: Competition, alice: Player
) -> None:
    mine = by_token(alice)
    made: Any = send(mine, at(open_competition), {})
    assert (made.status_code, made.json()["name"]) == (201, "Alice")
    assert send(mine, at(open_competition), {}).status_code == 409
    there = send(mine, at(open_competition, "check-in"), {})
    assert (there.status_code, there.json()["state"]) == (200, "checked-in")
    assert mine.delete(at(open_competition)).status_code == 204
    assert mine.delete(at(open_competition)).status_code == 409
    assert not open_competition.entrants.exists()


@pytest.mark.parametrize("body", [{"roster": 0}, {"roster": 10**9}, {"roster": "Owls"}])
def test_a_roster_that_is_none_is_refused(
    open_competition: Competition, alice: Player, body: dict[str, object]
) -> None:
    refused = send(by_token(alice), at(open_competition), body)
    assert (refused.status_code, fields_at_fault(refused)) == (400, {"roster"})


def test_somebody_elses_roster_cannot_be_entered(
    open_competition: Competition, alice: Player, bob: Player
) -> None:
    owls = Roster.objects.create(arena=open_competition.season.arena, name="Owls", captain=bob)
    assert send(by_token(alice), at(open_competition), {"roster": owls.pk}).status_code in {
        400,
        403,
    }
    assert not open_competition.entrants.exists()


def test_a_program_withdraws(duel: Arena, olga: Player, alice: Player, bob: Player) -> None:
    one = begun(duel, olga, [alice, bob])
    gone = send(by_token(alice), at(one, "withdrawal"), {})
    assert (gone.status_code, gone.json()["state"]) == (200, "withdrawn")
    assert send(by_token(alice), at(one, "withdrawal"), {}).status_code == 409


def test_drafts_are_not_found_and_some_tokens_do_not_reach(
    open_competition: Competition, alice: Player
) -> None:
    elsewhere = arena("elsewhere")
    assert send(by_token(alice), at(competition(elsewhere)), {}).status_code == 404
    assert send(by_token(alice, Scope.REPORT), at(open_competition), {}).status_code == 403
    made, text = a_token(alice.user, Scope.ACCOUNT)
    made.arenas.set([elsewhere])
    made.is_bound = True
    made.save()
    bound = by_token(alice)
    bound.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    refused = send(bound, at(open_competition), {})
    assert (refused.status_code, refused.json()["code"]) == (403, "another_arena")
