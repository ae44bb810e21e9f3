"""New databases start from ``league/schema.sql``, which says what the migrations leave behind."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.models import ReservedWord
from league.schema import FILE, is_for
from tests.support import databases
from tests.support.effort import LONG
from tests.support.schema_file import digest, digest_in_file, listed, written

pytestmark = pytest.mark.django_db(transaction=True)  # databases are changed beneath


def test_the_file_was_written_from_the_migrations_it_lists() -> None:
    assert digest_in_file() == digest(listed()), "Run `make schema`."


def test_a_new_database_starts_from_it_and_is_up_to_date() -> None:
    with databases.empty():
        call_command("migrate", verbosity=0)
        call_command("migrate", check_unapplied=True, verbosity=0)
        assert ReservedWord.objects.filter(name="admin").exists()
        assert ReservedWord.objects.create(name="boss", kind="reserved", skeleton="boss").pk > 13


def test_a_database_that_does_not_know_letters_is_refused_before_it_has_tables() -> None:
    with databases.of_bytes() as name:
        with pytest.raises(CommandError, match=f"{name} stores text as SQL_ASCII.* needs UTF8"):
            call_command("migrate", verbosity=0)
        assert not connection.introspection.table_names()


def test_a_plan_for_an_empty_database_creates_nothing() -> None:
    with databases.empty():
        call_command("migrate", plan=True, stdout=StringIO())
        assert not connection.introspection.table_names()


def test_a_database_with_tables_or_for_another_schema_does_not_start_from_it() -> None:
    assert not is_for("default")
    with databases.empty(), connection.cursor() as cursor:
        assert is_for("default")
        cursor.execute("CREATE SCHEMA elsewhere")
        cursor.execute("SET search_path = elsewhere")
        assert not is_for("default")


if LONG:

    def test_it_says_what_every_step_of_every_migration_leaves_behind() -> None:
        later = [line for line in written().splitlines() if line not in FILE.read_text()]
        assert not later, "Run `make schema`."
