"""Matches that organisers take off a fixture. They stay as they were rated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Arrangement, Competition, Entrant, Fixture, Match, NoticeKind, Status
from league.models.fixture import BRACKET
from league.services.competitions import counting
from league.services.competitions.decisions import fixture_to_change
from league.services.competitions.linking import locked_match, with_sides
from league.services.competitions.locking import PERMISSION, checked_reason
from league.services.competitions.outcomes import outcomes
from league.services.competitions.records import record
from league.services.competitions.running import rounds
from league.services.core.errors import Conflict, Refused
from league.services.dates.people import everybody
from league.services.notices.writing import notify
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Side, User

State = Arrangement.State


def counting_matches(fixture: Fixture) -> list[tuple[Match, list[Side]]]:
    """Return the rated matches that count for a fixture, in the order of its games."""
    dates = Arrangement.objects.filter(game__fixture=fixture, state=State.PLAYED)
    rows = Match.objects.rated().filter(arrangement__in=dates)
    return with_sides(rows.order_by("arrangement__game__number"))


def unlink(fixture_id: int, match_id: int, *, by: User, reason: str, now: datetime) -> Fixture:
    """Take a rated match off a fixture, whose date then waits for a result again.

    The table changes at once. The match and its ratings stay.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one or in the
            match.
        Conflict: the competition is not running, the fixture would not wait for a result, or
            later ones follow from it.
        Refused: there is no reason, or no such rated match of this fixture.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        one, fixture = fixture_to_change(fixture_id, by)
        match = locked_match(match_id)
        date = date_of(match, fixture)
        own = own_matches.check_own_match(match, by, PERMISSION)
        check_waits_then(fixture)
        check_is_last(one, fixture)
        told = everybody(date)
        counting.unlink([match.pk], now)
        fixture.attention = Fixture.Attention.NONE
        before, after = {"match": match.pk}, {"match": None}
        fixture.action = record(
            one, by, now, reason, fixture=fixture, before=before, after=after, details=own
        )
        fixture.save(update_fields=["attention", "action"])
        notify(told, NoticeKind.FIXTURE, now, arena=date.arena, arrangement=date)
    return fixture


def date_of(match: Match, fixture: Fixture) -> Arrangement:
    """Lock the date for which a rated match counts, and return it."""
    rows = Arrangement.objects.select_for_update(of=("self",)).select_related("arena")
    date = rows.filter(game__fixture=fixture, match=match, state=State.PLAYED).first()
    if date is None:
        raise Refused("match", _("This match does not count for this fixture."), field="match")
    if match.status != Status.RATED:
        text = _("Only a rated match can be taken off a fixture.")
        raise Refused("match", text, field="match")
    return date


def check_waits_then(fixture: Fixture) -> None:
    """Refuse fixtures that would be decided without the match, and not wait for a result."""
    if fixture.result != Fixture.Result.OPEN:
        raise Conflict("decided", _("This fixture was decided. Let its games decide first."))
    sides = (fixture.home, fixture.away)
    if any(side and side.state == Entrant.State.WITHDRAWN for side in sides):
        text = _("A side has withdrawn, so there would be no other game. Decide the fixture.")
        raise Conflict("withdrawn", text)


def check_is_last(one: Competition, fixture: Fixture) -> None:
    """Refuse fixtures from whose result games follow that no other result would change."""
    if is_followed(one, fixture):
        text = _("Later games were drawn or played by this result. Decide the fixture instead.")
        raise Conflict("followed", text)


def is_followed(one: Competition, fixture: Fixture) -> bool:
    """Return whether games were drawn or played by the result of a fixture."""
    if fixture.round.is_in_bracket:
        return has_played_follower(one, fixture)
    if one.format == Competition.Format.SWISS:
        later = one.rounds.filter(number__gt=fixture.round.number)
        return later.exclude(opened_at=None).exists()
    return one.fixtures.filter(round__stage__in=BRACKET).exists()


def has_played_follower(one: Competition, fixture: Fixture) -> bool:
    """Return whether a fixture of a bracket that follows from another has been played or decided.

    Byes of followers change with the result.
    """
    fixtures, games = rounds.state_of(one)
    ended = outcomes(fixtures, games)
    found = [ended[each.pk] for each in followers(fixture, fixtures)]
    by_bye = Fixture.DecidedBy.BYE
    return any(each.was_played or (each.is_decided and each.by != by_bye) for each in found)


def followers(fixture: Fixture, fixtures: Iterable[Fixture]) -> list[Fixture]:
    """Return the fixtures to which the sides of a fixture may advance, of those in order."""
    numbers, found = {fixture.number}, []
    for each in fixtures:
        if numbers & {each.home_source_number, each.away_source_number}:
            numbers.add(each.number)
            found.append(each)
    return found
