"""Dates that were moved and called off survive the way back to before there were such dates."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from league.models import Arena, Arrangement, MailPreference, Notice, NoticeKind, Player
from league.services.arranging.answers import accept
from league.services.arranging.changing import ask_to_move, call_off
from league.services.arranging.no_shows import claim, concede
from league.services.arranging.proposals import propose
from league.services.arranging.rules import NO_SHOW_AFTER
from tests.support.cast import NOW
from tests.support.date_steps import SATURDAY, SUNDAY
from tests.support.migration_steps import migrate_to, migrate_to_latest

if TYPE_CHECKING:
    from league.models import Match

pytestmark = pytest.mark.django_db


def test_dates_survive_the_way_back_and_forth(
    agreed: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    hour = timedelta(hours=1)
    moving, claimed = (
        propose(duel, charlie, SATURDAY + number * hour, by=alice, now=NOW) for number in (1, 2)
    )
    for one in (moving, claimed):
        accept(one.pk, by=charlie, seen=1, now=NOW)
    MailPreference.objects.create(player=charlie, muted=["rated", "messaged", "waiting"])
    call_off(agreed.pk, by=alice, seen=1, reason="Ill.", now=NOW)
    ask_to_move(moving.pk, SUNDAY, by=alice, seen=1, now=NOW)
    claim(claimed.pk, by=alice, now=claimed.play_at + NO_SHOW_AFTER)
    migrate_to("0037_arrangements")
    with connection.cursor() as cursor:
        cursor.execute("SELECT state FROM league_arrangement ORDER BY id")
        assert cursor.fetchall() == [("lapsed",), ("accepted",), ("accepted",)]
        cursor.execute("SELECT muted FROM league_mailpreference")
        assert cursor.fetchall() == [(["rated"],)]
        cursor.execute("SELECT DISTINCT kind FROM league_notice")
        assert cursor.fetchall() == [("dated",)]
    migrate_to_latest()
    assert Arrangement.objects.get(pk=moving.pk).request is None
    assert Notice.objects.filter(kind=NoticeKind.DATED, arrangement=None).exists()
    match: Match = concede(claimed.pk, by=charlie, now=claimed.play_at + NO_SHOW_AFTER)
    assert match.participants.count() == 2  # claims of before name nobody: each captain is alone
