"""Previews of an arena's settings: decay, starting ratings, divisions, points and chances."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.admin.arenas import fair_play
from league.admin.arenas.running import running_season
from league.admin.core.base import sentence
from league.admin.core.fields import field_name
from league.admin.core.previews import Chart, Figure, Wrong, number, read
from league.admin.core.values import percent
from league.admin.seasons.forms import DIVISIONS, MODE_POINTS, POINT_TABLE, rule_field
from league.models import Arena
from league.services.core.durations import seconds_in_words
from league.services.seasons.recentring import recentre
from league.services.standings import distributions
from ratings import divisions
from ratings.contests import forecasting
from ratings.contests.first_side import counts_first_side
from ratings.display import ELO_POINTS
from ratings.divisions import Cuts
from ratings.history import NEITHER
from ratings.percentile import DivisionError, percentiles
from ratings.points import tables
from ratings.points.rules import Ladder, PointsError
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.decay import decayed_points
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.rules import ArenaDecay
from ratings.seasons.start import Start
from ratings.seasons.transitions import linear_scale
from ratings.system import UnsupportedMatch
from ratings.systems.fermi.population import day_one
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.admin.core.previews import Typed
    from league.models import Season
    from ratings.percentile import Division
    from ratings.system import RatingSystem
    from ratings.types import Floats, States

STEPS = 60
# Fixed, so that a preview changes with the settings only.
SEED = 1
EXAMPLE = 1_000
"""The players in the example of a draw."""
FINEST = 20_000
"""The most players whose percentiles are computed one by one. More have the same shares."""
LEADS = 3
"""The length of the curve of chances, in leads of ten to one's base."""


def read_group(group: str, model: Any, sent: Typed, arena: Arena | None) -> Any:
    stored = (arena or Arena()).rules().complete()[group]
    return read(model, sent, lambda name: rule_field(group, name), stored=stored)


def system_in(sent: Typed, arena: Arena | None) -> RatingSystem:
    """Return the typed rating system. Raises :class:`Wrong`."""
    name = sent.get("rating_system", "")
    if name not in KNOWN_SYSTEMS:
        raise Wrong([_("Choose a rating system.")])
    system = KNOWN_SYSTEMS[name]
    stored = arena.rating_parameters if arena and arena.rating_system == name else {}
    return system(read(system.Parameters, sent, lambda each: field_name(name, each), stored=stored))


# Decay


