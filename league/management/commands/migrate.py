"""``manage.py migrate``: Django's own, which starts an empty database from ``schema.sql``."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from league import schema

PARTIAL = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "prune")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        whole = not any(options[name] for name in PARTIAL)
        if whole and schema.is_for(options["database"]):
            schema.create(options["database"])
        super().handle(*args, **options)
