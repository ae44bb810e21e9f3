"""The sections of the arena form: when their fields have an effect, and their settings in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.text import capfirst

from league.admin.core.base import sentence
from league.admin.core.fields import declared_fields, field_name
from league.admin.core.sections import When, only, unless
from league.admin.core.values import percent
from league.admin.seasons.forms import DIVISIONS, MODE_POINTS, POINT_TABLE, rule_field
from league.models import Format
from league.models.lists import list_of
from league.services.core.declared import declarations
from league.services.core.durations import describe_duration, seconds_in_words, span_in_words
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.results.rules import formats
from league.services.seasons.words import start_in_words
from ratings.points import tables
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SEASON_RULES
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from league.admin.core.sections import Conditions
    from league.models import Arena
    from ratings.seasons.rules import SeasonRules

SYSTEM = "rating_system"
LADDERS = [name for name, system in KNOWN_SYSTEMS.items() if system.shows.lowest_first]
ZERO_SUM = [name for name, system in KNOWN_SYSTEMS.items() if system.zero_sum]
NOT_LADDERS = unless(SYSTEM, *LADDERS)
BY_CAPTAINS = only(field_name("results", "reporters"), "captains")
DECAYS = unless(rule_field("decay", "points"), "0", "0.0", "")
COUNTS = only(rule_field("points", "counts"), "on")
CUTS = rule_field("cuts", "by")
PLACEMENT = rule_field("start", "placement")
SCALED = field_name("display", "scale")


def conditions() -> Conditions:
    """Return when fields, and sections by their key, have an effect."""
    found: dict[str, tuple[When, ...]] = {
        "team_size_min": (only("format", Format.TEAMS),),
        "shown": (NOT_LADDERS,),
        "decay": (NOT_LADDERS,),
        "challenges": (only(SYSTEM, "ladder"),),
        field_name("limits", "challenges_per_day"): (only(SYSTEM, "ladder"),),
        field_name("results", "silence"): (BY_CAPTAINS,),
        field_name("results", "quorum_share"): (BY_CAPTAINS, unless("sides_max", "2")),
        field_name("results", "quorum_least"): (BY_CAPTAINS, unless("sides_max", "2")),
        field_name("display", "factor"): (only(SCALED, "scaled", "floored"),),
        field_name("display", "offset"): (only(SCALED, "scaled", "floored"),),
        field_name("display", "lowest"): (only(SCALED, "floored"),),
        field_name("display", "decimals"): (only(SCALED, "scaled", "floored"),),
        rule_field("start", "center"): (only(PLACEMENT, "linear-scale"),),
        rule_field("start", "ratio"): (only(PLACEMENT, "linear-scale"),),
        rule_field("start", "day_one"): (only(SYSTEM, *ZERO_SUM), only(PLACEMENT, "fresh")),
        **dict.fromkeys(
            (
                rule_field("start", name)
                for name in (
                    "recentre",
                    "reset_deviation",
                    "full_reset_before",
                    "partial_reset_before",
                )
            ),
            (unless(PLACEMENT, "fresh"),),
        ),
        rule_field("ranked", "returning_matches"): (unless(PLACEMENT, "fresh"),),
        "ranked": (NOT_LADDERS,),
        rule_field("calendar", "pause"): (only(rule_field("calendar", "follows"), "on"),),
        POINT_TABLE: (COUNTS, only(rule_field("points", "table"), tables.OWN)),
        MODE_POINTS: (
            COUNTS,
            unless("modes", ""),
            unless(rule_field("points", "table"), tables.BY_PLACE),
        ),
    }
    for name in KNOWN_SYSTEMS:
        found[f"system-{name}"] = (only(SYSTEM, name),)
    for name in ("grace_period", "decay_period", "recover_per_game"):
        found[rule_field("decay", name)] = (DECAYS,)
    for declaration in declared_fields(SEASON_RULES["points"]):
        if declaration.name != "counts":
            found[rule_field("points", declaration.name)] = (COUNTS,)
    by_place = only(rule_field("points", "table"), tables.BY_PLACE)
    found[rule_field("points", "by_place")] = (COUNTS, by_place)
    locks = unless(rule_field("teams", "lock_after"), "0")
    found[rule_field("teams", "rate")] = (NOT_LADDERS,)
    found[rule_field("teams", "window_every")] = (locks,)
    found[rule_field("teams", "window_length")] = (
        locks,
        unless(rule_field("teams", "window_every"), "0"),
    )
    for name in ("repeat_factor", "same_opponents"):
        found[rule_field("fair_play", name)] = (NOT_LADDERS,)
    for by in ("percentile", "rating", "rank"):
        margin = rule_field("cuts", f"{by}_margin")
        found[margin] = (only(CUTS, by), unless(DIVISIONS, ""))
    return found


CONDITIONS = conditions()


def words(arena: Arena) -> dict[str, str]:
    """Return an arena's settings in a line for each section, by its key.

    Sections that are not here name their changed values.
    """
    rules = arena.rules()
    system = KNOWN_SYSTEMS.get(arena.rating_system)
    return {
        "format": format_of(arena),
        "results": results(arena),
        "rating": _("%(system)s.") % {"system": _(system.label) if system else arena.rating_system},
        "start": " ".join(start_in_words(rules.start)[:1]),
        "ranked": describe_ranking(rules),
        "decay": decay(rules),
        "calendar": calendar(arena, rules),
        "points": points(rules),
        "challenges": challenges(rules),
        "fair_play": fair_play(rules),
        "teams": teams(rules),
        "cuts": divisions(rules),
    }


def format_of(arena: Arena) -> str:
    parts = [
        formats.describe_format(arena),
        _("draws") if arena.draws_allowed else _("no draws"),
        *([list_of(arena.modes)] if arena.modes else []),
        *([list_of(arena.regions)] if arena.regions else []),
        *([list_of(arena.maps)] if arena.maps else []),
    ]
    return sentence("; ".join(parts))


def results(arena: Arena) -> str:
    rules = arena.result_settings()
    if rules.reporters == "organisers":
        return _("Only organisers and game servers enter results.")
    window = describe_duration(arena.confirmation_window)
    if rules.silence == "never":
        text = _("A captain reports; without an answer within %(window)s the report lapses.")
    else:
        text = _("A captain reports, and the others have %(window)s to confirm or dispute.")
    return text % {"window": window}


def describe_ranking(rules: SeasonRules) -> str:
    matches = rules.ranked.placement_matches
    after = ngettext("After %(n)d rated match", "After %(n)d rated matches", matches) % {
        "n": matches
    }
    if rules.ranked.opponents:
        after = _("%(after)s and %(n)d different opponents") % {
            "after": after,
            "n": rules.ranked.opponents,
        }
    return _("%(after)s, until %(time)s without a match.") % {
        "after": after,
        "time": seconds_in_words(rules.ranked.window),
    }


def decay(rules: SeasonRules) -> str:
    if not rules.decays:
        return _("None.")
    return _(
        "%(points)s points a day after %(grace)s, back %(back)s a match; at most %(most)s."
    ) % {
        "points": plain(round(rules.decay.per_day, 2)),
        "grace": seconds_in_words(rules.decay.grace_period),
        "back": plain(round(rules.decay.per_game, 2)),
        "most": plain(rules.decay.points),
    }


def calendar(arena: Arena, rules: SeasonRules) -> str:
    length = rules.calendar.length
    if not length:
        text = _("A season lasts until the next is opened by hand.")
    elif not rules.calendar.follows:
        text = _("A season lasts %(time)s.") % {"time": span_in_words(length)}
    elif not rules.calendar.pause:
        text = _("A season lasts %(time)s, and the next follows at once.") % {
            "time": span_in_words(length)
        }
    else:
        text = _("A season lasts %(time)s, and the next follows %(pause)s later.") % {
            "time": span_in_words(length),
            "pause": span_in_words(rules.calendar.pause),
        }
    return _("%(text)s Time zone %(zone)s.") % {"text": text, "zone": arena.time_zone}


def points(rules: SeasonRules) -> str:
    if not rules.points.ladder.counts:
        return _("None.")
    known = {one.name: one for one in declarations(type(rules.points.ladder))}["table"]
    labels = {choice.value: choice.label for choice in known.choices}
    return sentence(labels[rules.points.ladder.table])


def challenges(rules: SeasonRules) -> str:
    return _("%(answer)s to answer, %(play)s to play.") % {
        "answer": capfirst(seconds_in_words(rules.challenges.answer)),
        "play": seconds_in_words(rules.challenges.play),
    }


def fair_play(rules: SeasonRules) -> str:
    fair = rules.fair_play
    parts = []
    if fair.per_day:
        parts.append(
            _("at most %(n)d matches a day between the same opponents") % {"n": fair.per_day}
        )
    if fair.per_week:
        parts.append(_("%(n)d a week") % {"n": fair.per_week})
    if fair.repeat_factor < 1:
        share = percent(fair.repeat_factor)
        parts.append(_("each further one counts %(share)s") % {"share": share})
    if fair.same_opponents:
        parts.append(
            _("a player can win %(n)s even wins from them") % {"n": plain(fair.same_opponents)}
        )
    return sentence(list_of(parts) or _("no limits"))


def teams(rules: SeasonRules) -> str:
    given = rules.teams
    parts = []
    if given.rate:
        parts.append(_("teams are rated"))
    if given.lock_after:
        parts.append(
            _("rosters are locked after %(time)s") % {"time": seconds_in_words(given.lock_after)}
        )
    if given.stand_ins:
        most = given.stand_ins
        stand_ins = ngettext(
            "up to %(n)d stand-in per side", "up to %(n)d stand-ins per side", most
        )
        parts.append(stand_ins % {"n": most})
    return sentence(list_of(parts) or _("teams are not rated"))


def divisions(rules: SeasonRules) -> str:
    scale = rules.divisions
    if not scale.divisions:
        return _("None.")
    by = {"percentile": _("percentile"), "rating": _("rating"), "rank": _("rank")}[scale.cuts.by]
    names = list_of(division.name for division in scale.divisions)
    return _("%(names)s; cut by %(by)s.") % {"names": names, "by": by}
