"""Every page of the permission tables is accessible, fits a phone and works in the dark.

The tables have a row for each route, so a new page is checked without being listed here.
"""

import pytest
from django.core.cache import cache
from django.test import Client

from league.models import Arena
from tests.browser.conftest import House
from tests.support.browser_steps import OF_DJANGO, troubles
from tests.support.effort import some
from tests.support.permission_furnish import furnish
from tests.support.permission_roles import Answer, Role, Row, World, build_world, fields_in
from tests.support.permission_walk import ROWS, Question, address_of, model_addresses

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

READERS = [Role.OPPONENT, Role.REPORTER, Role.PLAYER, Role.ADMIN, Role.ANONYMOUS]
"""Who opens a page: the first of them that it is for."""
FEW = 27
"""Addresses of the admin that a run asks by default. Almost half are pages."""


def reader_of(row: Row) -> Role:
    """Return who reads the page of a row."""
    if row.route.startswith("admin:"):
        return Role.ADMIN
    return next(role for role in READERS if row.answers[role] == Answer.OK)


def is_page(row: Row) -> bool:
    return row.method == "GET" and Answer.OK in row.answers.values()


def addresses_of(world: World) -> list[tuple[Role, str]]:
    """Return who reads which address."""
    found: dict[str, Role] = {}
    for row in filter(is_page, ROWS):
        question = Question(row, address_of(row, world), fields_in(world, row.query))
        query = "&".join(f"{key}={value}" for key, value in question.fields.items())
        found.setdefault(question.address + (f"?{query}" if query else ""), reader_of(row))
    for address in model_addresses().values():
        found.setdefault(address, Role.ADMIN)
    return [(role, address) for address, role in found.items()]


def is_whole_page(world: World, role: Role, address: str) -> bool:
    """Files, parts of pages and redirects are none, and the page of the API is Swagger's own."""
    if address == "/api/v1/docs/":
        return False
    client = Client()
    if user := world.user(role):
        client.force_login(user, "allauth.account.auth_backends.AuthenticationBackend")
    answer = client.get(address)
    content = answer.getvalue()
    is_html = answer.headers.get("Content-Type", "").startswith("text/html")
    return answer.status_code == 200 and is_html and b"<html" in content


def test_every_page_is_accessible_in_light_and_dark_and_fits_a_phone(house: House) -> None:
    cache.clear()
    world = build_world()
    furnish(world)
    everything = addresses_of(world)
    of_admin = [one for one in everything if one[1].startswith("/admin/")]
    chosen = [one for one in everything if one not in of_admin] + some(of_admin, FEW)
    pages = [one for one in chosen if is_whole_page(world, *one)]
    assert len(pages) > len(chosen) / 3
    readers = {role: house.reader(world.people.get(role)) for role in READERS}
    found = []
    for role, address in pages:
        found += [one for one in troubles(readers[role].open(address)) if OF_DJANGO not in one]
    assert found == []


def test_refusals_are_accessible(house: House) -> None:
    world = build_world()
    reader = house.reader(world.people[Role.PLAYER])
    for address in ("/nowhere/", "/arenas/duel/report/?opponent=Zed"):
        assert troubles(reader.open(address)) == []
    # A browser logs the status of each of these pages as an error.
    assert all("the server responded with a status of 40" in fault for fault in reader.faults)
    reader.faults.clear()


def test_the_keyboard_skips_to_the_content(house: House, duel: Arena) -> None:
    page = house.reader().open("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
