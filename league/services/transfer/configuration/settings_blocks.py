"""Convert what an arena has beyond the published form from and to ``<Settings>``.

Every field of an arena, of its queue and of its rules in words is a setting, and so is every
parameter and rule in its JSON. Their names are those in the database: ``map_choice``,
``season_rules.calendar.length``, ``queue.pools``. A file has only the settings that its other
elements do not give a new arena already.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from pydantic import ValidationError as BrokenRules

from league.models import Arena, ArenaQueue, ArenaText
from league.models.earlier import EARLIER_DEFAULTS
from league.models.limits import read_limits
from league.models.result_rules import read_result_rules
from league.services.core.isolation import gettext as _
from matchmaking.io.blocks import LONGEST_SETTING, Setting, Settings
from matchmaking.prediction import PredictionRules
from matchmaking.rules.arena import Rules
from ratings.display import DisplayRules
from ratings.registry import KNOWN_SYSTEMS, SYSTEMS
from ratings.seasons.rules import SEASON_RULES, read_rules
from ratings.tunables.declarations import declarations
from ratings.tunables.durations import format_duration, parse_duration_with_unit
from ratings.tunables.parameters import Parameters
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Say = Callable[[str, str], None]
    """Adds a problem with the setting of a name; without one, with all of them."""

OUTSIDE: dict[type[models.Model], dict[str, str]] = {
    Arena: {
        "id": "every database has its own",
        "name": "in <Arena> or <Settings>",
        "sort_name": "computed from the name",
        "is_draft": "a file makes drafts or open arenas, as its reader wants",
        "copied_from": "of this database",
    },
    ArenaQueue: {
        "id": "every database has its own",
        "arena": "in <Arena>",
        "configuration": "the elements of the file itself",
    },
    ArenaText: {"id": "every database has its own", "arena": "in <Arena> or <Settings>"},
}
"""The fields that are no settings, and why."""

QUEUE_GROUPS: dict[str, type[Parameters]] = {
    name: field.annotation
    for name, field in Rules.model_fields.items()
    if isinstance(field.annotation, type) and issubclass(field.annotation, Parameters)
}
"""The groups of a queue's rules."""


@dataclass
class Everything:
    """The rows of an arena that have settings."""

    arena: Arena
    queue: ArenaQueue | None
    text: ArenaText

    @classmethod
    def of(cls, arena: Arena, queue: ArenaQueue | None) -> Everything:
        text = ArenaText.objects.filter(arena=arena).first() if arena.pk else None
        return cls(arena, queue, text or ArenaText(arena=arena))

    def settings(self) -> dict[str, Any]:
        """Return all settings by name. Rules and parameters are complete."""
        found: dict[str, Any] = {}
        for name, row, field in self.fields():
            value = getattr(row, field.attname)
            if name in RULES:
                read = RULES[name](self, value)
                found |= {f"{name}.{rule}": one for rule, one in leaves(name, read)}
            else:
                found[name] = prediction(value) if name == "queue.prediction" else value
        return found

    def fields(self) -> Iterator[tuple[str, models.Model, models.Field[Any, Any]]]:
        """Return the name of each field with settings, its row and itself."""
        queue: list[tuple[str, models.Model]] = [("queue.", self.queue)] if self.queue else []
        for prefix, row in [("", self.arena), *queue, ("text.", self.text)]:
            for field in row._meta.concrete_fields:  # noqa: SLF001 - Django's documented name
                if field.name not in OUTSIDE[type(row)]:
                    yield f"{prefix}{field.name}", row, field


def season_rules(_all: Everything, values: Any) -> dict[str, Any]:
    return {"mode_points": [], **read_rules(values).complete()}


def queue_rules(_all: Everything, values: Any) -> dict[str, Any]:
    problems: dict[str, Sentence] = {}
    read: dict[str, Any] = {}
    for group, model in QUEUE_GROUPS.items():
        given = values.get(group) or {}
        declared = {one.name for one in declarations(model)}
        try:
            read_parameters(model, {name: given[name] for name in declared & given.keys()})
            read[group] = model.model_validate(given).to_json()
        except ParameterError as error:
            problems |= {f"{group}.{name}": text for name, text in error.problems.items()}
        except BrokenRules as error:  # a list or a table within the rules
            wrong = {
                ".".join(map(str, [group, *one["loc"][:1]])): one["msg"] for one in error.errors()
            }
            problems |= {name: Sentence("%(why)s", why=why) for name, why in wrong.items()}
    if problems:
        raise ParameterError(problems)
    return read


def rating_parameters(everything: Everything, values: Any) -> dict[str, Any]:
    return read_parameters(
        KNOWN_SYSTEMS[everything.arena.rating_system].Parameters, values
    ).to_json()


def prediction(values: Any) -> dict[str, Any] | None:
    """Return the complete weights of a prediction, ``None`` if ratings predict."""
    if values is None:
        return None
    if not isinstance(values, dict):
        raise ValidationError(_("Must be a JSON object, or null."))
    return read_parameters(PredictionRules, values).to_json()


RULES: dict[str, Callable[[Everything, Any], dict[str, Any]]] = {
    "rating_parameters": rating_parameters,
    "season_rules": season_rules,
    "result_rules": lambda _all, values: read_result_rules(values).to_json(),
    "limits": lambda _all, values: read_limits(values).to_json(),
    "display": lambda _all, values: read_parameters(DisplayRules, values).to_json(),
    "queue.rules": queue_rules,
}
"""The fields with rules in JSON, and how they are read."""
NESTED = {"season_rules": SEASON_RULES, "queue.rules": QUEUE_GROUPS}
"""The fields whose rules are in groups."""


