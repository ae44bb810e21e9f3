"""One world for the tests that open every page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.support.permission_matrix_admin import furnish
from tests.support.permission_roles import World, build_world
from tests.support.permission_walk import (
    ROWS,
    Question,
    address_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """One world for all rows. The changes of each row are rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        cache.clear()
        made = build_world()
        furnish(made)
        yield made
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def questions(world: World) -> list[Question]:
    """All rows, with everything they need in one world."""
    return [
        Question(
            row,
            address_of(row, world),
            row.query(world) if row.method in {"GET", "HEAD"} else row.data(world),
        )
        for row in ROWS
    ]
