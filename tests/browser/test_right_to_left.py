"""A page from right to left puts what comes first to the right: sides, and their scores alike."""

import pytest
from playwright.sync_api import Locator

from league.models import Arena, Player
from league.services.core.clock import database_now
from league.services.results.reports.reporting import report
from tests.browser.conftest import House
from tests.support.cast import side
from tests.support.result_steps import rules

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PLACE = """(one, text) => {
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const at = texts.currentNode.data.indexOf(text);
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(texts.currentNode, at);
        range.setEnd(texts.currentNode, at + text.length);
        return range.getBoundingClientRect().left;
    }
}"""
"""The distance of a text from the left edge."""


def first_is_right(part: Locator, first: str, second: str) -> bool:
    return bool(part.evaluate(PLACE, first) > part.evaluate(PLACE, second))


@pytest.mark.parametrize(("language", "is_right"), [("ar", True), ("de", False)])
def test_the_score_of_a_side_is_beside_it(
    house: House, duel: Arena, alice: Player, charlie: Player, language: str, *, is_right: bool
) -> None:
    rules(duel, highest_score=9)
    match = report(
        duel,
        [side(alice, place=0, score=7), side(charlie, place=1, score=4)],
        reporter=alice,
        played_at=database_now(),
        now=database_now(),
    )
    page = house.reader().open(f"{match.get_absolute_url()}?lang={language}")
    assert first_is_right(page.locator("h1.board"), "Alice", "Charlie") == is_right
    assert first_is_right(page.locator("h1 .score"), "7", "4") == is_right