def leaves(field: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Return the rules in a field by name, those of groups as ``group.name``."""
    groups = NESTED.get(field, {})
    for name, value in values.items():
        if name in groups:
            yield from ((f"{name}.{rule}", one) for rule, one in value.items())
        else:
            yield name, value


def change_system(arena: Arena, system: str) -> None:
    """Give an arena another rating system, with the parameters that files leave out.

    These are the defaults of earlier releases, so that their files keep their meaning.
    """
    arena.rating_system = system
    arena.rating_parameters = dict(EARLIER_DEFAULTS.get(system, {}))


# To a file


def settings_beyond(wanted: Everything, given: Everything) -> Settings:
    """Return what ``wanted`` has beyond ``given``, the arena that the rest of the file makes."""
    of_system = given.arena
    if of_system.rating_system != wanted.arena.rating_system:
        change_system(of_system, wanted.arena.rating_system)
        other = {"rating_system": wanted.arena.rating_system}
    else:
        other = {}
    there = given.settings()
    differ = {name: value for name, value in wanted.settings().items() if there[name] != value}
    return Settings(
        arena=wanted.arena.name,
        settings=tuple(
            Setting(name=name, value=text_of(value)) for name, value in {**other, **differ}.items()
        ),
    )


def text_of(value: Any) -> str:
    """Return a setting as the text that ``apply`` reads."""
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        return format_duration(value.total_seconds())
    return json.dumps(value, ensure_ascii=False)


# From a file


def apply(everything: Everything, block: Settings, say: Say) -> None:
    """Give an arena the settings of a file, and add a problem for each that cannot be used."""
    typed = {one.name: one.value for one in block.settings}
    chosen = typed.get("rating_system", everything.arena.rating_system)
    if chosen not in KNOWN_SYSTEMS:
        names = ", ".join(SYSTEMS)
        say("rating_system", Sentence("is no rating system; choose from %(names)s", names=names))
        return
    if chosen != everything.arena.rating_system:
        change_system(everything.arena, chosen)
    known = everything.settings()
    for name in typed.keys() - known.keys():
        say(name, unknown(name, known, everything))
    for name, row, field in everything.fields():
        if name in RULES:
            rules = {rule: text for rule, text in typed.items() if rule.startswith(f"{name}.")}
            if rules.keys() <= known.keys() and rules:
                apply_rules(everything, name, row, rules, say)
        elif name in typed:
            try:
                value = value_of(field, row, typed[name])
                if name == "queue.prediction":
                    value = prediction(value)
            except ValidationError as error:
                say(name, " ".join(error.messages))
            except ParameterError as error:
                for parameter, problem in error.problems.items():
                    say(name, Sentence("%(of)s %(problem)s", of=parameter, problem=problem))
            else:
                setattr(row, field.attname, value)


def apply_rules(
    everything: Everything, name: str, row: models.Model, rules: Mapping[str, str], say: Say
) -> None:
    """Give a field in JSON the rules of a file."""
    field = name.removeprefix("queue.")
    values = RULES[name](everything, getattr(row, field))
    for full, text in rules.items():
        *groups, rule = full.removeprefix(f"{name}.").split(".")
        group = values[groups[0]] if groups else values
        try:
            group[rule] = from_json(text) if text[:1] in {"[", "{"} or text == "null" else text
        except ValidationError as error:
            say(full, " ".join(error.messages))
            return
    try:
        setattr(row, field, RULES[name](everything, values))
    except ParameterError as error:
        for problem, sentence in error.problems.items():
            say(f"{name}.{problem}", sentence)


def value_of(field: models.Field[Any, Any], row: models.Model, text: str) -> Any:
    """Return a field's value from its text. Raises ``ValidationError``."""
    value: Any = text
    if isinstance(field, models.DurationField):
        try:
            value = timedelta(seconds=parse_duration_with_unit(text))
        except (ValueError, OverflowError) as error:
            raise ValidationError(_("Must be a time such as 30s, 2m or 3d.")) from error
    elif isinstance(field, models.BooleanField):
        if text not in {"true", "false"}:
            raise ValidationError(_("Must be true or false."))
        value = text == "true"
    elif isinstance(field, ArrayField | models.JSONField):
        value = from_json(text)
    elif isinstance(field, models.TextField) and len(text) > (field.max_length or LONGEST_SETTING):
        raise ValidationError(
            _("Must have at most %(most)d characters; it has %(length)d.")
            % {"most": field.max_length, "length": len(text)}
        )
    return field.clean(value, row)


def from_json(text: str) -> Any:
    """Return the value in a JSON text. Raises ``ValidationError``."""
    try:
        return json.loads(text, parse_constant=float_refused)
    except (ValueError, RecursionError) as error:
        raise ValidationError(_('Must be JSON, such as ["Forest", "Temple"].')) from error


def float_refused(name: str) -> None:
    raise ValueError(name)


def unknown(name: str, known: Mapping[str, Any], everything: Everything) -> Sentence:
    if name.startswith("queue.") and everything.queue is None:
        return Sentence("is for a queue, and the file has no <Arena> of this name")
    near = get_close_matches(name, known, n=1)
    if near:
        return Sentence("is unknown; did you mean %(name)s?", name=near[0])
    return Sentence("is unknown")
