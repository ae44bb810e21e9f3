"""New migrations neither stop a running site nor break the release before them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    ValidateConstraint,
)
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from tests.support.effort import LONG
from tests.support.migration_lint import checked_names, problems, problems_by_name, unpermitted

if TYPE_CHECKING:
    from django.db.migrations.state import ProjectState

pytestmark = pytest.mark.django_db
LOUD = models.CheckConstraint(name="loud", condition=~models.Q(name=""))
QUICK = models.Index(fields=["name"], name="quick")
SEATS: Any = models.IntegerField(db_default=0)
NEW_TABLE = (
    migrations.CreateModel("Trophy", [("id", models.BigAutoField(primary_key=True))]),
    migrations.AddField(
        "Trophy", "arena", models.ForeignKey("league.Arena", models.CASCADE, null=False)
    ),
    migrations.AddConstraint("Trophy", models.UniqueConstraint(fields=["arena"], name="one")),
)


@cache
def latest() -> ProjectState:
    loader = MigrationLoader(None)
    [leaf] = loader.graph.leaf_nodes("league")
    return loader.project_state(leaf)


def found_in(*operations: Any, atomic: bool = True) -> list[str]:
    """Return the rules that a migration with these operations breaks."""
    migration: Any = migrations.Migration("9999_new", "league")
    migration.operations, migration.atomic = list(operations), atomic
    found = problems(migration, latest().clone())
    return sorted({each.partition(":")[0] for each in found})


@pytest.mark.django_db(transaction=True)  # indexes are created concurrently, outside transactions
def test_new_migrations_keep_the_rules() -> None:
    """The last ten, or all in a long run: rendering the models of each takes half a second."""
    loader = MigrationLoader(None)
    names = checked_names(loader)
    found = problems_by_name(names if LONG else names[-10:], loader)
    assert len(found) >= 10
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    ("operation", "rule"),
    [
        (
            migrations.RunSQL('ALTER TABLE "league_arena" ADD COLUMN "seats" bigint NOT NULL;'),
            "adding-required-field",
        ),
        (migrations.AddField("Arena", "seats", models.IntegerField(default=0)), "ban-drop-default"),
        (migrations.AddIndex("Arena", QUICK), "require-concurrent-index-creation"),
        (migrations.AddConstraint("Arena", LOUD), "constraint-missing-not-valid"),
        (
            migrations.AlterField("Arena", "description", models.CharField(max_length=9)),
            "changing-column-type",
        ),
        (migrations.RemoveField("Arena", "description"), "ban-drop-column"),
        (migrations.RenameField("Arena", "description", "about"), "renaming-column"),
        (
            migrations.AddField(
                "Match", "judge", models.ForeignKey("league.Player", models.SET_NULL, null=True)
            ),
            "adding-foreign-key-constraint",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_migration_that_locks_a_table_or_breaks_the_last_release_is_refused(
    operation: Any, rule: str
) -> None:
    assert rule in found_in(operation)


@pytest.mark.parametrize(
    "operations",
    [
        (migrations.AddField("Arena", "seats", SEATS),),
        (migrations.AddField("Arena", "seats", models.IntegerField(null=True)),),
        (AddConstraintNotValid("Arena", LOUD),),
        NEW_TABLE,
    ],
    ids=["default in the database", "nullable", "not valid yet", "new table"],
)
def test_a_migration_that_disturbs_nobody_is_accepted(operations: tuple[Any, ...]) -> None:
    assert found_in(*operations) == []


@pytest.mark.django_db(transaction=True)
def test_an_index_is_created_concurrently_and_outside_transactions() -> None:
    assert found_in(AddIndexConcurrently("Arena", QUICK), atomic=False) == []


def test_a_constraint_is_validated_in_a_migration_of_its_own() -> None:
    add, validate = AddConstraintNotValid("Arena", LOUD), ValidateConstraint("Arena", "loud")
    assert found_in(add, validate) == ["constraint-missing-not-valid"]


def test_a_migration_says_why_it_breaks_a_rule() -> None:
    loader = MigrationLoader(None)
    name = "0042_one_sided"
    migration: Any = loader.disk_migrations["league", name]
    migration.operations = [migrations.RemoveField("Arena", "description")]
    state = loader.project_state(("league", name), at_end=False)
    found = unpermitted(migration, state.clone())
    assert [each.partition(":")[0] for each in found] == ["ban-drop-column"]
    migration.allows = {"ban-drop-column": "The last release no longer reads it."}
    assert unpermitted(migration, state.clone()) == []
