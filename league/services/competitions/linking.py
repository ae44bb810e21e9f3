"""Rated matches that organisers count for a fixture, because nothing did so when they were rated.

The same rules hold as for results that count by themselves, and the match stays as it was rated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arrangement, Challenge, Fixture, Match, NoticeKind, Status
from league.services.competitions.counting import OpenDates, parties_in
from league.services.competitions.decisions import fixture_to_change
from league.services.competitions.locking import PERMISSION, checked_reason
from league.services.competitions.records import record
from league.services.core.errors import Conflict, Refused
from league.services.dates import playing
from league.services.dates.people import everybody
from league.services.notices.writing import notify
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Side, User

MOST_OFFERED = 50
"""The matches that a page offers, latest first."""


def candidates(fixture: Fixture, by: User) -> list[tuple[Match, list[Side]]]:
    """Return rated matches that ``by`` could count for a fixture, latest first, with their sides.

    Only reasons that depend on ``by`` having played in a match are left to :func:`link`.
    """
    date, dates = waiting_date(fixture, by)
    if date is None:
        return []
    home, away = dates.members[date.pk]
    rows = Match.objects.games().rated().filter(season=fixture.competition.season_id)
    rows = rows.filter(
        arrangement=None, challenge=None, played_at__gte=fixture.round.takes_results_from
    )
    between = rows.filter(participants__player__in=home).filter(participants__player__in=away)
    latest = between.distinct().order_by("-played_at", "-pk")[:MOST_OFFERED]
    found = with_sides(latest)
    return [(match, sides) for match, sides in found if counts_for(match, sides, date, dates)]


def with_sides(matches: Iterable[Match]) -> list[tuple[Match, list[Side]]]:
    """Return matches with their sides, which have their captains and rosters."""
    return [
        (match, list(match.sides.select_related("roster", "captain").order_by("index")))
        for match in matches
    ]


def link(fixture_id: int, match_id: int, *, by: User, reason: str, now: datetime) -> Fixture:
    """Count a rated match for a fixture. Its ratings do not change, and the table does at once.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one or in the
            match.
        Conflict: the competition is not running, or the fixture has a result or no open date.
        Refused: there is no reason, or the match cannot count for this fixture.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        one, fixture = fixture_to_change(fixture_id, by)
        match = locked_match(match_id)
        check_match(match, fixture)
        own = own_matches.check_own_match(match, by, PERMISSION)
        date, dates = waiting_date(fixture, by, lock=True)
        if date is None:
            raise Conflict(
                "no_date",
                _("This fixture is not waiting for a result. Set a date for it first."),
            )
        sides = list(match.sides.order_by("index"))
        if not counts_for(match, sides, date, dates):
            raise refusal(_("This match was not played between the two sides of this fixture."))
        check_first_side(match, sides, date, dates)
        lead(match, sides, date, dates)
        playing.link(date, match)
        if fixture.attention == Fixture.Attention.UNPLAYED:
            fixture.attention = Fixture.Attention.NONE
        after = {"match": match.pk}
        fixture.action = record(one, by, now, reason, fixture=fixture, after=after, details=own)
        fixture.save(update_fields=["attention", "action"])
        notify(everybody(date), NoticeKind.FIXTURE, now, arena=date.arena, arrangement=date)
    return fixture


def waiting_date(
    fixture: Fixture, by: User, *, lock: bool = False
) -> tuple[Arrangement | None, OpenDates]:
    """Return the date of a fixture that waits for a result, and the open dates of its season."""
    rows = Arrangement.objects.filter(game__fixture=fixture).order_by("pk")
    if lock:
        rows = rows.select_for_update(of=("self",))
    numbers = set(rows.values_list("pk", flat=True))
    players = {side.captain.pk for side in (fixture.home, fixture.away) if side is not None}
    dates = OpenDates(fixture.competition.season, players=players, by=by)
    found = {each.pk: each for rows in dates.of_player.values() for each in rows}
    mine = [each for pk, each in found.items() if pk in numbers]
    return (mine[0] if mine else None), dates


def locked_match(match_id: int) -> Match:
    # Others may add rows that refer to the match meanwhile, such as messages.
    rows = Match.objects.select_for_update(of=("self",), no_key=True)
    match = rows.filter(pk=match_id).first()
    if match is None:
        raise refusal(_("There is no such match."))
    return match


def check_match(match: Match, fixture: Fixture) -> None:
    """Refuse matches of other seasons, and those that count for nothing or for something else."""
    if match.season_id != fixture.competition.season_id or match.kind != Match.Kind.GAME:
        raise refusal(_("This match was not played in the season of the competition."))
    if match.status != Status.RATED:
        raise refusal(_("Only a rated match can count for a fixture."))
    if Arrangement.objects.filter(match=match).exists():
        raise refusal(_("This match already belongs to a date or a fixture."))
    if Challenge.objects.filter(match=match).exists():
        raise refusal(_("This match was played for a challenge, so it counts for no fixture."))
    if match.played_at < fixture.round.takes_results_from:
        raise refusal(_("This match was played before the round of the fixture opened."))


def counts_for(match: Match, sides: list[Side], date: Arrangement, dates: OpenDates) -> bool:
    """Return whether a match is between the two sides of a date, in any order."""
    if len(sides) != 2:
        return False
    one, other = parties_in(match, sides)
    return dates.is_between(date, one, other) or dates.is_between(date, other, one)


def check_first_side(match: Match, sides: list[Side], date: Arrangement, dates: OpenDates) -> None:
    """Refuse a match that was rated with the other side at home: its rating would be another."""
    home = dates.home_of(date, parties_in(match, sides))
    if match.first_side is not None and match.first_side != home:
        raise refusal(_("The other side was at home in this match. Correct the match first."))


def lead(match: Match, sides: list[Side], date: Arrangement, dates: OpenDates) -> None:
    """Let the captains of a date lead the sides of a rated match. Their rosters stay as rated."""
    home = dates.home_of(date, parties_in(match, sides))
    captains = [date.proposer, date.opponent]
    for side, captain in zip(sides, captains if home == 0 else captains[::-1], strict=True):
        if side.captain_id != captain.pk:
            side.captain = captain
            side.save(update_fields=["captain"])


def refusal(text: str) -> Refused:
    """Return the refusal of a match that cannot count for a fixture."""
    return Refused("match", text, field="match")
