"""Results that count for fixtures, by whatever path they come.

A result counts for a fixture if exactly one open date of its season is between its two sides. Dates
are locked after the season and the turns of the players.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from league.models import Arrangement, Competition, Fixture, Match, Player, RosterMember, Side
from league.services.competitions.impartiality import refuse_own_competition
from league.services.core.errors import Conflict, Forbidden
from league.services.core.id_lists import any_of
from league.services.core.turns import take_turns, turns_of
from league.services.dates import captains, playing, scheduled
from league.services.dates.limits import reports_from, takes_report
from league.services.results.reports import reporting

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Roster, Season, User
    from league.services.core.types import ReportedSide


@dataclass(frozen=True)
class Party:
    """A side of a result: who played, and its captain and roster if they are known."""

    players: frozenset[int]
    captain: int | None = None
    roster: int | None = None

    def is_side(self, captain: Player, roster: Roster | None, members: Collection[int]) -> bool:
        """Return whether this is a side of a date, which has these ``members``.

        A captain can play with stand-ins, but not with another of their rosters.
        """
        if self.captain not in {None, captain.pk}:
            return False
        if roster is None:
            return self.players == {captain.pk}
        if self.roster is not None:
            return self.roster == roster.pk
        own = self.players & set(members)
        if self.captain is None:
            return own == self.players
        return 2 * len(own) > len(self.players)


def parties_of(sides: Iterable[ReportedSide], *, led: bool) -> list[Party]:
    """Return the sides of a report. ``led`` ones have to have the captains of the date."""
    return [
        Party(
            frozenset(part.player.pk for part in side.participants),
            side.captain.pk if led else None,
            side.roster.pk if side.roster else None,
        )
        for side in sides
    ]


class OpenDates:
    """The dates of a season's running competitions that wait for a result."""

    def __init__(
        self,
        season: Season,
        *,
        players: Collection[int] | None = None,
        by: User | None = None,
    ) -> None:
        """Read the dates of some ``players``, or all.

        Without ``by``, nobody on the staff decides: a date with a claimed no-show is left to those
        who answer it. An organiser who plays in a competition decides nothing in it as long as
        others can.
        """
        self.allowed: dict[int, bool] = {}
        rows = Arrangement.objects.accepted().filter(
            match=None,
            game__fixture__competition__season=season,
            game__fixture__competition__state=Competition.State.RUNNING,
            game__fixture__result=Fixture.Result.OPEN,
        )
        if by is None:
            rows = rows.filter(claimed_by=None)
        if players is not None:
            rosters = RosterMember.objects.filter(player__in=players).values("roster")
            rows = rows.filter(Q(proposer__in=players) | Q(proposer_roster__in=rosters))
        found = rows.select_related(
            "arena",
            "proposer",
            "opponent",
            "proposer_roster",
            "opponent_roster",
            "game__fixture__round",
            "game__fixture__competition__season__arena",
        ).order_by("pk")
        dates = [one for one in found if by is None or self.may_decide(one, by)]
        self.members = members_of(dates)
        self.of_player: dict[int, list[Arrangement]] = defaultdict(list)
        for one in dates:
            for player in self.members[one.pk][0]:
                self.of_player[player].append(one)

    def may_decide(self, one: Arrangement, by: User) -> bool:
        """Return whether a result that ``by`` enters may count for the fixture of a date."""
        competition = one.game.fixture.competition
        if competition.pk not in self.allowed:
            try:
                refuse_own_competition(competition, by, "")
            except Forbidden:
                self.allowed[competition.pk] = False
            else:
                self.allowed[competition.pk] = True
        return self.allowed[competition.pk]

    def only(
        self,
        sides: Sequence[Party],
        *,
        in_round: int | None = None,
        in_order: bool = False,
        played_at: datetime | None = None,
    ) -> Arrangement | None:
        """Return the only date between two sides, ``None`` without one or with several.

        ``in_order`` says that the first side is at home. A result that was ``played_at`` before a
        round opened does not count for it.
        """
        if len(sides) != 2:
            return None
        orders = [tuple(sides)] if in_order else [tuple(sides), tuple(reversed(sides))]
        found = {
            one.pk: one
            for home, away in orders
            for player in home.players
            for one in self.of_player.get(player, ())
            if self.is_between(one, home, away)
            and (in_round is None or one.game.fixture.round.number == in_round)
            and (played_at is None or played_at >= one.game.fixture.round.takes_results_from)
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def is_between(self, one: Arrangement, home: Party, away: Party) -> bool:
        return is_between(one, self.members[one.pk], home, away)

    def home_of(self, one: Arrangement, sides: Sequence[Party]) -> int:
        """Return which of two sides of a date is at home."""
        return 0 if self.is_between(one, sides[0], sides[1]) else 1


def is_between(
    one: Arrangement, members: tuple[set[int], set[int]], home: Party, away: Party
) -> bool:
    """Return whether a date with these ``members`` is between two sides, in this order."""
    return home.is_side(one.proposer, one.proposer_roster, members[0]) and away.is_side(
        one.opponent, one.opponent_roster, members[1]
    )


def members_of(dates: Sequence[Arrangement]) -> dict[int, tuple[set[int], set[int]]]:
    """Return the players of both sides of dates, by id, the home side's first."""
    both = {pk for one in dates for pk in (one.proposer_roster_id, one.opponent_roster_id) if pk}
    of_roster: dict[int | None, set[int]] = defaultdict(set)
    if both:
        rows = RosterMember.objects.filter(roster__in=any_of(both))
        for roster, player in rows.values_list("roster", "player"):
            of_roster[roster].add(player)
    return {
        one.pk: (
            {one.proposer_id, *of_roster.get(one.proposer_roster_id, ())},
            {one.opponent_id, *of_roster.get(one.opponent_roster_id, ())},
        )
        for one in dates
    }


def open_date(
    arena: Arena, sides: Sequence[Party], now: datetime, *, by: User | None = None
) -> Arrangement | None:
    """Return the date in the running season for which a result of two sides can count."""
    season = arena.current_season(now) if len(sides) == 2 else None
    if season is None:
        return None
    players = {player for one in sides for player in one.players}
    return OpenDates(season, players=players, by=by).only(sides)


def report(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    date: Arrangement | None = None,
    client_token: UUID | None = None,
    sent_from: UUID | None = None,
    mode: str = "",
    same_game: bool | None = None,
) -> Match:
    """Report a result as a captain, for the fixture of ``date`` if it is still open.

    Raises as ``reporting.report`` and ``playing.report``.
    """
    details: dict[str, Any] = {
        "reporter": reporter,
        "played_at": played_at,
        "now": now,
        "client_token": client_token,
        "sent_from": sent_from,
        "mode": mode,
    }
    sent = client_token is not None and Match.objects.filter(client_token=client_token).exists()
    if date is not None and not sent:
        try:
            return playing.report(date.pk, sides, **details)
        except Conflict:
            if Arrangement.objects.accepted().filter(pk=date.pk).exists():
                raise
    return reporting.report(arena, sides, same_game=same_game, **details)


def report_by_program(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    played_at: datetime,
    now: datetime,
    for_fixture: bool,
    **details: Any,
) -> Match:
    """Report a result as a captain's program, for an open fixture if its date is due.

    A report of the same game that counts for no fixture is answered, and still counts for none.
    """
    date = open_date(arena, parties_of(sides, led=True), now) if for_fixture else None
    due = date and takes_report(date, now) and played_at >= reports_from(date)
    details |= {"played_at": played_at, "now": now}
    try:
        return report(arena, sides, date=date if due else None, **details)
    except Conflict as refusal:
        if refusal.code != "already_reported" or not due:
            raise
        return report(arena, sides, **details)


def found_in_rows(
    season: Season, rows: Mapping[int, Sequence[Party]], *, by: User, played_at: datetime
) -> dict[int, Arrangement]:
    """Return the dates of the rows that ``by`` enters together, by their number.

    Of several rows for one date, the first is the next game of a series. Otherwise none is, because
    nobody knows which one is the fixture.
    """
    players = {player for parties in rows.values() for one in parties for player in one.players}
    dates = OpenDates(season, players=players, by=by)
    found = {
        number: date
        for number, parties in rows.items()
        if (date := dates.only(parties, played_at=played_at)) is not None
    }
    numbers: dict[int, list[int]] = defaultdict(list)
    for number, date in found.items():
        numbers[date.pk].append(number)
    return {
        same[0]: found[same[0]]
        for same in numbers.values()
        if len(same) == 1 or found[same[0]].game.fixture.best_of > 1
    }


def linking(date: Arrangement | None) -> Callable[[Match], object]:
    """Return what links a match to a date before it is rated, in its transaction."""

    def link(match: Match) -> None:
        if date is not None:
            players = match.participants.values_list("player", flat=True)
            take_turns(turns_of(sorted(players)))
            link_all({date.pk: match})

    return link


def link_all(matches: Mapping[int, Match]) -> int:
    """Link matches to their dates, given by id, in the caller's transaction.

    Return how many were. A date that got a result meanwhile keeps that one. A first side that is
    known already stays: the sides may have been at home the other way round.
    """
    waiting = Arrangement.objects.accepted().filter(match=None, pk__in=any_of(matches))
    linked = list(waiting.select_for_update(of=["self"]).order_by("pk"))
    members = members_of(linked)
    for one in linked:
        match = matches[one.pk]
        lead(one, match, members[one.pk])
        if match.first_side is None:
            playing.note_home(one, match)
        playing.link(one, match)
    return len(linked)


def lead(one: Arrangement, match: Match, members: tuple[set[int], set[int]]) -> None:
    """Let the captains of a date lead the sides of its match, as its fixture names them."""
    sides = list(match.sides.order_by("index"))
    parties = parties_in(match, sides)
    captains = one.captains if is_between(one, members, *parties) else reversed(one.captains)
    for side, (captain, roster) in zip(sides, captains, strict=True):
        if side.captain_id != captain.pk or (roster and side.roster_id is None):
            side.captain, side.roster = captain, side.roster or roster
            side.save(update_fields=["captain", "roster"])


def parties_in(match: Match, sides: Sequence[Side]) -> list[Party]:
    """Return the sides of a match, whoever leads them."""
    players: dict[int, set[int]] = defaultdict(set)
    for side_id, player in match.participants.values_list("side", "player"):
        players[side_id].add(player)
    return [Party(frozenset(players[side.pk]), roster=side.roster_id) for side in sides]


def unlink(matches: Iterable[int], now: datetime) -> int:
    """Take matches from the fixtures of running competitions, which then wait for a result again.

    Their dates are for the present captains of their rosters. A series keeps one date: that of a
    later game, if it has one. Return how many have changed.
    """
    rows = Arrangement.objects.filter(
        match__in=any_of(matches),
        state=Arrangement.State.PLAYED,
        game__fixture__competition__state=Competition.State.RUNNING,
    )
    dates = list(rows.order_by("pk").values_list("pk", flat=True))
    changed = Arrangement.objects.filter(pk__in=dates).update(
        match=None, state=Arrangement.State.ACCEPTED
    )
    for surplus in surplus_dates(dates):
        scheduled.cancel(surplus, now)
    captains.catch_up(dates, now)
    return changed


def surplus_dates(reopened: Collection[int]) -> list[int]:
    """Return which dates that are open again wait beside another of their fixture."""
    rows = Arrangement.objects.accepted().filter(match=None)
    rows = rows.filter(game__fixture__games__arrangement__in=reopened).distinct()
    waiting = defaultdict(list)
    for pk, fixture in rows.order_by("pk").values_list("pk", "game__fixture"):
        waiting[fixture].append(pk)
    return [pk for open_ in waiting.values() for pk in open_[:-1] if pk in reopened]
