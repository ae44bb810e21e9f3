"""The list of refusals leads from the code in an answer to the line that refused."""

import traceback
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.results.reports.reporting import report
from tests.support.cast import side
from tests.support.refusals import ROOT, find_refusals

pytestmark = pytest.mark.django_db


def refused(act: Callable[[], object]) -> tuple[str, str, int]:
    """Return the code of a refusal, with the file and line that raised it."""
    with pytest.raises(Refused) as caught:
        act()
    where = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert where.lineno
    return caught.value.code, str(Path(where.filename).relative_to(ROOT)), where.lineno


def test_a_code_leads_to_the_line_that_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    now = database_now()
    sides = [side(alice, place=0), side(charlie, place=1)]
    listed = {one[:3] for one in find_refusals()}
    early = now + timedelta(days=1)
    assert refused(lambda: report(duel, sides, reporter=alice, played_at=early, now=now)) in listed
    assert refused(lambda: report(duel, sides, reporter=bob, played_at=now, now=now)) in listed


def test_every_refusal_has_a_code_and_a_sentence() -> None:
    found = find_refusals()
    assert len(found) > 500
    assert not [one for one in found if not (one.code and one.sentence)]
    assert not [one for one in found if not one.is_computed and not one.code.isidentifier()]
