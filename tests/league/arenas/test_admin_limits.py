"""Olga sets how much one account may send in an arena."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from league.models import Arena, Player
from league.models.limits import Limits
from league.services.core.errors import Refused
from league.services.people.invitations import invite
from ratings.tunables.declarations import declarations
from tests.support.admin_steps import arena_page, errors_of, form_on, send, staff
from tests.support.cast import NOW, account, roster
from tests.support.web_steps import words

__all__ = ["staff"]


def limited(arena: Arena, **limits: int) -> Arena:
    arena.limits = limits
    arena.full_clean()
    arena.save()
    return arena


def test_every_limit_is_a_field_with_its_default_and_reason(staff: Client, duel: Arena) -> None:
    form = form_on(staff, arena_page(duel))
    defaults = Limits().to_json()
    assert {name: form[f"limits__{name}"] for name in defaults} == {
        name: str(value) for name, value in defaults.items()
    }
    assert all(one.source.startswith("Laurel: ") for one in declarations(Limits))


def test_olga_changes_a_limit_and_the_history_and_the_api_say_so(
    staff: Client, duel: Arena
) -> None:
    assert errors_of(send(staff, arena_page(duel), {"limits__open_reports": "7"})) == {}
    assert Arena.objects.get(pk=duel.pk).limit_settings() == Limits(open_reports=7)
    history = words(staff.get(f"/admin/league/arena/{duel.pk}/history/"))
    assert "Unanswered reports" in history
    shown = Client().get(f"/api/v1/arenas/{duel.slug}/").json()["limits"]
    assert {one["name"]: one["value"] for one in shown}["open_reports"] == 7


@pytest.mark.parametrize("typed", ["0", "-1", "10001", "1.5", "many", "∞"])
def test_a_wrong_limit_is_refused_beside_its_field(staff: Client, duel: Arena, typed: str) -> None:
    errors = errors_of(send(staff, arena_page(duel), {"limits__open_reports": typed}))
    assert list(errors) == ["limits__open_reports"]
    assert Arena.objects.get(pk=duel.pk).limit_settings() == Limits()


@pytest.mark.parametrize("stored", [{"open_reports": 0}, {"recent_reports": "five"}, {"swings": 1}])
def test_stored_limits_are_validated(duel: Arena, stored: dict[str, Any]) -> None:
    duel.limits = stored
    with pytest.raises(ValidationError) as error:
        duel.full_clean()
    assert list(error.value.message_dict) == ["limits"]


def test_open_invitations_are_limited_as_the_arena_says(teams: Arena, alice: Player) -> None:
    owls = roster(limited(teams, open_invitations=5), "Owls", alice)
    invite(owls, [account(f"Player {number}") for number in range(5)], NOW)
    with pytest.raises(Refused, match="A roster can have 5 open invitations at a time"):
        invite(owls, [account("One more")], NOW)


def test_invitations_of_a_day_are_limited_as_the_arena_says(teams: Arena, alice: Player) -> None:
    owls = roster(limited(teams, invitations_per_day=4), "Owls", alice)
    invite(owls, [account(f"Player {number}") for number in range(4)], NOW)
    with pytest.raises(Refused, match="You can send 4 invitations a day"):
        invite(owls, [account("One more")], NOW)
