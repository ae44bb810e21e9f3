"""Several organisers press “Compare” at the same moment."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from league.models import Job
from league.services.core.errors import Conflict
from league.services.laboratory import asking, comparisons, entries, histories
from tests.support.cast import NOW, arena
from tests.support.concurrency import all_at_once
from tests.support.lab_steps import play_duels
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from league.models import Player


@pytest.mark.django_db(transaction=True)
def test_only_one_of_two_comparisons_at_the_same_moment_begins(olga: Player, alice: Player) -> None:
    one = arena("chess", rating_system="elo")
    play_duels(one, 24)
    season = histories.season_of(one)
    assert season
    split = histories.middle_of(season, 24)
    found = entries.entries(one, {"laurel": []})
    calls = [
        partial(asking.ask, one, found, split, by=user_of(each), now=NOW)
        for each in (olga, alice, olga, alice)
    ]
    answers = all_at_once([*calls])
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3
    assert Job.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_failed_is_started_again_once(olga: Player) -> None:
    one = arena("chess", rating_system="elo")
    play_duels(one, 24)
    by, season = user_of(olga), histories.season_of(one)
    assert season
    split = histories.middle_of(season, 24)
    made = asking.ask(one, entries.entries(one, {"laurel": []}), split, by=by, now=NOW)
    Job.objects.update(state=Job.State.FAILED)
    held = comparisons.of_job(made[0])
    assert held
    answers = all_at_once([partial(comparisons.again, held, by=by, now=NOW)] * 4)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3
    assert Job.objects.filter(state=Job.State.WAITING).count() == 2
