"""Start an arena as a draft: from a preset, or as a copy of another arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import Arena, ArenaQueue, ArenaText, PenaltyReason, StaffAction
from league.models.own_words import own_words
from league.services.arenas.settings import settings_in_english
from league.services.core.errors import Refused
from league.services.core.staff_log import of_arena
from league.services.site import frame
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SeasonRules, read_rules

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import Model

    from league.models import Arena, User
    from league.services.arenas.presets import Preset

OWN = {"id", "name", "slug", "is_draft", "is_open", "copied_from"}
"""The fields of an arena that a copy does not take over."""
MOST_CLASHES = 8


def from_preset(preset: Preset, *, name: str, slug: str, by: User, now: datetime) -> Arena:
    """Create a draft with the settings of a preset.

    Raises:
        ValidationError: another arena has that name or address.
    """
    with override("en"):  # for the history and the staff log
        label = str(preset.label)
    with transaction.atomic():
        named = {"name": name, "slug": slug, "is_draft": True}
        arena = Arena(**{"time_zone": frame.current().time_zone, **preset.arena, **named})
        save(arena, by, f"preset: {label}")
        if preset.queue:
            queue = ArenaQueue(arena=arena, **preset.of_queue)
            queue.start_from(preset.queue)
            save(queue, by, f"preset: {label}")
        record(arena, by, now, label, preset.source)
    return arena


def from_arena(source: Arena, *, name: str, slug: str, by: User, now: datetime) -> Arena:
    """Create a draft with the settings, queue, penalty reasons and rules in words of another arena.

    Raises:
        ValidationError: another arena has that name or address.
    """
    with transaction.atomic():
        arena = Arena(**values_of(source, OWN))
        arena.name, arena.slug, arena.is_draft, arena.copied_from = name, slug, True, source.pk
        save(arena, by, f"copy of {source}")
        queue = ArenaQueue.objects.filter(arena=source).first()
        if queue:
            copied = ArenaQueue(**values_of(queue, {"id", "arena"}), arena=arena)
            save(copied, by, f"copy of {source}")
        PenaltyReason.objects.bulk_create(
            PenaltyReason(**values_of(reason, {"id", "arena"}), arena=arena)
            for reason in source.penalty_reasons.all()
        )
        if text := ArenaText.objects.filter(arena=source).first():
            ArenaText.objects.create(arena=arena, rules=text.rules)
        record(arena, by, now, f"a copy of {source}", "")
    return arena


def values_of(row: Model, without: set[str]) -> dict[str, Any]:
    """Return the values of a row's fields."""
    fields = row._meta.concrete_fields  # noqa: SLF001 - Django's documented name
    return {each.attname: getattr(row, each.attname) for each in fields if each.name not in without}


def save(row: Arena | ArenaQueue, by: User, why: str) -> None:
    """Validate and save a row, with the account and a reason in its history."""
    row.full_clean()
    row._history_user, row._change_reason = by, why[:100]  # type: ignore[union-attr] # noqa: SLF001 - simple_history reads these
    row.save()


def record(arena: Arena, by: User, now: datetime, start: str, source: str) -> None:
    """Write into the ledger of staff who created a draft from what."""
    why = own_words("draft", arena=arena, start=start)
    StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.CREATED,
        reason=why.text,
        details={
            **of_arena(arena),
            "object": str(arena),
            "start": start,
            "source": source,
            **why.details,
        },
        after=settings_in_english(arena),
        at=now,
    )


def fit_rules(arena: Arena) -> list[str]:
    """Change what in an arena's rules does not suit its rating system. Return why, for each.

    Starting ratings are kept from season to season, decay and scatter are turned off, and divisions
    are the usual ones by percentile.
    """
    system = KNOWN_SYSTEMS[arena.rating_system]
    reasons: list[str] = []
    for _attempt in range(MOST_CLASHES):
        clash = arena.rules().clash_with(system)
        if clash is None:
            return reasons
        place, why = clash
        group, _dot, name = place.partition(".")
        written = arena.rules().to_json()
        if place == "start.placement":
            written["start"] = {"placement": "carry-over"}
        elif group == "cuts":
            usual = SeasonRules().to_json()
            written |= {"cuts": usual["cuts"], "divisions": usual["divisions"]}
        else:
            written[group] = {**written[group], name: 0}
        arena.season_rules = read_rules(written).to_json()
        reasons.append(why)
    raise Refused("clash", _("The season rules of this arena do not suit its rating system."))
