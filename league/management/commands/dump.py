"""``manage.py dump``: make a data dump now."""

from __future__ import annotations

from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dumps import making


class Command(BaseCommand):
    help = (
        "Make a dump of all public data in LAUREL_DUMP_FOLDER now. The site also makes one every "
        "night."
    )

    def handle(self, **options: Any) -> None:
        try:
            dump = making.make(database_now())
        except (Refused, OSError, psycopg.Error) as error:
            raise CommandError(str(error).strip()) from error
        rows = sum(table.rows for table in dump.tables)
        size = sum(file.size for file in dump.files)
        self.stdout.write(f"{dump.name}: {rows:,} rows, {len(dump.files)} files, {size:,} bytes.")
