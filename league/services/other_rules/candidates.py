"""The rules that a season can be tried under: other rating systems, presets and typed settings."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from league.models import Arena, Trial
from league.services.arenas.presets import PRESETS
from league.services.core.declared import declarations
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.rating.learnt import learnt_in
from league.services.seasons.changing import Rules
from ratings.registry import KNOWN_SYSTEMS, SYSTEMS, build
from ratings.seasons.rules import read_rules
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from league.models import Season
    from league.services.core.declared import Translated
    from ratings.system import RatingSystem

TYPED, SAVED, PRESET = "typed", "saved", "preset"
"""The keys of candidates that are no rating systems, the latter with the name of the preset."""
MOST = 6
MOST_FITTED = 3
"""Parameters to fit for each system."""
SUGGESTED = ("laurel", "glicko-2", "trueskill", "elo")
"""Systems to compare with, those that usually forecast best first."""
AT_ONCE = 3
"""Systems that are chosen at first."""
LATEST = 5
"""Earlier trials whose typed settings can be tried again."""


@dataclass(frozen=True)
class Candidate:
    """Rules that a season is tried under."""

    key: str
    """Unique in a trial: a rating system, or where its rules come from."""
    system: str
    parameters: Mapping[str, Any]
    """The starting point of the search, or the parameters themselves if nothing is fitted."""
    season: Mapping[str, Any] | None = None
    """The rules of seasons; ``None`` leaves those that a season has."""
    fitted: tuple[str, ...] = ()

    @classmethod
    def of(cls, key: str, held: Any, season: Mapping[str, Any] | None) -> Candidate:
        """Return the rules of an arena or of a form."""
        system = build(held.rating_system, held.rating_parameters)
        return cls(key, system.name, system.parameters.model_dump(mode="json"), season)

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> Candidate:
        """Return a candidate that was written as JSON values."""
        return cls(**{**written, "fitted": tuple(written["fitted"])})

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return asdict(self)

    def rules(self, base: Rules) -> Rules:
        """Return its rules, with those of seasons from ``base`` if it has none of its own."""
        season = base.season if self.season is None else self.season
        return Rules(self.system, self.parameters, season)

    @property
    def label(self) -> str:
        kind, _dash, rest = self.key.partition(":")
        if kind == PRESET:
            return str(PRESETS[rest].label)
        if kind == SAVED:
            return _("Saved for the next season")
        if kind == TYPED:
            return _("Typed settings (%(number)s)") % {"number": rest} if rest else _("New rules")
        label = _(KNOWN_SYSTEMS[self.system].label)
        return _("%(system)s, fitted") % {"system": label} if self.fitted else label


def candidates_of(trial: Trial) -> dict[str, Candidate]:
    """Return the candidates of a trial by their keys."""
    return {one["key"]: Candidate.read(one) for one in trial.candidates}


def with_changes(trial: Trial) -> list[tuple[Candidate, list[Any]]]:
    """Return the candidates of a trial, each with what differs from the season's rules of then."""
    season: Any = trial.season
    changed = season.rules_version != trial.version
    held = Rules.of(season.versions.get(number=trial.version) if changed else season)
    return [
        (one, one.rules(held).within(season).since(held)) for one in candidates_of(trial).values()
    ]


def systems_for(arena: Arena) -> list[str]:
    """Return the systems that can rate every match of an arena's format."""
    return [name for name in SYSTEMS if rates(name, arena)]


def rates(name: str, arena: Arena) -> bool:
    """Return whether a rating system can rate every match of an arena's format."""
    try:
        for sides, size in (
            # What rates the smallest match and the largest also rates those between.
            (arena.sides_min, arena.team_size_min),
            (arena.sides_max, arena.team_size_max),
        ):
            build(name).check_sizes([size] * sides)
    except UnsupportedMatch:
        return False
    return True


def start_of(season: Season, name: str) -> RatingSystem:
    """Return the system from whose parameters a search starts: the season's, or the defaults."""
    return season.system() if name == season.rating_system else build(name)


def start_at_learnt(season: Season, system: RatingSystem) -> RatingSystem:
    """Return a system whose search for the first side starts at what the season has learnt."""
    learnt = learnt_in(season)
    if learnt is None or learnt.first_side is None:
        return system
    first_side = learnt.first_side * system.scale / season.system().scale
    return build(system.name, {**system.parameters.to_json(), "first_side": first_side})


