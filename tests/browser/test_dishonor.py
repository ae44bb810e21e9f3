"""Bob leaves a match in a browser, with and without scripts, and reads the penalty."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from league.models import ArenaQueue, DishonorAward
from league.services.core.clock import database_now
from league.services.results.reports.live import StartingSide, start

if TYPE_CHECKING:
    from league.models import Arena, Player
    from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.mark.parametrize("scripts", [True, False])
def test_bob_leaves_his_match_and_reads_his_timeout_in_his_own_zone(
    house: House, duel: Arena, bob: Player, eve: Player, scripts: bool
) -> None:
    ArenaQueue.objects.create(arena=duel)
    sides = [StartingSide(bob, [bob]), StartingSide(eve, [eve])]
    match = start(duel, sides, now=database_now())
    page = house.reader(bob, scripts=scripts).open(match.get_absolute_url())
    page.get_by_text("Leave this match").click()
    page.get_by_role("button", name="Leave for good").click()
    page.wait_for_url("**/settings/dishonor/")
    assert page.get_by_text("You have left the match").is_visible()
    assert DishonorAward.objects.get().match == match
    notice = page.get_by_role("region", name="Your timeout")
    zone = r"\bCES?T\b" if scripts else r"\bUTC\b"
    notice.get_by_text(re.compile(zone)).wait_for()
