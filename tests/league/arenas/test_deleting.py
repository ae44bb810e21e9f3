"""An arena without a rated result can be deleted with all that belongs to it."""

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Notice,
    Offence,
    PenaltyReason,
    Player,
    Roster,
    Season,
    StaffAction,
    Ticket,
)
from league.services.arenas import deleting
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.core.errors import Conflict
from league.services.dishonor.discipline import penalise
from league.services.queue.queueing import join
from league.services.standings.updating import update_pending
from tests.support.admin_steps import staff
from tests.support.cast import NOW, beats
from tests.support.result_steps import user_of
from tests.support.season_steps import win

__all__ = ["staff"]
VERSIONS = apps.get_model("league", "HistoricalArena")


def tables_of_season(season: int) -> list[str]:
    """Return the tables that still have a row of a season."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'season_id' "
            "AND table_schema = 'public'"
        )
        found = []
        for (table,) in cursor.fetchall():
            cursor.execute(f"SELECT 1 FROM {table} WHERE season_id = %s LIMIT 1", [season])
            if cursor.fetchone():
                found.append(table)
    return found


def test_it_goes_with_its_season_queue_rosters_and_open_reports(
    staff: Client, teams: Arena, owls: Roster, duel: Arena, alice: Player, charlie: Player
) -> None:
    ArenaQueue.objects.create(arena=teams)
    PenaltyReason.objects.create(arena=teams, name="Insults", stacks=1)
    beats(alice, charlie, teams)
    kept = beats(alice, charlie, duel)
    season = teams.seasons.get()
    url = reverse("admin:league_arena_delete", args=[teams.pk])
    page = staff.get(url).text
    for part in ("1 season", "1 queue", "1 roster", "1 match"):
        assert part in page, part
    assert "Give a reason" in staff.post(url).text
    assert staff.post(url, {"_reason": "A trial."}).status_code == 302
    connection.check_constraints()
    assert list(Arena.objects.all()) == [duel]
    assert tables_of_season(season.pk) == []
    assert list(Match.objects.all()) == [kept]
    assert not Roster.objects.exists()
    assert not Notice.objects.filter(arena=teams.pk).exists()
    action = StaffAction.objects.get(kind="deleted")
    assert action.before
    assert (action.before["name"], action.reason) == ("Teams", "A trial.")
    assert (action.details["object"], action.arena_id) == ("Teams", teams.pk)
    assert staff.post(url, {"_reason": "A trial."}).status_code in {302, 404}
    update_pending(NOW)


def test_a_draft_goes_with_its_queue(olga: Player) -> None:
    draft = from_preset(PRESETS["gw2-ranked"], name="One", slug="one", by=user_of(olga), now=NOW)
    assert deleting.delete(draft.pk, by=user_of(olga), reason="No.", now=NOW) == "One"
    assert not Arena.objects.exists()
    assert not ArenaQueue.objects.exists()
    assert (
        VERSIONS.objects.filter(id=draft.pk).count() == 2
    )  # its versions stay, with who deleted it


def test_what_ledgers_keep_keeps_the_arena(
    duel: Arena, teams: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    win(duel, alice, charlie)
    penalise([alice], Offence.QUEUE_DODGE, teams, now=NOW)
    for arena, why in ((duel, "1 rated result"), (teams, "1 penalty")):
        with pytest.raises(Conflict, match=why):
            deleting.delete(arena.pk, by=user_of(olga), reason="No.", now=NOW)
    assert Arena.objects.count() == Season.objects.count() == 2


def test_somebody_who_waits_in_its_queue_is_in_no_queue_afterwards(
    duel: Arena, olga: Player, alice: Player
) -> None:
    ArenaQueue.objects.create(arena=duel)
    join(duel, alice, [alice], now=NOW + timedelta(minutes=1))
    deleting.delete(duel.pk, by=user_of(olga), reason="No.", now=NOW)
    assert not Ticket.objects.exists()