def list_fittable(system: RatingSystem) -> list[Translated]:
    """Return the parameters with numbers to search, those that matter most first."""
    found = [
        each
        for each in declarations(type(system).Parameters)
        if each.kind in {"number", "integer"}
        and math.isfinite(getattr(system.parameters, each.name))
    ]
    first = {name: at for at, name in enumerate(system.fitted)}
    return sorted(found, key=lambda each: first.get(each.name, len(first)))


def suggest(season: Season, *, fits: bool) -> list[str]:
    """Return the systems that are chosen at first: the season's own, fitted, and the best others.

    Without ``fits``, nothing is fitted.
    """
    able, own = systems_for(season.arena), season.rating_system
    chosen = [own] if fits and own in able and season.system().fitted else []
    chosen += [name for name in SUGGESTED if name in able and name != own]
    return chosen[:AT_ONCE]


def list_settings(season: Season) -> dict[str, Candidate]:
    """Return whole sets of rules that a season can be tried under, by their keys.

    Those saved for the next season, those typed for the latest trials, and presets for the same
    format.
    """
    arena = season.arena
    found = [Candidate.of(SAVED, arena, arena.rules().to_json())]
    for trial in season.trials.order_by("-pk")[:LATEST]:
        typed = candidates_of(trial).get(TYPED)
        found += [replace(typed, key=f"{TYPED}:{trial.pk}")] if typed else []
    for name, preset in PRESETS.items():
        made = Arena(**preset.arena)
        if has_format_of(arena, made) and rates(made.rating_system, arena):
            rules = read_rules(made.season_rules).to_json()
            found.append(Candidate.of(f"{PRESET}:{name}", made, rules))
    return {one.key: one for one in found if differs(season, one)}


def has_format_of(arena: Arena, other: Arena) -> bool:
    """Return whether two arenas are for as many players on a side, all against all or not."""
    return (arena.format, arena.team_size_max) == (other.format, other.team_size_max)


def differs(season: Season, candidate: Candidate) -> bool:
    """Return whether a candidate differs from a season's rules by more than how seasons start."""
    held = Rules.of(season)
    return bool(candidate.rules(held).within(season).since(held))


def choose(
    season: Season, systems: Mapping[str, Sequence[str]], settings: Iterable[str] = ()
) -> list[Candidate]:
    """Return the chosen systems, each with the parameters to fit, and the chosen settings.

    Raises:
        Refused: nothing or too much is chosen, or something that does not fit the arena.
    """
    known = list_settings(season)
    for key in settings:
        if key not in known:
            raise Refused("unknown", _("Choose settings from the list."), field="settings")
    found = [make_candidate(season, name, fitted) for name, fitted in systems.items()]
    found += [known[key] for key in settings]
    if not found:
        raise Refused("nothing", _("Choose a system or settings to try."), field="systems")
    if len(found) > MOST:
        text = _("Choose up to %(count)d systems and settings.") % {"count": MOST}
        raise Refused("too_many", text, field="systems")
    return found


def make_candidate(season: Season, name: str, fitted: Sequence[str]) -> Candidate:
    """Return a rating system with the parameters to fit. Raises ``Refused`` as ``choose``."""
    if name not in systems_for(season.arena):
        text = _("“%(name)s” cannot rate the matches of this arena.") % {"name": name}
        raise Refused("unfit", text, field="systems")
    system, field = start_of(season, name), f"fit_{name}"
    label = _(system.label)
    known = [each.name for each in list_fittable(system)]
    if unknown := [each for each in fitted if each not in known]:
        text = _("%(system)s has no parameter “%(name)s” that can be fitted.")
        raise Refused("no_parameter", text % {"system": label, "name": unknown[0]}, field=field)
    if len(fitted) > MOST_FITTED:
        text = _("%(system)s: fit up to %(count)d parameters.")
        raise Refused("too_many", text % {"system": label, "count": MOST_FITTED}, field=field)
    if name == season.rating_system and not fitted:
        text = _(
            "%(system)s is compared as the season has it anyway. Choose parameters to fit, or "
            "leave it out."
        )
        raise Refused("same", text % {"system": label}, field=field)
    # In the order of the declarations, so that the same choice is the same search.
    in_order = tuple(each for each in known if each in fitted)
    if "first_side" in in_order:
        system = start_at_learnt(season, system)
    return Candidate(name, name, system.parameters.to_json(), fitted=in_order)
