"""An arena's rules in words, with examples of the reader's own numbers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from league.models import ArenaQueue, MapChoice
from league.rates import limit_gets
from league.services.core.numbers import number
from league.services.dishonor import discipline
from league.services.dishonor.first_offences import first_offences
from league.services.ladder.challenges import challenge_rules, takes_challenges
from league.services.maps.vetoes import SIDES as SIDES_OF_A_VETO
from league.services.points import points_leaderboard
from league.services.queue import statistics
from league.services.queue.ranks import explain_source, rank_for
from league.services.rating.learnt import learnt_in
from league.services.results.forecasts.again import again, even_win
from league.services.results.forecasts.examples import examples, newcomer
from league.services.seasons.changing import versions_of
from league.services.seasons.words import start_in_words
from league.services.site.texts import render_text
from league.services.standings import leaderboards, outlook
from league.web.core.acting import player_of
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.points.views import tables_of
from league.web.queue.views import needs_equal_modes, uses_professions
from ratings.contests.first_side import counts_first_side
from ratings.contests.margins import counts_margins
from ratings.display import FixedRange
from ratings.seasons.even_wins import even_wins, unconfirmed_kept
from ratings.systems.fermi.display import chance_from_fixed_range

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Arena, PenaltyReason, Player, Season
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from league.services.standings.outlook import Outlook
    from matchmaking.rules.arena import Rules
    from ratings.divisions import Scale
    from ratings.percentile import Division
    from ratings.seasons.decay import Decay
    from ratings.seasons.fair_play import FairPlay
    from ratings.system import RatingSystem, Shows

WAITS = (0, 30, 60, 120, 300, 600)
"""Seconds after which the page says how far a search has widened."""
APART = 200.0
"""Rating points between two players whose usual margin the page gives."""
SHOWN_EXAMPLE = (7000, 6000)
"""Two ratings in a fixed range, whose chance the page gives."""


def first_side_points(arena: Arena, system: RatingSystem, shows: Shows) -> str:
    """Return what being first is worth in the arena's matches, empty for nothing."""
    if arena.sides_min > 2 or not counts_first_side(system):
        return ""
    return number(shows.points(getattr(system.parameters, "first_side", 0.0)), shows.decimals)


def chance_of_shown(system: RatingSystem, shows: Shows) -> float | None:
    """Return the chance of the example below, if chances follow from the ratings shown."""
    is_plain = not system.shows.deviation and not getattr(system.parameters, "first_side", 0.0)
    if not is_plain or not system.temperature or not isinstance(shows, FixedRange):
        return None
    if not shows.gives_chances(system.temperature):
        return None
    own, other = np.array(SHOWN_EXAMPLE)
    return float(chance_from_fixed_range(own, other))


@limit_gets("costly")
@require_safe
def how_it_works(
    request: HttpRequest, slug: str, template: str = "arenas/how_it_works.html"
) -> HttpResponse:
    """Say an arena's rules in words, for a season or the next one.

    The review of a draft asks for the rules alone, by another template.
    """
    arena_page = arena_page_or_404(slug, also_draft=request)
    arena, now = arena_page.arena, arena_page.now
    season, me = season_of(request, arena_page), player_of(request)
    rules = season.season_rules() if season else arena.rules()
    system = season.system() if season else arena.system()
    running = season is not None and season.is_running(now)
    shows = season.shows if season else system.shows
    context: dict[str, Any] = {
        "arena": arena,
        "season": season,
        "running": running,
        "upcoming": season is not None and season.starts_at > now,
        "now": now,
        "rules": rules,
        "house_rules": render_text(arena.text.rules) if hasattr(arena, "text") else "",
        "system": system,
        "shows": shows,
        "first_side_points": first_side_points(arena, system, shows),
        "chance_of_shown": chance_of_shown(system, shows),
        "counts_margin": arena.sides_min <= 2 and counts_margins(system),
        "opening": start_in_words(rules.start),
        "versions": versions_of(season) if season else [],
        "limits": limits(arena, rules.fair_play, shows),
        "longest_veto": longest_veto(arena),
        "third": f"{100 * rules.fair_play.repeat_factor**2:.0f}",
    }
    row = leaderboards.player_row(season, me, now=now) if season and me else None
    ahead = outlook.outlook(season, me, row, now=now) if season and me and row else None
    context |= {"row": row, "outlook": ahead, "steps": steps(rules.divisions, row)}
    context["margin"] = round(rules.divisions.cuts.margin)
    if rules.decays:
        context["decay"] = Decaying.of(rules.decay, row, ahead, now)
    if context["limits"].get("same_opponents"):
        context |= limits_in_points(rules.fair_play, system, season, me, now)
    if season:
        context["fresh"] = fresh = newcomer(season)
        context["learnt"] = learnt = learnt_in(season)
        if learnt and learnt.margin is not None:
            context |= {"apart": APART, "margin_apart": APART * learnt.margin}
        if takes_challenges(season):
            context |= {"challenges": challenge_rules(season), "ladder": system.parameters}
        if running and arena.is_open:
            rating = row.rating if row else fresh.rating
            context["examples"] = cache(partial(examples, season, arena, me, rating, now))
            context["again"] = again(season, me, now) if me and arena.team_size_max > 1 else None
            context["rules_as_text"] = f"{rules} {season.rating_parameters} {rating}"
            context["grown"] = inactive_row(season, me, row, now) if me and row else None
    if rules.points.ladder.counts:
        context["tables"] = tables_of(rules.points, arena)
        context["points"] = (
            points_leaderboard.points_standing(season, me) if season and me else None
        )
    its_queue: ArenaQueue | None = getattr(arena, "queue", None)
    if not (its_queue and arena.is_open and its_queue.is_open):
        its_queue = None
    if its_queue:
        context |= queue_context(its_queue, season, me, now)
    reasons = list(arena.penalty_reasons.all())
    if its_queue or reasons:
        context |= dishonor_context(its_queue, reasons, me, now)
    return TemplateResponse(request, template, context).render()


