"""Matches as pages show them: sides, result, rating changes and their reasons."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from league.models.lists import list_of
from league.services.core.isolation import gettext as _
from league.services.core.numbers import fine_percents, percents
from league.services.results.forecasts.words import limit_in_words
from ratings.contests.first_side import all_terms
from ratings.explain import limit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from league.models import Match, Participant, Player, RatingEvent, Side, Team
    from league.services.points.points_leaderboard import ExplainedPoints
    from ratings.system import Shows
    from ratings.types import Term, TermUnit

FEW = 2
"""A side without a roster is named after its players if it has at most this many."""

HEADLINES = [
    ("expected", "actual"),
    ("seed", "finish"),
    ("opposition", "performance"),
    ("average", "opposition"),
]
"""The main terms of a change: the first of these pairs that a system has."""


@dataclass(frozen=True)
class Reason:
    """One term of an explanation."""

    name: str
    label: str
    help: str
    value: float


@dataclass(frozen=True)
class Seat:
    """A participant and what the match did to their rating, if it is rated."""

    part: Participant
    event: RatingEvent | None
    reasons: list[Reason] = field(default_factory=list)
    limit: str = ""
    """The obstacle to the change, in words."""
    is_anchor: bool = False
    """Whether their rating is held fixed."""
    given: ExplainedPoints | None = None
    """The ladder points for it, if the season counts them."""
    rating: float | None = None
    """Before the match, while it is played."""
    provisional: bool = False

    @property
    def headline(self) -> list[Reason]:
        """Return the two main reasons, or none if the system has no such pair."""
        by_name = {reason.name: reason for reason in self.reasons}
        for pair in HEADLINES:
            if all(name in by_name for name in pair):
                return [by_name[name] for name in pair]
        return []


@dataclass(frozen=True)
class SideSheet:
    side: Side
    seats: list[Seat]
    is_mine: bool = False
    """Whether the reader plays for it."""
    live_score: float | None = None
    """The last one, while it is played."""

    @property
    def score(self) -> float | None:
        return self.live_score if self.side.score is None else self.side.score

    @property
    def name(self) -> str:
        """Return the roster's name, the players' names if they are few, or the captain's and the
        number of the others, which fits a line of a phone."""
        if self.side.roster:
            return self.side.roster.name
        if len(self.seats) <= FEW:
            return self.names
        parts = [seat.part for seat in self.seats]
        leads = (part for part in parts if part.player_id == self.side.captain_id)
        captain = next(leads, parts[0]).player.name
        return _("%(names)s and %(more)d more") % {"names": captain, "more": len(parts) - 1}

    @property
    def names(self) -> str:
        return list_of(seat.part.player.name for seat in self.seats)

    @property
    def typed(self) -> str:
        """Return the players as a form of sides takes them, in any language."""
        return ",".join(seat.part.player.name for seat in self.seats)

    @property
    def players(self) -> str:
        """Return the players' names, empty if they are the name of the side."""
        return "" if self.name == self.names else self.names

    @property
    def team(self) -> Team | None:
        """Return the team that the side's roster plays for."""
        return self.side.roster.team if self.side.roster else None

    @property
    def lone_player(self) -> Player | None:
        """Return the player of a side of one."""
        return self.seats[0].part.player if len(self.seats) == 1 else None

    @property
    def place(self) -> int | None:
        """Return the place, from 1."""
        return None if self.side.place is None else self.side.place + 1


@dataclass(frozen=True)
class Sheet:
    """A match with its best sides, or both if there are two."""

    match: Match
    sides: list[SideSheet]
    side_count: int
    winner_count: int
    viewer: Player | None = None
    own_side: Side | None = None
    """The side of ``viewer``."""
    own_event: RatingEvent | None = None
    """The rating event of ``viewer``."""
    chances: Sequence[float] | None = None
    """Each side's chance to win by the ratings of now, while it is played."""

    @property
    def version(self) -> tuple[object, ...]:
        """Return everything that its line in a list says, but names of arenas and teams."""
        match, event = self.match, self.own_event
        sides = [
            (each.side.pk, each.side.place, each.score, each.name, each.names, each.is_mine)
            for each in self.sides
        ]
        return (
            (match.pk, match.status, match.played_at, match.mode, match.arena_id),
            str(match.information),
            str(getattr(match, "round", None)),
            (self.side_count, self.winner_count),
            self.viewer.pk if self.viewer else None,
            (event.pk, event.rating_before, event.rating_after) if event else None,
            (self.own_side.place,) if self.own_side else None,
            *sides,
            *(each.lone_player.picture for each in self.sides if each.lone_player),
        )

    @property
    def shows(self) -> Shows:
        """Return how the season's ratings are shown."""
        return self.match.season.shows_in(self.match.arena)

    @cached_property
    def ranked(self) -> list[SideSheet]:
        """Return the sides, best first. Two sides stay in the order of the headline."""
        if self.is_two_sided:
            return self.sides
        return sorted(self.sides, key=lambda side: side.side.place or 0)

    @property
    def is_two_sided(self) -> bool:
        return self.side_count == 2

    @property
    def names_players(self) -> bool:
        """Return whether a side has a name of its own."""
        return any(side.players for side in self.sides)

    @property
    def has_scores(self) -> bool:
        return all(side.score is not None for side in self.sides)

    @property
    def has_result(self) -> bool:
        return all(side.side.place is not None for side in self.sides)

    @property
    def is_draw(self) -> bool:
        """Return whether all sides share the first place."""
        return self.winner_count == self.side_count

    @property
    def odds(self) -> list[tuple[SideSheet, str]]:
        """Return the sides with their chances to win, empty without a forecast.

        They are those of the match, or before it is settled those by the ratings of now. Ladder
        points depend on them, so beside points they do not seem to reach a step.
        """
        known = self.match.forecast or self.chances
        if not known:
            return []
        scored = any(seat.given for side in self.sides for seat in side.seats)
        shares = (fine_percents if scored else percents)(known)
        return [(side, shares[side.side.index]) for side in self.sides]

    @property
    def hidden(self) -> int:
        """Return the number of sides that are not in ``sides``."""
        return max(0, self.side_count - len(self.sides))

    @property
    def own_place(self) -> int | None:
        """Return the place of ``viewer``, from 1."""
        if self.own_side is None or self.own_side.place is None:
            return None
        return self.own_side.place + 1

    @property
    def outcome(self) -> str:
        """Return ``win``, ``draw`` or ``loss`` of ``viewer``, or an empty string."""
        if self.own_place is None:
            return ""
        if self.own_place > 1:
            return "loss"
        return "win" if self.winner_count == 1 else "draw"


