"""A season of the past is created while its arena is in use."""

from datetime import timedelta

import pytest
from django.db import connection, transaction

from league.models import Arena, Match, Player
from league.services.results.reports.answers import confirm
from league.services.seasons import opening
from tests.support.cast import NOW, OPENING, beats
from tests.support.concurrency import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_live_results_count_while_an_import_creates_a_season(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)

    def confirm_soon() -> Match:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '2s'")
        return confirm(match.pk, by=charlie, now=NOW)

    starts = OPENING - timedelta(days=60)
    with transaction.atomic():
        opening.create_past(
            duel, name="Before", starts_at=starts, ends_at=starts + timedelta(days=30), now=NOW
        )
        assert isinstance(all_at_once([confirm_soon])[0], Match)
