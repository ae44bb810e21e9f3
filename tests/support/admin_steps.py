"""Use admin pages as a browser does: read a form, fill it in, send it."""

from html.parser import HTMLParser
from typing import Any

import pytest
from django.contrib.admin.helpers import AdminForm
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Permission
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, User
from tests.support.cast import account
from tests.support.logins import log_in
from tests.support.result_steps import user_of


@pytest.fixture
def staff(olga: Player) -> Client:
    """A client in which Olga is logged in."""
    return browser_of(olga.user)


def browser_of(user: User | None) -> Client:
    client = Client()
    if user:
        log_in(client, user)
    return client


class FormReader(HTMLParser):
    """Collect what a browser would send for the page's main form without changes."""

    def __init__(self, *, runs_scripts: bool = True) -> None:
        super().__init__()
        self.runs_scripts = runs_scripts
        self.unseen = False
        self.values: dict[str, str] = {}
        self.inside = False
        self.select = ""
        self.textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name = given.get("name", "")
        if tag == "noscript":
            self.unseen = self.runs_scripts
        if self.unseen:
            return
        if tag == "form":
            self.inside = given.get("id") != "logout-form" and given.get("method") == "post"
        if not self.inside:
            return
        if tag == "input" and name:
            self.read_input(name, given)
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select:
            if "selected" in given or self.select not in self.values:
                self.values[self.select] = given.get("value", "")
        elif tag == "textarea":
            self.textarea = name
            self.values[name] = ""

    def read_input(self, name: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if kind == "submit" or (kind in {"checkbox", "radio"} and "checked" not in given):
            return
        self.values[name] = given.get("value", "on" if kind == "checkbox" else "")

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.values[self.textarea] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "noscript":
            self.unseen = False
        elif tag == "textarea":
            self.values[self.textarea] = self.values[self.textarea].removeprefix("\n")
            self.textarea = ""
        elif tag == "select":
            self.select = ""
        elif tag == "form":
            self.inside = False


def form_on(client: Client, url: str, *, runs_scripts: bool = True) -> dict[str, str]:
    """Return the form of the page at ``url`` as a browser would send it unchanged."""
    page = client.get(url)
    assert page.status_code == 200, page.status_code
    reader = FormReader(runs_scripts=runs_scripts)
    reader.feed(page.content.decode())
    return reader.values


NEW_ARENA = "/admin/league/arena/add/"
OPENED: dict[str, dict[str, str]] = {}
"""The form for a new arena, once this process has opened it: it is large, and the same for every
superuser."""


def opened_form(client: Client, url: str) -> dict[str, str]:
    """Return the form at ``url``, opened now unless it is known to be the same."""
    reader = User.objects.filter(pk=client.session.get(SESSION_KEY, 0), is_superuser=True)
    if url != NEW_ARENA or not reader.exists():
        return form_on(client, url)
    if url not in OPENED:
        OPENED[url] = form_on(client, url)
    return OPENED[url]


def send(client: Client, url: str, changes: dict[str, Any], *, without: str = "") -> Any:
    """Open the page at ``url``, change some fields and press “Save”."""
    values = {**opened_form(client, url), **changes, "_save": "Save"}
    values.pop(without, None)
    return client.post(url, values)


def errors_of(response: Any) -> dict[str, list[str]]:
    """Return the errors of each field of the main form; empty if it was saved."""
    if response.status_code == 302:
        return {}
    form: AdminForm = response.context["adminform"]
    return {name: [str(error) for error in errors] for name, errors in form.form.errors.items()}


def messages_of(response: Any) -> str:
    """Return the messages that the next page will show."""
    return " ".join(str(message) for message in get_messages(response.wsgi_request))


def arena_page(arena: Arena) -> str:
    return reverse("admin:league_arena_change", args=[arena.pk])


def open_season_page(arena: Arena) -> str:
    return reverse("admin:league_arena_open_season", args=[arena.pk])


def may(name: str, *permissions: str) -> User:
    """Return an account of staff with these permissions and no others."""
    user = user_of(account(name))
    user.is_staff = True
    user.save()
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return user
