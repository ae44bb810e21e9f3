"""Every page of the admin and of staff, as each role: docs/permissions.md says who may do what.

The pages come from the resolver, so that a new page without a line in the document fails here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.template.response import SimpleTemplateResponse
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from league.models import Arena, User
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from league.services.people.role_table import ROLES
from tests.support.cast import account, arena
from tests.support.permission_asking import ask, kind_of
from tests.support.permission_furnish import row_of
from tests.support.permission_roles import Answer, Role, World
from tests.support.permission_walk import MODEL_ROUTES, Question, Route, model_addresses
from tests.support.result_steps import user_of

pytestmark = pytest.mark.slow

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "permissions.md"
COLUMNS = ["owner", "organiser", "here", "elsewhere", "referee", "moderator", "editor", "none"]
LETTERS = "vacd"
"""To view rows, add, change and delete them. A dot stands for nothing."""
FOLLOWING = ("history", "simple_history")
"""Pages that open for those who may view a row."""
SUFFIXES = ("changelist", "add", "change", "delete", "export", *FOLLOWING)
STAFF_ONLY = {Answer.FORBIDDEN, Answer.MISSING}


def tables() -> list[dict[str, list[str]]]:
    """Return the tables of the document: the cells of each line by its first cell."""
    blocks = [part for part in DOCUMENT.read_text().strip().split("\n\n") if part.startswith("|")]
    lines = [[line[2:-2].split(" | ") for line in part.split("\n")[2:]] for part in blocks]
    return [{first: cells for first, *cells in table} for table in lines]


OF_ROLES, OF_MODELS, OF_PAGES = tables()


@pytest.fixture(autouse=True)
def empty_pages(
    bare_refusals: None, accounts_read_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Leave the pages empty: test_permissions renders each, and that takes most of the time."""
    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", "")


@pytest.fixture(scope="module")
def clients(world: World, questions: list[Question]) -> dict[str, Client]:
    """A client for each column of the table. ``questions`` makes arenas of its own."""
    chosen = {"here": list(Arena.objects.all()), "elsewhere": [arena("elsewhere")]}
    made = {}
    for column in COLUMNS:
        player = account(column.capitalize())
        key = ARENA_ORGANISER if column in chosen else column
        roles.give(user_of(player), [] if key == "none" else [key], chosen.get(column, []))
        User.objects.filter(player=player).update(is_staff=True)
        made[column] = Client(raise_request_exception=False)
        made[column].force_login(User.objects.get(player=player))
    return made


@pytest.fixture(scope="module")
def addresses(clients: dict[str, Client]) -> dict[Route, str]:
    """The addresses of the pages of models, once every account is there."""
    return model_addresses()


def parts_of(route: Route) -> tuple[str, str]:
    """Return the model of an admin page, and which of Django's pages it is, if it is one."""
    assert route.model
    model = ".".join(route.model)
    suffix = route.name.removeprefix(f"admin:{route.model[0]}_{route.model[1]}_")
    return model, suffix if suffix in SUFFIXES else ""


def opens(response: Any) -> bool:
    """Return whether a page was shown, or led on, but not to the first page as for no row."""
    if response.status_code == 302:
        return bool(urlsplit(response.headers["Location"]).path != reverse("admin:index"))
    return bool(kind_of(response) == Answer.OK)


def is_shown(response: Any) -> bool:
    """Return whether a page was shown. Without a row that the reader may see, it leads away."""
    assert response.status_code in {200, 302, 403, 404}
    return bool(response.status_code == 200)


def offers_change(response: Any) -> bool:
    context = response.context_data or {}
    return any(context.get(name) for name in ("has_change_permission", "may_change"))


def found_for(client: Client, pages: dict[str, str], model: str) -> str:
    """Return the letters of what an account may do with a model's first row."""
    shown = {name: ask(client, "GET", address) for name, address in pages.items()}
    listed, page = shown["changelist"], shown["change"]
    row = row_of(*model.split("."))
    shows = (listed.context_data or {}) if is_shown(listed) else {}
    rows = shows["cl"].queryset if "cl" in shows else None  # or the form of the only row
    sees = bool(shows) and (rows is None or rows.filter(pk=row.pk).exists())
    for name in ("change", *FOLLOWING):
        assert name not in shown or is_shown(shown[name]) == sees, f"{model}: {name}"
    letters = {
        "v": sees,
        "a": is_shown(shown["add"]),
        "c": sees and (offers_change(listed) or offers_change(page)),
        "d": sees and is_shown(shown["delete"]),
    }
    return "".join(letter for letter in LETTERS if letters[letter]) or "."


def by_model(addresses: dict[Route, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each model with the addresses of its pages."""
    found: dict[str, dict[str, str]] = {}
    for route in MODEL_ROUTES:
        if route.name:
            model, suffix = parts_of(route)
            found.setdefault(model, {})[suffix or route.name] = addresses[route]
    for model, pages in found.items():
        asked = set(SUFFIXES) - {"export"}  # refused as the list is, in test_admin_reach.py
        yield model, {name: address for name, address in pages.items() if name in asked}


def staff_questions(questions: list[Question]) -> dict[str, Question]:
    """Return the questions of the hand-written tables that only an admin is answered."""
    return {
        str(question): question
        for question in questions
        if question.row.answers[Role.ADMIN] == Answer.OK
        and question.row.answers[Role.STAFF] in STAFF_ONLY
        and question.row.answers[Role.PLAYER] != Answer.OK
    }


def other_pages(
    questions: list[Question], addresses: dict[Route, str]
) -> dict[str, Question | str]:
    """Return the staff pages that are not Django's own of a model."""
    listed = staff_questions(questions)
    names = {question.row.route for question in questions}
    rest = {
        f"GET {route.name}": addresses[route]
        for route in MODEL_ROUTES
        if route.name and not parts_of(route)[1] and route.name not in names
    }
    return {**listed, **rest}


def answer_of(client: Client, page: Question | str) -> str:
    if isinstance(page, str):
        return "+" if opens(ask(client, "GET", page)) else "."
    json = page.row.route.startswith("api:")
    response = ask(client, page.row.method, page.address, page.fields, json=json)
    assert response.status_code < 500, page
    return "+" if kind_of(response) not in {Answer.FORBIDDEN, Answer.MISSING} else "."


@pytest.mark.parametrize("column", COLUMNS)
def test_each_role_may_do_with_each_model_what_the_table_says(
    column: str, clients: dict[str, Client], addresses: dict[Route, str]
) -> None:
    place = COLUMNS.index(column)
    near = column in {"here", "elsewhere"}  # histories are a matter of the row's arena
    found = {
        model: found_for(
            clients[column], {n: a for n, a in pages.items() if near or n not in FOLLOWING}, model
        )
        for model, pages in by_model(addresses)
    }
    assert found == {model: cells[place] for model, cells in OF_MODELS.items()}


def test_each_role_opens_the_other_pages_of_staff_that_the_table_says(
    questions: list[Question], clients: dict[str, Client], addresses: dict[Route, str]
) -> None:
    found = {
        name: [answer_of(clients[column], page) for column in COLUMNS]
        for name, page in other_pages(questions, addresses).items()
    }
    assert found == OF_PAGES


def test_the_document_says_what_each_role_is_for() -> None:
    with override("en"):
        assert {str(role.name): [str(role.words)] for role in ROLES} == OF_ROLES
