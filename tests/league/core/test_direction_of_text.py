"""What people write cannot reorder the text around it: no control of direction is stored."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.test import Client
from psycopg.sql import SQL, Identifier

from league.models import SavedFilter, Season
from league.models.words import Cleaned, Line, Words, without_controls
from tests.support.effects import tables_written
from tests.support.permission_asking import unlogged
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import Question
from tests.support.undoing import undone

WRITTEN_BY_THE_SITE = {
    "Backup.problem",
    "BouncingAddress.error",
    "CorrectionRequest.refusal",
    "Email.error",
    "Email.subject",
    "HistoricalArena.history_change_reason",
    "HistoricalArenaQueue.history_change_reason",
    "HistoricalDiscipline.history_change_reason",
    "Job.refusal",
    "MergeRequest.refusal",
    "NameStart.start",
    "PushKey.pem",
    "SentRequest.body",
    "SigningKey.pem",
    "TeamReplay.seen",
}

pytestmark = [
    pytest.mark.usefixtures("accounts_read_once"),
    pytest.mark.slow,
]

CONTROLS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
NOT_SHOWN = {"league_job.given", "league_correctionrequest.digest"}
"""Columns that nobody reads: a job cleans what it writes, and a digest is compared."""
PASSING = ("django_session", "axes", "usersessions")


def ended(fields: Any) -> Iterator[Any]:
    """Yield the fields with the controls after one of their texts in turn, at any depth."""
    if isinstance(fields, dict):
        for name, value in fields.items():
            yield from ({**fields, name: inner} for inner in ended(value))
    elif isinstance(fields, list):
        for index, value in enumerate(fields):
            for inner in ended(value):
                yield [*fields[:index], inner, *fields[index + 1 :]]
    elif isinstance(fields, str):
        yield fields + CONTROLS


def with_controls(table: str) -> set[str]:
    """Return the columns of a table that have a control of direction in some row."""
    with connection.cursor() as cursor:
        cursor.execute(
            SQL(
                "SELECT DISTINCT of.key FROM {} t, jsonb_each_text(to_jsonb(t)) of "
                "WHERE of.value ~ %s"
            ).format(Identifier(table)),
            [f"[{CONTROLS}]"],
        )
        return {f"{table}.{column}" for (column,) in cursor.fetchall()} - NOT_SHOWN


def stored(client: Client, method: str, address: str, **sent: Any) -> tuple[int, set[str]]:
    """Send something, and return the status and the columns that now have a control."""
    with undone():
        with tables_written() as written:
            status = getattr(client, method.lower())(address, **sent).status_code
        tables = {name for name in written if not name.startswith(PASSING)}
        return status, set().union(*map(with_controls, tables))


def test_nothing_sent_stores_a_control_of_direction(
    questions: list[Question], world: World
) -> None:
    browser = Client(raise_request_exception=False)
    user = world.user(Role.ADMIN)
    assert user
    browser.force_login(user)
    found: dict[str, Any] = {}
    accepted = 0
    with unlogged():
        for question in questions:
            row = question.row
            if row.method in {"GET", "HEAD", "OPTIONS"}:
                continue
            sent = {"content_type": "application/json"} if row.route.startswith("api:") else {}
            for fields in ended(dict(question.fields or {})):
                status, columns = stored(browser, row.method, question.address, data=fields, **sent)
                accepted += status < 400
                if columns or status >= 500:
                    found[f"{question} {fields!r}"] = status, columns
    assert found == {}
    assert accepted > 20


def test_a_new_column_for_texts_is_one_that_removes_controls() -> None:
    assert {
        str(column).removeprefix("league.")
        for model in apps.get_app_config("league").get_models()
        for column in model._meta.local_fields
        if isinstance(column, models.TextField) and not isinstance(column, Cleaned)
        if column.editable
    } == WRITTEN_BY_THE_SITE


@pytest.mark.parametrize(
    "text",
    ["مرحبا يا علي", "שלום, מה שלומך?", "3\u200f–\u200e1", "👩\u200d👧 a\tb\nc", "\u0640"],
)
def test_letters_from_right_to_left_and_marks_stay(text: str) -> None:
    assert without_controls(text) == text


@pytest.mark.parametrize("column", [Words(), Line(max_length=500)])
def test_a_text_of_controls_alone_is_empty(column: Any) -> None:
    assert column.to_python(CONTROLS) == column.get_prep_value(CONTROLS) == ""
    with pytest.raises(ValidationError):
        column.clean(CONTROLS, None)


def test_a_text_stored_with_controls_is_read_without(world: World) -> None:
    season = Season.objects.earliest("pk")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_season SET name = %s WHERE id = %s", [f"Spring{CONTROLS}", season.pk]
        )
    season.refresh_from_db()
    assert season.name == "Spring"


def test_what_is_written_at_once_is_clean_in_memory_too(world: World) -> None:
    user = world.user(Role.ADMIN)
    [made] = SavedFilter.objects.bulk_create([SavedFilter(user=user, name=f"Mine{CONTROLS}")])
    assert made.name == "Mine"
