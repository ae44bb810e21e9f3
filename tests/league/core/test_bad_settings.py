"""Every setting with a value that none can have: told beside its field, and nothing is saved."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from league.models import Arena, ArenaQueue, Competition, Discipline
from tests.support.admin_steps import arena_page, errors_of, form_on, staff
from tests.support.effects import tables_written

__all__ = ["staff"]


OURS = re.compile(
    r"csrf|_FORMS$|(?:^|_|-)(?:id|seen|version)$|^(?:_|arena$|season$|format$|reason$)"
)
"""Fields that no one types, or that choose among rows."""
NUMBERS = {
    "arena": {"season__decay__points", "limits__challenges_per_day"},
    "arenaqueue": {"queue__potentials_min", "ready_window", "laurel__fairness"},
    "discipline": {"decay"},
    "competition": {"play__legs", "table__win", "dates__round_length"},
}
"""Some settings of each form that have to be numbers or durations."""


@pytest.mark.parametrize(
    "value",
    ["-1", "1e308", "9" * 400, "NaN", "inf", "-inf", "abc\u202e<script>", "1,5", "\ud7ff"],
)
def test_every_setting_at_once_with_a_value_that_none_can_have(
    staff: Client, duel: Arena, value: str
) -> None:
    pages = {
        "arena": arena_page(duel),
        **{
            model: f"/admin/league/{model}/add/"
            for model in ("arenaqueue", "discipline", "competition")
        },
    }
    for model, page in pages.items():
        cache.clear()
        form = form_on(staff, page)
        wrong = {name: value for name in form if not OURS.search(name)}
        with tables_written() as written:
            answer = staff.post(page, {**form, **wrong, "_save": "Save"})
        assert answer.status_code == 200, model
        assert not written, model
        known = NUMBERS[model] & wrong.keys()
        assert known, model
        assert known <= errors_of(answer).keys(), model
    assert not ArenaQueue.objects.exists()
    assert not Discipline.objects.exists()
    assert not Competition.objects.exists()
