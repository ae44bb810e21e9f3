"""An arena's settings by their labels, for the ledger of staff actions."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models.queue import preset_rules
from league.services.core.declared import declarations, value_in_words
from league.services.core.durations import describe_duration
from matchmaking.presets import PRESETS
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SEASON_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models import Arena, ArenaQueue
    from ratings.tunables.parameters import Parameters

FIELDS = (
    "name",
    "slug",
    "description",
    "format",
    "sides_min",
    "sides_max",
    "team_size_min",
    "team_size_max",
    "draws_allowed",
    "modes",
    "regions",
    "maps",
    "map_choice",
    "veto_turn",
    "figures",
    "time_zone",
)
OF_THE_QUEUE = (
    "is_open",
    "ready_window",
    "ticks_kept",
    "bars_timeouts",
    "rank_source",
    "pools",
    "fills_seats",
)


def settings_in_words(arena: Arena) -> dict[str, Any]:
    """Return the values of an arena by label, rules and parameters where they differ from the
    defaults."""
    system = KNOWN_SYSTEMS[arena.rating_system]
    rules = arena.rules()
    written = rules.complete()
    values = {str(label_of(arena, name)): plain(value_of(arena, name)) for name in FIELDS}
    values[_("rating system")] = _(system.label)
    values |= differing(system.Parameters, arena.rating_parameters)
    for group, model in SEASON_RULES.items():
        values |= differing(model, written[group])
    for model, given in (
        (type(arena.result_settings()), arena.result_settings().to_json()),
        (type(arena.limit_settings()), arena.limit_settings().to_json()),
    ):
        values |= differing(model, given)
    values[_("divisions")] = ", ".join(each.name for each in rules.divisions.divisions)
    queue = getattr(arena, "queue", None)
    values[_("queue")] = queue.get_matcher_display() if queue else ""
    return values | (of_queue(queue) if queue else {})


def settings_in_english(arena: Arena) -> dict[str, Any]:
    """Return the same for the staff log."""
    with override("en"):
        return settings_in_words(arena)


def of_queue(queue: ArenaQueue) -> dict[str, Any]:
    """Return the values of a queue by label, and which ready-made rules it has."""
    named = {
        _("queue: %(label)s") % {"label": label_of(queue, name)}: plain(value_of(queue, name))
        for name in OF_THE_QUEUE
    }
    return {**named, _("queue: rules"): preset_of(queue) or _("its own")}


def preset_of(queue: ArenaQueue) -> str:
    """Return the name of the preset whose rules a queue has, empty if they are its own."""
    return next((name for name, rules in rules_of_presets() if rules == queue.rules), "")


@cache
def rules_of_presets() -> list[tuple[str, dict[str, Any]]]:
    return [(name, preset_rules(name)) for name in PRESETS]


def value_of(row: Arena | ArenaQueue, name: str) -> Any:
    """Return a field's value, or the label of its choice."""
    display = getattr(row, f"get_{name}_display", None)
    return str(display()) if display else getattr(row, name)


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the values that differ, as they were and as they are."""
    differ = [label for label in {**before, **after} if before.get(label) != after.get(label)]
    return (
        {label: before.get(label) for label in differ},
        {label: after.get(label) for label in differ},
    )


def differing(model: type[Parameters], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not a model's defaults, by label."""
    default = model().to_json()
    return {
        each.label: value_in_words(each, values[each.name])
        for each in declarations(model)
        if each.name in values and values[each.name] != default[each.name]
    }


def label_of(row: Arena | ArenaQueue, name: str) -> Any:
    return row._meta.get_field(name).verbose_name  # type: ignore[union-attr] # noqa: SLF001 - Django's documented name


def plain(value: Any) -> Any:
    if isinstance(value, timedelta):
        return describe_duration(value)
    return ", ".join(map(str, value)) if isinstance(value, list) else value
