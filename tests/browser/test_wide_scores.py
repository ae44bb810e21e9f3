"""Names keep their words together beside the widest scores that an arena can allow."""

import pytest

from league.models import Arena, Player
from league.models.result_rules import LARGEST_SCORE
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.browser.conftest import House
from tests.support.cast import account, side
from tests.support.result_steps import rules

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NARROW = """all => all.filter(one => {
    const range = document.createRange();
    const lines = new Set(), texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        range.selectNodeContents(texts.currentNode);
        for (const box of range.getClientRects()) lines.add(Math.round(box.top));
    }
    return lines.size > Math.ceil(one.textContent.trim().length / 12);
}).map(one => one.textContent.trim())"""
"""The elements whose text, without pictures, takes more lines than one for each dozen letters."""


@pytest.mark.parametrize("highest", [10_000, LARGEST_SCORE])
def test_names_keep_their_letters_together(house: House, duel: Arena, highest: int) -> None:
    rules(duel, highest_score=highest, score_steps="thousandths")
    long, longer = account("Christopher"), account("Wolfeschlegelsteinhausen")
    least = highest - 0.875
    match = report(
        duel,
        [side(long, place=1, score=least), side(longer, place=0, score=highest - 0.125)],
        reporter=long,
        played_at=database_now(),
        now=database_now(),
    )
    reader = house.reader()
    for status in ("reported", "rated"):
        for width in (390, 1280):
            reader.page.set_viewport_size({"width": width, "height": 900})
            for address in (match.get_absolute_url(), duel.get_absolute_url(), "/"):
                reader.open(address)
                names = reader.page.locator(".board-side, .game .side .name, .side-head h3")
                assert names.evaluate_all(NARROW) == [], (status, width, address)
                wide = reader.page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, address
        if status == "reported":
            confirm(match.pk, by=Player.objects.get(pk=longer.pk), now=database_now())
