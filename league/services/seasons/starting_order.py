"""The order in which organisers start a ladder, such as that of a club’s board.

``Season.starting_order`` has all players who start on the ladder, the first at the top. Their ranks
are their starting ratings, so that ratings stay the replay of the season’s results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Player, Rating, Season, StaffAction, User
from league.models.names import fold
from league.models.reach import may
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.eligibility.reasons import season_to_play_in
from league.services.people import naming
from league.services.results.rules.own_matches import ENTER
from league.services.standings.rebuilding import rebuild

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from league.models import Arena
    from league.services.people.entry_lists import Entry


@dataclass(frozen=True)
class PlannedRank:
    """A line of a list, and the rank that its player would have."""

    line: int
    name: str
    player: int | None = None
    """Negative for one who will be created."""
    rank: int = 0
    was: int | None = None
    """The rank of a player who is on the ladder already."""
    new: bool = False
    choices: tuple[tuple[str, list[tuple[int, str]]], ...] = ()
    """The name of a new player, with the players whose name is like it."""
    former: str = ""
    """The present name of the player, if another is written."""
    problem: str = ""


@dataclass(frozen=True)
class OrderPlan:
    """The order that a list would give a ladder."""

    lines: list[PlannedRank]
    names: naming.Names
    others: list[PlannedRank] = field(default_factory=list)
    """Players of the ladder whom the list does not name. They come below, in their order."""

    @property
    def order(self) -> list[int]:
        """The ids of all players, negative for those who will be created."""
        return [line.player for line in [*self.lines, *self.others] if line.player is not None]

    @property
    def problem(self) -> PlannedRank | None:
        return next((line for line in self.lines if line.problem), None)


def ladder_to_order(arena: Arena, now: datetime) -> Season:
    """Return the running season of an arena, which is a ladder without results.

    Raises:
        Refused: no season is running, or it is no ladder.
        Conflict: it has results.
    """
    season = season_to_play_in(arena, now)
    season.arena = arena
    if not season.system().ranks_population:
        raise Refused(
            "no_ladder", _("%(arena)s is not a ladder, so it has no order.") % {"arena": arena}
        )
    if season.events.exists():
        raise Conflict(
            "has_results",
            _(
                "This ladder has results, and its ranks follow from them. New players join at the "
                "bottom with their first result or challenge."
            ),
        )
    return season


def may_order(season: Season, user: User | AnonymousUser) -> bool:
    """Return whether an account may set the order of a running season now."""
    return (
        season.lowest_first
        and season.arena.is_open
        and user.has_perm(ENTER, season.arena)
        and not season.events.exists()
    )


def plan_order(season: Season, entries: Sequence[Entry], chosen: Mapping[str, int]) -> OrderPlan:
    """Return the order that a list would give a ladder. Nothing is written.

    Args:
        chosen: players, by the folded name that is written, whom staff say that it means.
    """
    existing = Player.objects.filter(pk__in=chosen.values()).in_bulk()
    known = {name: player for name, player in chosen.items() if player in existing}
    names = naming.find([entry.name for entry in entries], known)
    held = season.ratings.order_by("rating").values_list("player", "player__name")
    ranks = {player: rank for rank, (player, _name) in enumerate(held, start=1)}
    lines: list[PlannedRank] = []
    taken: dict[int, str] = {}
    for entry in entries:
        line = plan_line(entry, names, ranks, rank=len(taken) + 1)
        if line.player is not None:
            first = taken.setdefault(line.player, entry.name)
            if first != entry.name:
                text = _("“%(name)s” and “%(first)s” are the same player.")
                problem = text % {"name": entry.name, "first": first}
                line = PlannedRank(entry.line, entry.name, problem=problem)
        lines.append(line)
    rest = [(player, name) for player, name in held if player not in taken]
    others = [
        PlannedRank(0, name, player, rank, ranks[player])
        for rank, (player, name) in enumerate(rest, start=len(taken) + 1)
    ]
    return OrderPlan(lines, names, others)


def plan_line(
    entry: Entry, names: naming.Names, ranks: Mapping[int, int], *, rank: int
) -> PlannedRank:
    folded = fold(entry.name)
    if entry.members:
        problem = _("A ladder ranks players. Write one name on each line.")
        return PlannedRank(entry.line, entry.name, problem=problem)
    if folded in names.problems:
        return PlannedRank(entry.line, entry.name, problem=names.problems[folded])
    player = names.ids[folded]
    alike = names.proposals.get(folded)
    return PlannedRank(
        entry.line,
        entry.name,
        player,
        rank,
        ranks.get(player),
        new=player < 0,
        choices=((names.new[folded], alike),) if alike and player < 0 else (),
        former=names.former.get(folded, ""),
    )


def set_order(
    arena: Arena, entries: Sequence[Entry], chosen: Mapping[str, int], *, by: User, now: datetime
) -> Season:
    """Let a ladder without results start in the order of a list.

    Unknown names become players without an account. Players of the ladder who are not on the list
    come below it.

    Raises:
        Forbidden: ``by`` may not enter results, or is on the ladder and others may.
        Conflict: the ladder has results.
        Refused: a line names nobody, there are none, or no ladder is running.
    """
    if not by.has_perm(ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can set the order of a ladder."))
    with transaction.atomic():
        found = ladder_to_order(arena, now)
        # FOR UPDATE waits for results that are being settled: they hold it FOR KEY SHARE.
        Season.objects.select_for_update(of=["self"]).get(pk=found.pk)
        season = ladder_to_order(arena, now)
        plan = plan_order(season, entries, chosen)
        if line := plan.problem:
            text = _("Line %(line)d: %(problem)s")
            values = {"line": line.line, "problem": line.problem}
            raise Refused("line", text % values, field="names")
        made = naming.make(plan.names)
        before = len(plan.order) - len(made)
        season.starting_order = [made.get(player, player) for player in plan.order]
        refuse_own_order(season, by)
        season.save(update_fields=["starting_order"])
        place(season)
        rebuild(season, now)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.SEASON,
            details={"season": season.pk, "object": str(season), **of_arena(arena)},
            before={_("Players"): before},
            after={_("Players"): len(season.starting_order)},
            at=now,
        )
    return season


def refuse_own_order(season: Season, by: User) -> None:
    """Refuse an order with the organiser in it, unless all who could set it are in it."""
    players = Player.objects.filter(pk__in=season.starting_order, user__isnull=False)
    playing = set(players.values_list("user", flat=True))
    others = User.objects.filter(may(ENTER, season.arena_id)).exclude(pk__in=playing)
    if by.pk in playing and others.exists():
        raise Forbidden("own", _("You play on this ladder. Ask another organiser to order it."))


def place(season: Season) -> None:
    """Write the starting ratings of a ladder that has an order. The caller holds the season.

    Players carried over from the season before who are not in the order come below it.
    """
    if not season.starting_order or not season.system().ranks_population:
        return
    held = {row.player_id: row for row in season.ratings.order_by("rating")}
    order = dict.fromkeys([*season.starting_order, *held])
    rows = [held.get(player) or Rating(season=season, player_id=player) for player in order]
    for rank, row in enumerate(rows, start=1):
        row.rating = float(rank)
        row.opening = [row.rating, *(row.opening or [None] * 3)[1:]]
    Rating.objects.bulk_create(row for row in rows if row.pk is None)
    here = Rating.objects.filter(season=season)
    here.bulk_update([row for row in rows if row.player_id in held], ["rating", "opening"])


def replace_in_order(kept: int, gone: int) -> None:
    """Let one player take the place of another in all orders, or keep the own place there."""
    for season in Season.objects.filter(starting_order__contains=[gone]):
        order = season.starting_order
        rest = [player for player in order if player != gone]
        swapped = [kept if player == gone else player for player in order]
        season.starting_order = rest if kept in rest else swapped
        season.save(update_fields=["starting_order"])
