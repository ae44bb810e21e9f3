"""Delete an arena in which nothing was ever rated, with all that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection, models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from league.models import Arena, Match, Roster, Season, StaffAction
from league.models.lists import list_of
from league.services.arenas.settings import settings_in_english
from league.services.core.errors import Conflict, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.models import User

Rows = dict[type[models.Model], set[Any]]
"""The primary keys of rows, by their model, those that others refer to first."""

SILENT = {"HistoricalArena", "Rating", "Side", "Participant", "RosterMember"}
"""Models whose rows a preview leaves out, because they are parts of others."""
LEDGERS = """
    SELECT DISTINCT c.relname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
    WHERE (t.tgname LIKE '%_is_append_only' OR t.tgname LIKE '%_is_kept') AND t.tgtype & 8 <> 0
"""
"""The tables from which nothing is ever deleted."""


@dataclass(frozen=True)
class Preview:
    """The rows that the deletion of an arena would take along, or the reason against it."""

    obstacles: list[str]
    rows: Rows

    @property
    def allowed(self) -> bool:
        return not self.obstacles

    @property
    def goes(self) -> list[str]:
        """The rows that go along, counted in words."""
        return [
            count_in_words(model, len(keys))
            for model, keys in self.rows.items()
            if model is not Arena and model.__name__ not in SILENT
        ]


def preview(arena: Arena) -> Preview:
    """Return what goes with an arena. It takes a few statements for each kind of row."""
    rated = Match.objects.filter(arena=arena).rated().count()
    if rated:
        text = ngettext("%(count)d rated result", "%(count)d rated results", rated)
        return Preview([text % {"count": rated}], {})
    found = belonging(arena)
    kept = ledgers()
    obstacles = [
        count_in_words(model, len(keys))
        for model, keys in found.items()
        if model._meta.db_table in kept  # noqa: SLF001 - Django's documented name
    ]
    used = Roster.objects.filter(pk__in=found.get(Roster, ())).filter(
        models.Q(sides__isnull=False) | models.Q(tickets__isnull=False)
    )
    if not found.get(Match) and (count := used.distinct().count()):
        text = ngettext("%(count)d roster that queued", "%(count)d rosters that queued", count)
        obstacles.append(text % {"count": count})
    return Preview(obstacles, found)


def delete(arena_id: int, *, by: User, reason: str, now: datetime) -> str:
    """Delete an arena with everything that belongs to it, and return its name.

    Raises:
        Refused: there is no reason.
        Conflict: it has rated results, or something else that ledgers keep.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason for the staff log."), field="_reason")
    with transaction.atomic():
        # FOR UPDATE, not no_key: nothing that refers to the arena may be written while it goes.
        arena = Arena.objects.select_for_update().get(pk=arena_id)
        list(Season.objects.select_for_update().filter(arena=arena))
        going = preview(arena)
        if not going.allowed:
            raise Conflict("kept", why_not(going))
        before = settings_in_english(arena)
        with override("en"):
            goes = going.goes
        for model, keys in reversed(going.rows.items()):
            forget(model, keys)
            rows = model._base_manager.filter(pk__in=keys)  # noqa: SLF001 - Django's documented name
            if model is not Arena:
                rows._raw_delete(rows.db)  # noqa: SLF001 - the rows of all relations are listed
        arena._history_user = by  # type: ignore[attr-defined] # noqa: SLF001 - simple_history reads this
        arena.delete()
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.DELETED,
            reason=reason.strip(),
            details={
                "model": "league.arena",
                "id": str(arena_id),
                "object": arena.name,
                "arena_id": arena_id,
                "with": goes,
            },
            before=before,
            at=now,
        )
    return arena.name


def forget(parent: type[models.Model], keys: set[Any]) -> None:
    """Empty the fields of other rows that refer to these and may be empty."""
    for relation in parent._meta.related_objects:  # noqa: SLF001 - Django's documented name
        if relation.on_delete is models.SET_NULL:
            child: Any = relation.related_model
            name = relation.field.name
            child._base_manager.filter(**{f"{name}__in": keys}).update(**{name: None})  # noqa: SLF001 - as above


def why_not(going: Preview) -> str:
    return _("It cannot be deleted, because the league keeps: %(what)s.") % {
        "what": list_of(going.obstacles)
    }


def belonging(arena: Arena) -> Rows:
    """Return the rows that belong to an arena, directly or through others, itself first."""
    found: Rows = {Arena: {arena.pk}}
    waiting: list[type[models.Model]] = [Arena]
    while waiting:
        parent = waiting.pop(0)
        for child, name in children(parent):
            rows = child._base_manager.filter(**{f"{name}__in": found[parent]})  # noqa: SLF001 - Django's documented name
            new = set(rows.values_list("pk", flat=True)) - found.get(child, set())
            if new:
                found[child] = found.pop(child, set()) | new
                waiting.append(child)
    return found


def children(parent: type[models.Model]) -> Iterator[tuple[type[models.Model], str]]:
    """Yield the models whose rows cannot be without a row of ``parent``, and by which field."""
    for relation in parent._meta.related_objects:  # noqa: SLF001 - Django's documented name
        if relation.on_delete in (models.CASCADE, models.PROTECT, models.DO_NOTHING):
            child: Any = relation.related_model
            if not child._meta.abstract:  # noqa: SLF001 - Django's documented name
                yield child, relation.field.name


def ledgers() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(LEDGERS)
        return {table for (table,) in cursor.fetchall()}


def count_in_words(model: type[models.Model], count: int) -> str:
    """Return a number of rows in words, such as “12 matches”."""
    names = model._meta  # noqa: SLF001 - Django's documented name
    return f"{count} {names.verbose_name if count == 1 else names.verbose_name_plural}"
