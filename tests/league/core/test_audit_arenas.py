"""The staff log names the arena of an action, so that it is filtered, and organisers see theirs."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Announcement, Arena, Player, StaffAction, User
from league.models.reach import ARENA_ORGANISER
from league.services.announcements import announcing
from league.services.dishonor import bans
from league.services.merging import merging
from league.services.people import roles
from league.services.results.reports.answers import confirm
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, beats
from tests.support.result_steps import user_of

__all__ = ["staff"]

LOG = reverse("admin:league_staffaction_changelist")


@pytest.fixture
def log(duel: Arena, teams: Arena, alice: Player, bob: Player, charlie: Player, boss: User) -> None:
    """Let staff act in two arenas, and merge a player who played in one."""
    for player, arena in ((alice, duel), (bob, teams)):
        reason = f"Insults in {arena}"
        bans.ban(player, arena=arena, by=boss, reason=reason, until=None, now=NOW)
        bans.lift(player, by=boss, reason=f"Over in {arena}", now=NOW)
        news = Announcement(text=f"News of {arena}", arena=arena, starts_at=NOW)
        announcing.announce(news, by=boss, now=NOW)
    announcing.announce(Announcement(text="To all", starts_at=NOW), by=boss, now=NOW)
    twin = Player.objects.create(name="Twin")
    confirm(beats(twin, charlie, duel).pk, by=charlie, now=NOW)
    merging.merge(alice, twin, account=None, by=boss, reason="One in Duel", now=NOW)


OF_DUEL = ["Insults in Duel", "Over in Duel", "News of Duel", "One in Duel"]


def reasons(client: Client, query: str = "") -> list[str]:
    rows = client.get(LOG + query).context["cl"].queryset.order_by("pk")
    return [action.reason for action in rows]


@pytest.mark.usefixtures("log")
def test_the_log_is_filtered_by_arena(staff: Client, duel: Arena) -> None:
    assert reasons(staff, f"?arena={duel.pk}") == OF_DUEL
    assert len(reasons(staff)) == 8
    assert "By arena" in staff.get(LOG).text
    assert all(
        action.details["arena"] == "Duel"
        for action in StaffAction.objects.filter(details__arena_id=duel.pk)
    )
    assert staff.get(LOG + "?arena=x").status_code == 200


@pytest.mark.usefixtures("log")
def test_an_arena_organiser_reads_what_was_done_in_their_arena(duel: Arena, dora: Player) -> None:
    roles.give(user_of(dora), [ARENA_ORGANISER], [duel])
    client = browser_of(User.objects.get(player=dora))
    assert reasons(client) == OF_DUEL
    assert "Teams" not in client.get(LOG).text
