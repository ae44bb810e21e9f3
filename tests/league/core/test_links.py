"""Links lead where their reader may go, and a login leads back to where it was asked for."""

import re
from collections import defaultdict
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import Resolver404, resolve, reverse
from django.utils.text import capfirst

from league.models import Discipline, User
from tests.support.effort import LONG
from tests.support.permission_asking import LOGIN_PAGES, ask, unlogged
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import Question, Route

pytestmark = [pytest.mark.usefixtures("accounts_read_once"), pytest.mark.slow]

LINK = re.compile(r'<a\b[^>]*\bhref="(/[^"#]*)')
DROPPED = re.compile(r"/static/|/api/|.*logout")


def anonymous(world: World) -> Client:
    return Client()


def organiser_without_player(world: World) -> Client:
    made, _new = User.objects.get_or_create(username="nina", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(made)
    return client


def player(world: World) -> Client:
    client = Client()
    user = world.user(Role.PLAYER)
    assert user
    client.force_login(user)
    return client


LOGGING_IN = re.compile(r"GET (?:account|mfa|socialaccount)_|GET setup_archive_progress")
"""Steps of a login. Opened on its own, one of them leads back to the first. A league that was moved
here leads to its home, as nothing is left to do at its setup."""


def text_of(answer: Any) -> str:
    if "text/html" not in answer.headers.get("Content-Type", "") or answer.streaming:
        return ""
    return str(answer.content.decode())


@pytest.mark.parametrize("reader", [anonymous, organiser_without_player, player])
def test_no_link_leads_to_a_refusal(
    reader: Callable[[World], Client], world: World, questions: list[Question]
) -> None:
    client, refused = reader(world), defaultdict(set)
    pages = {one.address for one in questions if one.row.method == "GET"}
    leads: dict[str, str] = {}
    tried: set[tuple[str, str]] = set()
    with unlogged():
        for page in sorted(each for each in pages if not DROPPED.match(each)):
            answer = ask(client, "GET", page)
            if answer.status_code != 200:
                continue
            for link in {unescape(each) for each in LINK.findall(text_of(answer))}:
                if not DROPPED.match(link):
                    leads.setdefault(link, page)
        for link, page in leads.items():
            try:
                known = (resolve(urlsplit(link).path).route, page if LONG else "")
            except Resolver404:
                known = (link, "")
            if known in tried:
                continue
            tried.add(known)
            status = ask(client, "GET", link).status_code
            if status >= 400:
                refused[f"{status} {link}"].add(page)
    assert dict(refused) == {}


def test_a_login_leads_back_to_the_page_that_asked_for_it(
    world: World, questions: list[Question]
) -> None:
    lost = {}
    with unlogged():
        for one in questions:
            if one.row.method != "GET" or LOGGING_IN.match(str(one)):
                continue
            answer = ask(Client(), "GET", one.address, one.fields)
            target = urlsplit(answer.headers.get("Location", ""))
            if target.path not in LOGIN_PAGES:
                continue
            [wanted] = parse_qs(target.query).get("next", [""])
            if urlsplit(wanted).path != one.address.partition("?")[0]:
                lost[str(one)] = answer.headers["Location"]
    assert lost == {}


def test_the_link_to_the_login_leads_back_to_each_page(
    world: World, questions: list[Question]
) -> None:
    lost = {}
    with unlogged():
        for one in questions:
            if one.row.method != "GET" or LOGGING_IN.match(str(one)):
                continue
            answer = ask(Client(), "GET", one.address, one.fields)
            if answer.status_code != 200:
                continue
            for link in re.findall(rf'href="({reverse("account_login")}[^"]*)"', text_of(answer)):
                [wanted] = parse_qs(urlsplit(unescape(link)).query).get("next", [""])
                if urlsplit(wanted).path != one.address.partition("?")[0]:
                    lost[one.address] = link
    assert lost == {}


def test_a_list_in_the_path_above_a_page_leads_to_that_list(
    world: World, questions: list[Question], addresses: dict[Route, str]
) -> None:
    client, wrong = organiser_without_player(world), set()
    lists = {
        capfirst(str(model._meta.verbose_name_plural)): reverse(
            f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
        )
        for model in admin.site._registry
        if model is not Discipline  # the only row is named like the list
    }
    pages = {one.address for one in questions if one.row.method == "GET"} | {*addresses.values()}
    with unlogged():
        for page in sorted(each for each in pages if each.startswith("/admin/")):
            text = text_of(ask(client, "GET", page))
            for path in re.findall(r'class="breadcrumbs">(.*?)</div>', text, re.DOTALL):
                for address, name in re.findall(r'href="([^"]*)">([^<]*)<', path):
                    if lists.get(unescape(name), address) != address:
                        wrong.add((page, name, address))
    assert wrong == set()