def inactive_row(
    season: Season, me: Player, row: LeaderboardRow, now: datetime
) -> LeaderboardRow | None:
    """Return the reader's row once they are inactive, if their rating is less certain then."""
    if row.deviation is None:
        return None
    window = timedelta(seconds=season.season_rules().ranked.window)
    then = leaderboards.player_row(season, me, now=now + window)
    return then if then and then.deviation and then.deviation > row.deviation else None


def limits(arena: Arena, fair_play: FairPlay, shows: Shows) -> dict[str, bool]:
    """Return which limits against farming apply. A ladder ignores weights."""
    apply = {
        "reports": arena.result_settings().reporters == "captains"
        and bool(fair_play.per_day or fair_play.per_week),
        "weights": not shows.lowest_first
        and (fair_play.repeat_factor < 1 or bool(fair_play.same_opponents)),
        "same_opponents": not shows.lowest_first and bool(fair_play.same_opponents),
    }
    return apply if any(apply.values()) else {}


def limits_in_points(
    rules: FairPlay, system: RatingSystem, season: Season | None, me: Player | None, now: datetime
) -> dict[str, float]:
    """Return what limits farming in rating points, at the reader's rating or a newcomer's."""
    row = season.ratings.filter(player=me).first() if season and me else None
    newcomers = system.newcomers(1)
    even = even_win(season, me, now) if season else float(even_wins(system, newcomers)[0])
    rating = row.rating if row else float(newcomers.rating[0])
    return {
        "even_points": even,
        "budget_points": even * rules.same_opponents,
        "restored_points": even * rules.restored,
        "unranked_points": unconfirmed_kept(system) * system.scale_at(rating),
        "second_win": rules.left_after(1),
        "third_win": rules.left_after(2),
    }


def longest_veto(arena: Arena) -> timedelta | None:
    """Return how long the captains' bans can take, ``None`` if maps are drawn."""
    bans = arena.map_choice == MapChoice.VETO and arena.sides_min == SIDES_OF_A_VETO
    return (len(arena.maps) - 1) * arena.veto_turn if bans else None


@dataclass(frozen=True)
class Decaying:
    """The points that decay takes, and the reader's place in it."""

    per_day: float
    """Rating points lost in a day, at most all of them."""
    per_match: float
    """Rating points that one match brings back."""
    begins: datetime | None
    """The start of the reader's decay, if it lies ahead."""
    after_a_day: float | None
    """The reader's rating a day after that."""

    @classmethod
    def of(
        cls, decay: Decay, row: LeaderboardRow | None, ahead: Outlook | None, now: datetime
    ) -> Decaying:
        begins = now + ahead.decays_in if ahead and ahead.decays_in else None
        return cls(
            per_day=decay.per_day,
            per_match=decay.per_game,
            begins=begins,
            after_a_day=row.rating - decay.per_day if row and begins else None,
        )


@dataclass(frozen=True)
class Step:
    """A division, and whether it is the reader's or the one above."""

    division: Division
    is_lowest: bool
    mine: bool
    next: bool


def steps(scale: Scale, row: LeaderboardRow | None) -> list[Step]:
    """Return the divisions, best first."""
    held = scale.divisions.index(row.division) if row and row.division else None
    return [
        Step(division, at == 0, at == held, held is not None and at == held + 1)
        for at, division in enumerate(scale.divisions)
    ][::-1]


def queue_context(
    its_queue: ArenaQueue, season: Season | None, me: Player | None, now: datetime
) -> dict[str, Any]:
    """Return the rules of a queue."""
    matching = its_queue.matching_in(season) if season else its_queue.matching()
    laurel = its_queue.matcher == ArenaQueue.Matcher.LAUREL
    return {
        "queue": its_queue,
        "matching": matching,
        "laurel": laurel,
        "least_chance": 0.5 - matching.laurel.fairness,
        "most_chance": 0.5 + matching.laurel.fairness,
        "widening": widening(matching, laurel=laurel),
        "estimate": statistics.estimated_wait(its_queue.arena, now),
        "needs_equal_modes": needs_equal_modes(its_queue),
        "rank": rank_for(its_queue, me) if me else None,
        "rank_explained": explain_source(its_queue),
        "professions": uses_professions(its_queue),
    }


def dishonor_context(
    its_queue: ArenaQueue | None,
    reasons: Sequence[PenaltyReason],
    me: Player | None,
    now: datetime,
) -> dict[str, Any]:
    """Return the rules of dishonor in an arena, with or without a queue, and the reader's stacks.

    ``reasons`` are those that the arena declares.
    """
    law, readings = discipline.in_force()
    return {
        "stack_life": law.stack_duration,
        "together": readings.decay == "parallel",
        "reasons": reasons,
        "penalties": first_offences(reasons, law, readings, queues=its_queue is not None),
        "stacks": discipline.status_of(me, now, law=(law, readings)).stacks if me else None,
    }


def widening(rules: Rules, *, laurel: bool) -> list[tuple[int, float]]:
    """Return waits in seconds at which a search has widened, and how far it is in points.

    For ``laurel``, everybody in a match has waited as long.
    """
    reach: list[tuple[int, float]] = []
    for waited in WAITS:
        far = (
            statistics.spread(rules, 2.0 * rules.team_size * waited)
            if laurel
            else statistics.window(rules, waited)
        )
        if far > (reach[-1][1] if reach else 0):
            reach.append((waited, far))
    return reach
