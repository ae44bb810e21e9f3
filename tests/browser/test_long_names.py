"""Names of one long word break on a phone, and other names keep their words together."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Competition, Match, Player
from tests.browser.conftest import House

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PHONE = 390
LONG = "Donaudampfschifffahrtssportgemeinschaftskicke"
NAMES = [LONG, f"{LONG[:43]}rn", "SV 08 Auersmacher", "SpVgg Greuther Fürth"]
BROKEN = r"""all => all.flatMap(one => {
    const found = [], walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
        for (const word of node.data.matchAll(/(?<!\S)\S{1,12}(?!\S)/g)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
            if (lines.size > 1) found.push(word[0]);
        }
    }
    return found;
})"""
"""The words of up to a dozen letters that stand on more than one line."""


def test_pages_of_a_league_are_as_wide_as_a_phone(house: House, duel: Arena, olga: Player) -> None:
    one = Competition.objects.create(
        season=duel.seasons.get(),
        name="Club League",
        format="table",
        starts_at=timezone.now() + timedelta(hours=1),
    )
    public = one.get_absolute_url()
    reader = house.reader(olga, width=PHONE)
    page = reader.open(f"{public}run/")
    page.get_by_role("button", name="Open for entries").click()
    page.get_by_role("link", name="0 entrants").click()
    page.get_by_label("Names").fill("\n".join(NAMES))
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("button", name="Enter 4 entrants").click()
    names = page.locator(".entrants tbody th")
    assert names.evaluate_all(BROKEN) == []
    page.get_by_role("link", name="Run this competition").click()
    page.get_by_role("button", name="Draw and start now").click()
    for field in page.locator("input[name^='result-']").all():
        field.fill("1-0")
    page.get_by_role("button", name="Save the results").click()
    matches = [match.get_absolute_url() for match in Match.objects.all()]
    addresses = [
        f"{public}run/",
        public,
        f"{public}entrants/",
        *matches,
        *[f"{match}correct/" for match in matches],
        *[fixture.get_absolute_url() for fixture in one.fixtures.all()[:2]],
        duel.get_absolute_url(),
        f"{duel.get_absolute_url()}leaderboard/",
    ]
    for address in addresses:
        reader.open(address)
        page.set_viewport_size({"width": PHONE, "height": 800})
        page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE, address
        broken = page.locator(
            ".standing tbody th, .crosstable tbody th, .side-head h3"
        ).evaluate_all(BROKEN)
        assert broken == [], address
    reader.open(reverse("admin:league_fixture_changelist"))
    page.set_viewport_size({"width": PHONE, "height": 800})
    result = page.locator("#result_list td.field-score").first.bounding_box()
    assert result
    assert result["x"] + result["width"] <= PHONE, "a long name hides the result"


def test_admin_pages_of_an_arena_are_as_wide_as_a_phone(
    house: House, duel: Arena, olga: Player
) -> None:
    duel.name = "x" * 60
    duel.save()
    reader = house.reader(olga, width=PHONE)
    for name in ("league_arena_change", "league_arena_evening"):
        page = reader.open(reverse(f"admin:{name}", args=[duel.pk]))
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE, name