def decay(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show what a player loses who stops playing."""
    rules = read_group("decay", ArenaDecay, sent, arena)
    if not rules.points:
        return Figure(_("Nothing decays with 0 points."))
    whole = rules.grace_period + rules.decay_period
    seconds = np.union1d(np.linspace(0, 1.15 * whole, STEPS), [rules.grace_period, whole])
    now = np.round(seconds * MICROSECONDS_PER_SECOND).astype(np.int64)
    lost = decayed_points(rules, np.zeros(len(now)), np.zeros(len(now), np.int64), now)
    text = _(
        "A player who stops playing loses %(day)s points a day after %(grace)s, and all %(most)s "
        "after %(whole)s. Each match brings back %(back)s."
    ) % {
        "day": number(rules.per_day),
        "grace": seconds_in_words(rules.grace_period),
        "most": number(rules.points),
        "whole": seconds_in_words(whole),
        "back": number(rules.per_game),
    }
    listed = np.linspace(0, len(seconds) - 1, 13).astype(int)
    has_room = 0.2 < rules.grace_period / whole < 0.7
    return Figure(
        text,
        Chart(
            [(float(x), -float(y)) for x, y in zip(seconds, lost, strict=True)],
            marks=[
                (0.0, _("last match")),
                *([(rules.grace_period, seconds_in_words(rules.grace_period))] * has_room),
                (whole, seconds_in_words(whole)),
            ],
        ),
        (_("After"), _("Points lost")),
        [(seconds_in_words(float(seconds[at])), number(float(lost[at]))) for at in listed],
    )


# Starting ratings


def start(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show the ratings with which the next season would start today."""
    rules, system = read_group("start", Start, sent, arena), system_in(sent, arena)
    if system.shows.lowest_first:
        return Figure(_("On a ladder, newcomers begin below the last player."))
    usual = float(system.newcomers(1).rating[0])
    if rules.placement == "fresh":
        if not (rules.day_one and system.zero_sum):
            return Figure(_("Everyone starts at %(rating)s.") % {"rating": number(usual)})
        return scatter(usual, rules.day_one)
    found = today(arena)
    if found is None:
        return Figure(_("Nobody is ranked here yet, so there is no example."))
    edges = np.array([found.bars[0].low, *(bar.high for bar in found.bars)])
    season = running_season(arena) if arena else None
    became = edges + (recentre(season).shift if season and rules.recentre else 0.0)
    if rules.placement == "linear-scale":
        became = linear_scale(became, rules.center, rules.ratio)
    counts = [bar.players for bar in found.bars]
    text = _(
        "Today’s %(count)s ranked players would start from %(low)s to %(high)s. Today they are "
        "from %(was_low)s to %(was_high)s."
    ) % {
        "count": f"{found.count:,}",
        "low": number(float(became[0])),
        "high": number(float(became[-1])),
        "was_low": number(float(edges[0])),
        "was_high": number(float(edges[-1])),
    }
    return Figure(
        text, bars_between(became, counts), (_("Ratings"), _("Players")), ranges(became, counts)
    )


def scatter(usual: float, width: float) -> Figure:
    drawn = day_one(EXAMPLE, np.random.default_rng(SEED), mean=usual, width=width)
    counts, edges = np.histogram(drawn, bins=20)
    text = _(
        "For example, %(count)s players would start from %(low)s to %(high)s, with an average of "
        "exactly %(mean)s."
    ) % {
        "count": f"{EXAMPLE:,}",
        "low": number(float(drawn.min())),
        "high": number(float(drawn.max())),
        "mean": number(usual),
    }
    listed = counts.tolist()
    return Figure(
        text, bars_between(edges, listed), (_("Ratings"), _("Players")), ranges(edges, listed)
    )


def bars_between(edges: Floats, counts: list[int]) -> Chart:
    middles = ((edges[1:] + edges[:-1]) / 2).tolist()
    first, last = float(middles[0]), float(middles[-1])
    marks = [(first, number(float(edges[0]))), (last, number(float(edges[-1])))]
    return Chart(list(zip(middles, map(float, counts), strict=True)), marks, bars=True)


def ranges(edges: Floats, counts: list[int]) -> list[tuple[str, str]]:
    return [
        (
            _("%(low)s to %(high)s") % {"low": number(float(low)), "high": number(float(high))},
            f"{n:,}",
        )
        for low, high, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


# Divisions


def today(arena: Arena | None) -> distributions.RatingDistribution | None:
    season = running_season(arena) if arena else None
    return distributions.rating_distribution(season) if season else None


def cuts(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show how many of today's ranked players the typed divisions would have."""
    rules = read_group("cuts", Cuts, sent, arena)
    try:
        scale = divisions.parse_divisions(str(sent.get(DIVISIONS, "")), rules)
    except DivisionError as error:
        raise Wrong([f"{_('Divisions')}: {sentence(error.sentence)}"]) from error
    if not scale.divisions:
        return Figure(_("There are no divisions."))
    season = running_season(arena) if arena else None
    total = distributions.ranked_players(season) if season else 0
    if not total:
        return Figure(_("Nobody is ranked here yet, so the divisions are empty."))
    counts = players_in(scale, season, total)
    text = ngettext(
        "Today’s %(count)s ranked player, without margins.",
        "Today’s %(count)s ranked players, without margins.",
        total,
    ) % {"count": f"{total:,}"}
    named = list(scale.divisions)
    rows = [
        (one.name, begins(one, scale), f"{n:,}", percent(n / total))
        for one, n in zip(named, counts, strict=True)
    ]
    chart = Chart(
        [(float(at), float(n)) for at, n in enumerate(counts)],
        marks=[(0.0, named[0].name), *([(len(named) - 1.0, named[-1].name)] * (len(named) > 1))],
        bars=True,
        colours=[one.colour for one in named],
    )
    columns = (_("Division"), _("From"), _("Players"), _("Share"))
    return Figure(text, chart, columns, rows[::-1], open=True)


def begins(one: Division, scale: divisions.Scale) -> str:
    return _("all others") if one.first == scale.everybody else number(one.first)


def players_in(scale: divisions.Scale, season: Season | None, total: int) -> list[int]:
    """Return how many of ``total`` ranked players each division has, lowest first."""
    size = len(scale.divisions)
    if scale.cuts.by == "rating":
        firsts = [one.first for one in scale.divisions[1:]]
        above = [total, *distributions.players_from(season, firsts)] if season else [total]
        return [more - fewer for more, fewer in zip(above, [*above[1:], 0], strict=True)]
    if scale.cuts.by == "rank":
        ends = [min(int(one.first), total) for one in scale.divisions[1:]]
        upto = [total, *ends]
        return [more - fewer for more, fewer in zip(upto, [*upto[1:], 0], strict=True)]
    count = min(total, FINEST)
    strengths = np.arange(count, dtype=np.float64)
    groups = percentiles(strengths, np.ones(count, dtype=bool))
    shares = np.bincount(scale.of(groups.astype(np.float64)), minlength=size) / count
    below = np.round(np.cumsum(shares) * total).astype(int)
    counts: list[int] = np.diff(below, prepend=0).tolist()
    return counts


# Points


def points(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show the points by odds and share of the winning score."""
    rules = read_group("points", Ladder, sent, arena)
    if not rules.counts:
        return Figure(_("No points are given."))
    if rules.table == tables.BY_PLACE:
        by_place = [(str(at), str(each)) for at, each in enumerate(rules.place_points, start=1)]
        return Figure(_("Points by place."), None, (_("Place"), _("Points")), by_place, open=True)
    try:
        own = None
        if rules.table == tables.OWN:
            own = tables.table_as_json(tables.parse_table(str(sent.get(POINT_TABLE, ""))))
        season = tables.point_season(rules, own)
    except PointsError as error:
        raise Wrong([f"{_('Own table of points')}: {sentence(error.sentence)}"]) from error
    try:
        by_mode = tables.parse_mode_tables(str(sent.get(MODE_POINTS, "")))
    except PointsError as error:
        raise Wrong([f"{_('Points by game mode')}: {sentence(error.sentence)}"]) from error
    season = replace(season, by_mode=by_mode)
    listed = [("", season.table), *((one.mode, one) for one in season.by_mode)]
    ratios = sorted(
        {
            step.score_ratio
            for _mode, one in listed
            for rule in one.rules
            for step in rule.checkpoints
        }
    )
    rows = []
    for mode, table in listed:
        odds = np.array([rule.odds for rule in table.rules])
        for chance in odds:
            given = table.points(np.full(len(ratios), chance), np.array(ratios))
            name = _("from %(chance)s") % {"chance": percent(chance)}
            rows.append((f"{mode}: {name}" if mode else name, *map(str, given.tolist())))
    text = _("Points by the win chance before the match and the share of the winning score.")
    shares = [_("score %(share)s") % {"share": percent(ratio)} for ratio in ratios]
    return Figure(text, None, (_("Win chance"), *shares), rows, open=True)


# Fair play


def meetings(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show how much the first meetings of two equals count."""
    return fair_play.figure(read_group("fair_play", FairPlay, sent, arena), system_in(sent, arena))


# Expected score


def chances(arena: Arena | None, sent: Typed) -> Figure | None:
    """Show the chance to win by the lead in rating, between players who are newcomers otherwise."""
    system = system_in(sent, arena)
    if system.shows.lowest_first:
        return Figure(_("A ladder predicts no results: the challenger takes the place or not."))
    sizes = [arena.team_size_max] * 2 if arena and arena.sides_max == 2 else [1, 1]
    try:
        system.check_sizes(sizes)
    except UnsupportedMatch as error:
        raise Wrong([sentence(error.sentence)]) from error
    most = LEADS * system.scale * ELO_POINTS
    leads = np.linspace(-most, most, 2 * STEPS + 1)
    each = system.newcomers(len(leads) * sum(sizes))
    shape = (len(leads), sum(sizes))
    rating = each.rating.reshape(shape).copy()
    rating[:, : sizes[0]] += leads[:, None]
    states = replace(
        each,
        rating=rating,
        deviation=each.deviation.reshape(shape),
        volatility=each.volatility.reshape(shape),
        games=each.games.reshape(shape),
        last_played=each.last_played.reshape(shape),
        memory=each.memory.reshape((*shape, each.memory.shape[-1])),
    )
    expected = expected_score(system, states, sizes, NEITHER)
    at_home = expected_score(system, states, sizes, 0) if counts_first_side(system) else None
    lead = system.scale * ELO_POINTS
    text = _(
        "Between newcomers, a lead of %(lead)s points is expected to score %(share)s, and one of "
        "%(double)s points %(more)s."
    ) % {
        "lead": number(lead),
        "share": percent(float(np.interp(lead, leads, expected))),
        "double": number(2 * lead),
        "more": percent(float(np.interp(2 * lead, leads, expected))),
    }
    if at_home is not None:
        text += " " + _("Between equals, the first side is expected to score %(share)s.") % {
            "share": percent(float(at_home[STEPS]))
        }
    scores = [expected, *([] if at_home is None else [at_home])]
    listed = range(0, len(leads), STEPS // 6)
    return Figure(
        text,
        Chart(
            list(zip(leads.tolist(), expected.tolist(), strict=True)),
            marks=[(-most, number(-most)), (0.0, "0"), (most, number(most))],
            low=0.0,
            high=1.0,
        ),
        (
            _("Lead in rating"),
            _("Expected score"),
            *([] if at_home is None else [_("as first side")]),
        ),
        [
            (number(float(leads[at])), *(percent(float(score[at])) for score in scores))
            for at in listed
        ],
    )


def expected_score(
    system: RatingSystem, states: States, sizes: Sequence[int], first: int
) -> Floats:
    """Return what the side listed first is expected to score in each match. Raises ``Wrong``."""
    count = len(states)
    firsts = np.full(count, first, dtype=np.int64)
    with np.errstate(all="ignore"):
        forecast = forecasting.forecast(
            system, states, sizes, np.zeros(count, dtype=np.int64), firsts
        )
    expected: Floats = forecast.win[:, 0] + forecast.draw / 2
    if not np.isfinite(expected).all():
        raise Wrong([_("These values are too extreme for a preview.")])
    return expected


WIDE = frozenset({"rating", "start", "fair_play"})
"""Previews that read the parameters of the rating system, in another section."""
PREVIEWS = {
    "rating": chances,
    "start": start,
    "decay": decay,
    "points": points,
    "fair_play": meetings,
    "cuts": cuts,
}
