"""``manage.py migrate``: Django's own, which starts an empty database from ``schema.sql``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections

from league import schema

PARTIAL = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "prune")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        whole = not any(options[name] for name in PARTIAL)
        database = options["database"]
        if whole and schema.is_for(database):
            _refuse_other_encodings(database)
            schema.create(database)
        super().handle(*args, **options)


def _refuse_other_encodings(database: str) -> None:
    """Debian's server stores bytes as they come if no language was set when it was installed.

    Searches would then tell Ä from ä, and nothing would keep broken text out.
    """
    encoding = schema.encoding_of(database)
    if encoding != "UTF8":
        name = connections[database].settings_dict["NAME"]
        raise CommandError(
            f"The database {name} stores text as {encoding}, and Laurel needs UTF8. It is empty: "
            f"drop it, and create it again with createdb --encoding UTF8 --template template0 "
            f"--owner ROLE {name}."
        )
