"""A step of the wizard that two people edit at once: the second learns what the first changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.admin.core.comparing import Change, Loaded, Merge, stored_values
from league.admin.core.concurrent import LOADED, TAKEN, Saved
from league.models import StaffAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, QueryDict

    from league.models import Arena


def parts_of(form: Any) -> dict[str, Any]:
    """Return a step's form and those within it, by their prefixes."""
    queue = getattr(form, "of_queue", None)
    rows = getattr(form, "rows", None)
    return {
        "": form,
        **({"queue": queue} if queue else {}),
        **({str(one.prefix): one for one in rows.forms} if rows else {}),
    }


def loaded_of(form: Any) -> Loaded:
    """Return what a step shows of what is stored."""
    return Loaded({}, {key: {key: stored_values(part)} for key, part in parts_of(form).items()})


def merge(
    request: HttpRequest, make: Any, arena: Arena
) -> tuple[QueryDict | Mapping[str, Any], list[Change]]:
    """Return what was sent with what others stored meanwhile, and what they changed."""
    loaded = Loaded.unseal(request.POST.get(LOADED, ""))
    if loaded is None:
        return request.POST, []
    data = request.POST.copy()
    merge = Merge(data, loaded, set(data.getlist(TAKEN)))
    typed = parts_of(make(request.POST, instance=arena))
    for key, current in parts_of(make(instance=arena)).items():
        if key in typed:
            merge.form(current, typed[key], loaded.rows.get(key, {}).get(key, {}))
    return data, merge.changes


def last_saved(arena: Arena) -> Saved | None:
    """Return who last changed a draft, and when."""
    changed = StaffAction.Kind.CHANGED
    return Saved.last(StaffAction.objects.filter(kind=changed, details__arena_id=arena.pk))
