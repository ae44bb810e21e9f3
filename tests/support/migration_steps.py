"""Steps through the league's migrations."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

LATEST = "latest"


def migrate_to(name: str) -> None:
    """Migrate to the state right after the migration with this name, back or forward."""
    executor = MigrationExecutor(connection)
    if name == LATEST:
        ((_, name),) = executor.loader.graph.leaf_nodes("league")
    executor.migrate([("league", name)])
