"""Starting ratings that organisers give before the first result, in a list that they have.

In a ladder the list is the order of its players, as on a club’s board: their ranks are their
starting ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Player, Season, StaffAction, User
from league.models.reach import may
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.eligibility.reasons import season_to_play_in
from league.services.people import naming
from league.services.results.rules.own_matches import ENTER
from league.services.seasons import anchors
from league.services.seasons.given_ratings import given_to, place
from league.services.seasons.starting_plans import plan_starts
from league.services.seasons.starting_ratings import fill
from league.services.standings.rebuilding import rebuild
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from django.contrib.auth.models import AnonymousUser

    from league.models import Arena
    from league.services.people.entry_lists import Entry
    from league.services.seasons.starting_plans import StartPlan

    Starts = Mapping[int, tuple[float, float | None]]

MOST_NAMED = 100
"""The most players that an entry in the staff log names."""


def season_to_start(arena: Arena, now: datetime) -> Season:
    """Return the running season of an arena, which has no results.

    Raises:
        Refused: no season is running.
        Conflict: it has results.
    """
    season = season_to_play_in(arena, now)
    season.arena = arena
    if season.events.exists():
        raise Conflict(
            "has_results",
            _(
                "This ladder has results, and its ranks follow from them. New players join at the "
                "bottom with their first result or challenge."
            )
            if season.lowest_first
            else _(
                "This season has results, and its ratings follow from them. Give starting ratings "
                "before the first result of the next season."
            ),
        )
    return season


def may_give(season: Season, user: User | AnonymousUser) -> bool:
    """Return whether an account may give a running season starting ratings now."""
    return (
        season.arena.is_open and user.has_perm(ENTER, season.arena) and not season.events.exists()
    )


def give(
    arena: Arena, entries: Sequence[Entry], chosen: Mapping[str, int], *, by: User, now: datetime
) -> Season:
    """Let a season without results start with the ratings of a list, which replaces an earlier one.

    Unknown names become players without an account. Players of a ladder who are not on the list
    come below it. In other systems they start as they would without a list.

    Raises:
        Forbidden: ``by`` may not enter results, or is on the list and others may.
        Conflict: the season has results.
        Refused: a line names nobody or has a wrong rating, or no season is running.
    """
    if not by.has_perm(ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can give starting ratings."))
    with transaction.atomic():
        found = season_to_start(arena, now)
        # FOR UPDATE waits for results that are being settled: they hold it FOR KEY SHARE.
        Season.objects.select_for_update(of=["self"]).get(pk=found.pk)
        season = season_to_start(arena, now)
        plan = plan_starts(season, entries, chosen)
        if line := plan.problem:
            text = _("Line %(line)d: %(problem)s")
            values = {"line": line.line, "problem": line.problem}
            raise Refused("line", text % values, field="names")
        before = given_to(season)
        write_starts(season, plan)
        after = given_to(season)
        refuse_own(season, by, {*before, *after})
        rebuild(season, now)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.SEASON,
            details={"season": season.pk, "object": str(season), **of_arena(arena)},
            before=in_english(before, but=after),
            after=in_english(after, but=before),
            at=now,
        )
    return season


def write_starts(season: Season, plan: StartPlan) -> int:
    """Let a season without results start by a plan. Return the number of players created."""
    made = naming.make(plan.names)
    season.starting_ratings = {
        **season.starting_ratings,
        season.rating_system: {
            str(made.get(player, player)): start for player, start in plan.starts.items()
        },
    }
    season.save(update_fields=["starting_ratings"])
    start_again(season)
    return len(made)


def in_english(given: Starts, *, but: Starts) -> dict[str, Any]:
    """Return starting ratings by name that differ from others, for the ledger of staff actions."""
    differ = [pk for pk in {**given, **but} if given.get(pk) != but.get(pk)]
    names = Player.ever.in_bulk(differ[:MOST_NAMED])
    return {
        "Players with a starting rating": len(given),
        **{f"{player.name} (#{pk})": start_in_words(given.get(pk)) for pk, player in names.items()},
    }


def start_in_words(start: tuple[float, float | None] | None) -> str:
    if start is None:
        return "–"
    rating, deviation = start
    return plain(rating) if deviation is None else f"{plain(rating)} ± {plain(deviation)}"


def refuse_own(season: Season, by: User, listed: Iterable[int]) -> None:
    """Refuse a list with the organiser on it, unless all who could save it are on it."""
    players = Player.objects.filter(pk__in=listed, user__isnull=False)
    playing = set(players.values_list("user", flat=True))
    others = User.objects.filter(may(ENTER, season.arena_id)).exclude(pk__in=playing)
    if by.pk in playing and others.exists():
        raise Forbidden("own", _("You are on the list. Ask another organiser to save it."))


def start_again(season: Season) -> None:
    """Write a season's starting ratings anew. All others follow from its results."""
    season.ratings.all().delete()
    season.checkpoints.all().delete()
    fill(season)
    anchors.place(season)
    place(season)
