"""Two organisers type their evenings at the same time."""

from functools import partial

import pytest

from league.models import Arena, Match, Player, User
from league.services.core.errors import Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.transfer.evenings import evenings
from league.services.transfer.evenings.evening_rows import EveningRow
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.result_steps import user_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_evenings_in_another_order_and_live_results_do_not_block_each_other(
    duel: Arena, olga: Player
) -> None:
    by = user_of(olga)
    accounts = [User.objects.create(username=f"player{number}") for number in range(20)]
    players = [Player.objects.create(name=f"Player {one.pk}", user=one) for one in accounts]
    rows = [
        EveningRow(first.name, second.name, "1")
        for first, second in zip(players[::2], players[1::2], strict=True)
    ]
    for _again in range(3):
        live = [
            beats(first, second, duel)
            for first, second in zip(players[1:9], players[11:19], strict=True)
        ]
        trials = [
            partial(evenings.try_out, duel, typed, by=by, played_at=NOW, now=NOW)
            for typed in (rows, rows[::-1], rows[5:] + rows[:5])
        ]
        settling = [
            partial(confirm, match.pk, by=second, now=NOW)
            for match, second in zip(live, players[11:19], strict=True)
        ]
        answers = all_at_once([*trials, *settling, *trials])
        assert [answer for answer in answers if isinstance(answer, Refused)] == []
    assert verify(duel.seasons.get()) == []
    assert Match.objects.rated().count() == 24
