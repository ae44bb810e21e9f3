"""What squawk finds in the SQL of a migration: locks that stop the site, and changes that the last
release could not work with."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection
from django.db.migrations.state import ProjectState

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.migrations import Migration
    from django.db.migrations.loader import MigrationLoader

PROJECT = Path(__file__).resolve().parents[2]
SQUAWK = Path(sys.executable).with_name("squawk")
BASELINE = 49
"""Migrations up to this number are older than these rules."""
SAFE_IN_NEW_TABLES = {"adding-required-field", "adding-foreign-key-constraint"}
"""Rules that squawk applies also to columns that are added to a table of the same migration."""


def checked_names(loader: MigrationLoader) -> list[str]:
    """Return the names of the league's migrations that have to keep the rules."""
    names = sorted(name for app, name in loader.disk_migrations if app == "league")
    return [name for name in names if int(name[:4]) > BASELINE]


def problems_by_name(names: Collection[str], loader: MigrationLoader) -> dict[str, list[str]]:
    """Return what is wrong with each of these migrations of the league.

    One state passes through all of them: to begin each from the first migration is slow.
    """
    state, found = ProjectState(real_apps=loader.unmigrated_apps), {}
    [leaf] = loader.graph.leaf_nodes("league")
    for app, name in loader.graph.forwards_plan(leaf):
        migration = loader.get_migration(app, name)
        if app == "league" and name in names:
            found[name] = unpermitted(migration, state)
        else:
            migration.mutate_state(state, preserve=False)
    return found


def unpermitted(migration: Migration, state: ProjectState) -> list[str]:
    """Return what is wrong with a migration, except what it allows itself.

    Its attribute ``allows`` gives the reason for each rule that it breaks on purpose. ``state``
    passes through it.
    """
    allowed = getattr(migration, "allows", {})
    return [each for each in problems(migration, state) if each.partition(":")[0] not in allowed]


def problems(migration: Migration, state: ProjectState) -> list[str]:
    """Return the rules that a migration breaks, each with the statement.

    ``state`` is that before the migration, and passes through it.
    """
    sql = sql_of(migration, state)
    command = [str(SQUAWK), "--config", str(PROJECT / ".squawk.toml"), "--reporter", "json"]
    done = subprocess.run(command, input=sql, capture_output=True, text=True, check=False)
    lines = sql.splitlines()
    new_tables = set(re.findall(r'CREATE TABLE "(\w+)"', sql))
    return [
        f"{found['rule_name']}: {lines[found['line']]}"
        for found in json.loads(done.stdout)
        if not (
            found["rule_name"] in SAFE_IN_NEW_TABLES
            and set(re.findall(r'^ALTER TABLE "(\w+)"', lines[found["line"]])) & new_tables
        )
    ]


def sql_of(migration: Migration, state: ProjectState) -> str:
    """Return the statements of a migration, one a line. Those of Python functions are unknown."""
    with connection.schema_editor(collect_sql=True, atomic=migration.atomic) as editor:
        migration.apply(state, editor, collect_sql=True)
    lines = [" ".join(text.split()) for text in editor.collected_sql]
    return "\n".join(["BEGIN;", *lines, "COMMIT;"] if migration.atomic else lines) + "\n"