def sheets(
    matches: Iterable[Match], viewer: Player | None = None, *, me: Player | None = None
) -> list[Sheet]:
    return [sheet(match, viewer, me=me) for match in matches]


def sheet(match: Match, viewer: Player | None = None, *, me: Player | None = None) -> Sheet:
    """Return the line of a match loaded by ``lines.in_lines`` for ``viewer``.

    Of two sides, that of ``viewer`` comes first, else that of the reader, ``me``.
    """
    listed: Any = match  # with attributes added by lines.in_lines
    sides = listed.best_sides
    if listed.side_count == 2:
        sides = own_first(sorted(sides, key=lambda side: side.index), viewer or me)
    return Sheet(
        match,
        [side_sheet(side, me=me, live_score=live_score_of(listed, side.index)) for side in sides],
        listed.side_count,
        listed.winner_count,
        viewer,
        next(iter(listed.own_sides), None) if viewer else None,
        next(iter(listed.own_events), None) if viewer else None,
    )


def live_score_of(match: Any, index: int) -> float | None:
    """Return the last live score of a side of a match whose ``live_score`` is loaded."""
    both = match.live_score
    return (both["first"], both["second"])[index] if both else None


def own_first(sides: Iterable[Side], player: Player | None) -> list[Side]:
    """Return loaded sides in their order, but with a player's own first."""
    return sorted(sides, key=lambda side: not plays_for(side, player))


def plays_for(side: Side, player: Player | None) -> bool:
    """Return whether a player takes part on a loaded side."""
    return player is not None and any(part.player_id == player.pk for part in parts_of(side))


def parts_of(side: Side) -> Iterable[Participant]:
    """Return the participants of a loaded side."""
    return side.participants.all()


def side_sheet(
    side: Side,
    events: Mapping[int, RatingEvent] | None = None,
    explain: Callable[[Seat, RatingEvent], Seat] | None = None,
    points: Mapping[int, ExplainedPoints] | None = None,
    *,
    me: Player | None = None,
    live_score: float | None = None,
) -> SideSheet:
    """Return the sheet of a loaded side.

    ``events`` and ``points``, both by player id, add rating changes, which ``explain`` explains,
    and ladder points.
    """
    seats = []
    for part in parts_of(side):
        event = (events or {}).get(part.player_id)
        seat = Seat(part, event, given=(points or {}).get(part.player_id))
        seats.append(explain(seat, event) if explain and event and not event.ignored else seat)
    return SideSheet(side, seats, plays_for(side, me), live_score)


def explainer(match: Match) -> Callable[[Seat, RatingEvent], Seat]:
    """Return a function that adds the reasons of a rating change in a match to a seat.

    They are on the scale that the arena shows, except for the strengths of teams that are the sums
    of their members: a sum has no place on the scale of one player.
    """
    system, shows = match.season.system(), match.season.shows_in(match.arena)
    summed = system.sums_sides and match.arena.team_size_max > 1
    anchors = set(match.season.anchors)

    def show_term(term: Term, event: RatingEvent) -> float:
        unit: TermUnit = "" if summed and term.unit == "strength" else term.unit
        return shows.term(unit, event.why[term.name], event.rating_before)

    def explain_seat(seat: Seat, event: RatingEvent) -> Seat:
        reasons = [
            Reason(term.name, term.label, term.help, show_term(term, event))
            for term in all_terms(type(system))
            if term.name in event.why
        ]
        return replace(
            seat,
            reasons=reasons,
            limit=limit_in_words(limit_of(event.why, event.rating_before), shows),
            is_anchor=event.player_id in anchors and not event.change,
        )

    return explain_seat
