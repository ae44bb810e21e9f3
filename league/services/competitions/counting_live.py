"""Live matches that count for fixtures once a captain or a game server reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import ArrangementStep, Challenge, Status
from league.services.competitions.counting import OpenDates, linking, parties_in
from league.services.core.turns import take_turns, turns_of
from league.services.dates import playing
from league.services.dates.limits import reports_from, takes_report
from league.services.dates.steps import lock, note

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from league.models import Arrangement, Match, Player, Side
    from league.services.competitions.counting import Party


def open_date_of(match: Match, now: datetime) -> Arrangement | None:
    """Return the date for whose fixture a live match counts if a captain reports it now.

    It is the only open date of its two sides. It is due, its captains lead them, and the match
    did not begin before a report for the date could. A match of a challenge is none of a fixture,
    and so is one with the other side at home.
    """
    if Challenge.objects.filter(match=match).exists():
        return None
    sides = list(match.sides.order_by("index"))
    parties = parties_in(match, sides)
    dates = OpenDates(match.season, players=players_of(parties))
    date = dates.only(parties, played_at=match.played_at)
    if date is None or not takes_report(date, now) or match.played_at < reports_from(date):
        return None
    home = home_led(date, sides)
    if home is None or match.first_side not in {None, home}:
        return None
    in_order = dates.is_between(date, parties[home], parties[1 - home])
    return date if in_order else None


def date_passed_over(match: Match, now: datetime) -> Arrangement | None:
    """Return the open date of its two sides that a live match was not reported for, if any.

    Whoever loses could otherwise report first, and let it count for nothing unnoticed.
    """
    if not match.began_live or match.status != Status.REPORTED:
        return None
    return open_date_of(match, now)


def home_led(date: Arrangement, sides: Sequence[Side]) -> int | None:
    """Return which of two sides is at home, ``None`` if others than the captains lead them."""
    captains = [side.captain_id for side in sides]
    orders = [date.proposer_id, date.opponent_id], [date.opponent_id, date.proposer_id]
    return orders.index(captains) if captains in orders else None


def linking_by_captain(reporter: Player, now: datetime) -> Callable[[Match], object]:
    """Return what links a live match to its open date, while ``reporter`` reports it.

    A date that was reported, moved or claimed meanwhile stays as it is.
    """

    def link(match: Match) -> None:
        take_turns(turns_of(sorted(match.participants.values_list("player", flat=True))))
        date = open_date_of(match, now)
        if date is not None:
            date = lock(date.pk)
            if open_date_of(match, now) == date:
                name_rosters(date, match)
                playing.note_home(date, match)
                playing.link(date, match)
                note(date, ArrangementStep.Kind.REPORTED, now, by=reporter)

    return link


def name_rosters(date: Arrangement, match: Match) -> None:
    """Let the sides of a match, which the captains of its date lead, play for their rosters."""
    for captain, roster in date.captains:
        match.sides.filter(captain=captain, roster=None).update(roster=roster)


def linking_by_server(now: datetime) -> Callable[[Match], object]:
    """Return what links the match of a game server to the open date of its sides that is due.

    Both sides agreed to play then, so nobody has to confirm that this was the game.
    """

    def link(match: Match) -> None:
        if match.sides.count() != 2:
            return
        sides = parties_in(match, list(match.sides.order_by("index")))
        date = OpenDates(match.season, players=players_of(sides)).only(sides)
        if date is not None and takes_report(date, now):
            linking(date)(match)

    return link


def players_of(sides: Sequence[Party]) -> set[int]:
    """Return the players of some sides."""
    return {player for each in sides for player in each.players}
