"""Steps through the league's migrations."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

LATEST = "latest"


def before_the_last(count: int) -> str:
    """Return the name of the migration that ``count`` others follow."""
    executor = MigrationExecutor(connection)
    [leaf] = executor.loader.graph.leaf_nodes("league")
    names = [name for app, name in executor.loader.graph.forwards_plan(leaf) if app == "league"]
    return str(names[-count - 1])


def migrate_to(name: str) -> None:
    """Migrate to the state right after the migration with this name, back or forward."""
    executor = MigrationExecutor(connection)
    if name == LATEST:
        ((_, name),) = executor.loader.graph.leaf_nodes("league")
    if ("league", name) in executor.loader.applied_migrations:
        go_back_to(name, executor)
    else:
        executor.migrate([("league", name)])


def go_back_to(name: str, executor: MigrationExecutor) -> None:
    """Undo the later migrations, as ``executor.migrate`` would.

    That one first takes all models through each operation of all of these migrations, which takes
    four times as long as to make the models anew for each migration.
    """
    for migration, _backwards in executor.migration_plan([("league", name)]):
        node = (migration.app_label, migration.name)
        before = executor.loader.project_state(node, at_end=False)
        assert before.apps  # made once here, and not for each operation
        executor.unapply_migration(before, migration)
