"""The permissions for dates are named after them, also in a league that had others."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from tests.support.migration_steps import migrate_to, migrate_to_latest

pytestmark = pytest.mark.django_db


def names() -> set[str]:
    rows = Permission.objects.filter(codename__endswith="_arrangement")
    return set(rows.values_list("name", flat=True))


def test_permissions_are_renamed_and_back() -> None:
    steps = ("add", "change", "delete", "view")
    assert names() == {f"Can {step} date" for step in steps}
    migrate_to("0045_limits")
    assert names() == {f"Can {step} arrangement" for step in steps}
    migrate_to_latest()
    assert names() == {f"Can {step} date" for step in steps}
