"""Undoing and redoing the migrations of claims and merges, on a league with both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import IntegrityError, transaction

from league.models import Notice, Player, Roster, StaffAction, User
from league.services.dishonor import bans
from league.services.people.claims import claim, decide
from tests.support.cast import NOW, roster
from tests.support.merge_steps import merged
from tests.support.migration_steps import migrate_to, migrate_to_latest

if TYPE_CHECKING:
    from league.models import Arena

pytestmark = pytest.mark.django_db


def test_claims_stay_on_record_when_their_migration_is_undone(olga: Player) -> None:
    assert olga.user
    newcomer = User.objects.create(username="newcomer")
    asked = claim(newcomer, Player.objects.create(name="Eve of old"), evidence="Me.", now=NOW)
    decide(asked.pk, approve=True, by=olga.user, reason="So.", now=NOW)
    actions = list(StaffAction.objects.order_by("pk").values())
    migrate_to("0033_names_and_lookalikes")
    migrate_to_latest()
    assert list(StaffAction.objects.order_by("pk").values()) == actions
    assert [action["kind"] for action in actions] == ["claim"]


def test_merges_stay_on_record_when_their_migration_is_undone(
    duel: Arena, teams: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    assert olga.user
    roster(teams, "Bükk", alice)
    merged(alice, bob, olga.user)
    bans.ban(alice, arena=duel, by=olga.user, reason="Insults.", now=NOW)
    bans.lift(alice, by=olga.user, reason="Pardon.", now=NOW)
    actions = list(StaffAction.objects.order_by("pk").values())
    migrate_to("0037_arrangements")
    migrate_to_latest()
    assert list(StaffAction.objects.order_by("pk").values()) == actions
    assert [row.search_name for row in Roster.objects.filter(name="Bükk")] == ["bukk"]
    assert not Notice.objects.filter(kind="unbanned").exists()
    assert Player.objects.filter(pk=bob.pk).exists()
    with pytest.raises(IntegrityError, match="staff_action_about_a_match"), transaction.atomic():
        StaffAction.objects.create(actor=olga.user, kind=StaffAction.Kind.VOIDED, at=NOW)
