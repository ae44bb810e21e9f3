"""Two organisers order a ladder, and the first result comes in, at the same moment."""

from functools import partial

import pytest

from league.models import Player, Season
from league.services.core.errors import Conflict
from league.services.people.entry_lists import read_list
from league.services.results.reports.answers import confirm
from league.services.seasons.starting_lists import give
from tests.support.cast import NOW, account, arena, beats
from tests.support.challenge_steps import ranks
from tests.support.concurrency import all_at_once
from tests.support.merge_steps import all_differences
from tests.support.result_steps import user_of

pytestmark = pytest.mark.django_db(transaction=True)

UP = [f"Player {number:02}" for number in range(12)]


def test_one_order_after_the_other() -> None:
    ladder = arena("ladder", rating_system="ladder")
    by = user_of(account("Olga", superuser=True))
    lists = [read_list("\n".join(names)).entries for names in (UP, UP[::-1])]
    done = all_at_once([partial(give, ladder, each, {}, by=by, now=NOW) for each in lists])
    assert all(isinstance(answer, Season) for answer in done), done
    assert list(ranks(ladder)) in (UP, UP[::-1])
    assert Player.objects.count() == len(UP) + 1
    assert all_differences() == []


def test_an_order_and_the_first_result_come_one_after_the_other() -> None:
    ladder = arena("ladder", rating_system="ladder")
    by = user_of(account("Olga", superuser=True))
    zoe, yan = account("Zoe"), account("Yan")
    match = beats(zoe, yan, ladder)
    entries = read_list("\n".join([*UP, "Yan", "Zoe"])).entries
    ordered, _rated = all_at_once(
        [
            partial(give, ladder, entries, {}, by=by, now=NOW),
            partial(confirm, match.pk, by=yan, now=NOW),
        ]
    )
    if isinstance(ordered, Season):
        assert list(ranks(ladder)) == [*UP, "Zoe", "Yan"]
    else:
        assert isinstance(ordered, Conflict)
        assert list(ranks(ladder)) == ["Zoe", "Yan"]
    assert all_differences() == []
