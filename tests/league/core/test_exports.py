"""Every list of the admin as a file: none is left out, holds a secret, or shows another arena."""

import csv
import io
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import get_fields_from_path
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.admin.core.audit import is_secret
from league.admin.core.exports import Exports
from league.admin.site.pages import OnePage
from league.models import Arena, User
from league.models.reach import ARENA_ORGANISER, in_arenas, is_of_arenas
from league.services.people import roles
from tests.support.admin_steps import browser_of
from tests.support.cast import account, arena
from tests.support.permission_roles import World
from tests.support.result_steps import user_of

OURS = {
    model: one
    for model, one in admin.site._registry.items()
    if type(one).__module__.startswith("league.") and not isinstance(one, OnePage)
}
UNTOLD = {
    ("email", "text"),  # links that answer a report or reset a password
    ("email", "html"),
    ("email", "headers"),
    ("job", "given"),  # whatever its work needs
    ("job", "result"),
    ("accesstoken", "start"),
    ("competition", "seed"),  # the draw follows from it
    ("tick", "seed"),
}
"""Fields of lists that hold or lead to a secret, though their names do not say so."""


def exporting(model: type[Model]) -> Any:
    one = OURS[model]
    assert isinstance(one, Exports), f"{model.__name__} is not exported"
    return one


def address(model: type[Model]) -> str:
    names = model._meta
    return reverse(f"admin:{names.app_label}_{names.model_name}_export")


def sent_to(client: Client, model: type[Model]) -> list[dict[str, str]] | None:
    """Return the rows of an export, ``None`` if it is refused."""
    response: Any = client.get(address(model))
    if response.status_code == 403:
        return None
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_of_ours_is_exported_without_secrets(world: World, model: type[Model]) -> None:
    names, staff = model._meta, browser_of(world.olga.user)
    for column in exporting(model).export_columns:
        field = get_fields_from_path(model, column)[-1]
        owner = field.model
        assert not is_secret(field.name, owner), f"{names.model_name}.{column}"
        assert (owner._meta.model_name, field.name) not in UNTOLD, f"{names.model_name}.{column}"
    rows = sent_to(staff, model)
    assert rows
    assert len(rows) == exporting(model).get_queryset(request_of(staff)).count()
    listed = staff.get(reverse(f"admin:{names.app_label}_{names.model_name}_changelist"))
    assert f'href="{address(model)}' in listed.content.decode()


def request_of(client: Client) -> Any:
    return client.get("/admin/").wsgi_request


def organiser(name: str, place: Arena) -> Client:
    player = account(name)
    roles.give(user_of(player), [ARENA_ORGANISER], [place])
    return browser_of(User.objects.get(player=player))


def test_the_export_of_an_organiser_holds_only_rows_of_their_arenas(world: World) -> None:
    here, elsewhere = organiser("Here", world.arena), organiser("Elsewhere", arena("far-away"))
    filled = 0
    for model in OURS:
        sent = sent_to(here, model)
        if sent is None:
            continue
        assert is_of_arenas(model), model
        rows: Any = model._default_manager.filter(in_arenas(model, [world.arena.pk]))
        keys = {str(pk) for pk in rows.values_list("pk", flat=True)}
        assert {row["id"] for row in sent if "id" in row} <= keys, model
        filled += bool(sent)
        others = sent_to(elsewhere, model) or []
        assert keys.isdisjoint(row["id"] for row in others if "id" in row), model
        assert "id" in exporting(model).export_columns or not others, model
    assert filled > 8
