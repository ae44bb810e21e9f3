"""Decisions of staff about fixtures: results, dates, and leaving a fixture as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import Arrangement, Competition, Fixture
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import (
    check_may_run,
    check_state,
    checked_reason,
    lock,
)
from league.services.competitions.outcomes import games_of, outcome
from league.services.competitions.records import record
from league.services.competitions.running import rounds
from league.services.core.errors import Conflict, Refused
from league.services.dates import scheduled
from league.services.dates.proposals import check_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import User
    from league.models.own_words import Why
    from league.services.competitions.outcomes import Game

Result = Fixture.Result
Attention = Fixture.Attention
VERDICTS = (Result.HOME, Result.AWAY, Result.DRAW, Result.NEITHER, Result.NONE, Result.OPEN)
"""The decisions of staff. ``OPEN`` leaves the fixture to its games again."""


def decide(
    fixture_id: int,
    result: str,
    *,
    by: User,
    reason: str | Why,
    now: datetime,
    forfeit: bool = False,
) -> Fixture:
    """Decide a fixture as staff, whatever its games say. Ratings do not change.

    ``forfeit`` says that the loser did not play, which may give different points than a loss.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the competition is not running, or a side is not known yet.
        Refused: there is no reason, or this result is not possible.
    """
    reason = checked_reason(reason) if isinstance(reason, str) else reason
    with transaction.atomic():
        one, fixture = fixture_to_change(fixture_id, by)
        check_verdict(fixture, result)
        before = {"result": result_in_english(fixture)}
        if result == Result.OPEN:
            rounds.reopen(fixture)
        else:
            kind = Fixture.DecidedBy.FORFEIT if forfeit else Fixture.DecidedBy.STAFF
            followed = fixture.attention in {Attention.FOLLOWED, Attention.KEPT}
            rounds.decide(fixture, Result(result), kind, now)
            fixture.attention = Attention.KEPT if followed else Attention.NONE
        after = {"result": result_in_english(fixture)}
        fixture.action = record(one, by, now, reason, fixture=fixture, before=before, after=after)
        fixture.save(update_fields=["result", "decided_by", "decided_at", "attention", "action"])
    return fixture


def result_in_english(fixture: Fixture) -> str:
    """Return the result of a fixture for the staff log."""
    with override("en"):
        return str(fixture.get_result_display())


def check_verdict(fixture: Fixture, result: str) -> None:
    if result not in VERDICTS:
        raise Refused("result", _("Choose a result."), field="result")
    if fixture.round.is_in_bracket and result == Result.DRAW:
        raise Refused(
            "draw", _("Somebody has to advance, so this cannot be a draw."), field="result"
        )
    if fixture.home_id is None or fixture.away_id is None:
        raise Conflict("sides", _("The sides of this fixture are not known yet."))


def set_date(
    fixture_id: int, play_at: datetime, *, by: User, reason: str | Why, now: datetime
) -> Fixture:
    """Set the date of a fixture as staff, even after its round.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the competition is not running, or the fixture is decided or reported.
        Refused: there is no reason, or the time does not fit the season.
    """
    reason = checked_reason(reason) if isinstance(reason, str) else reason
    with transaction.atomic():
        one, fixture = fixture_to_change(fixture_id, by)
        play_at = play_at.replace(microsecond=0)
        check_time(one.season.arena, play_at, now)
        games = games_of([one.pk]).get(fixture.pk, [])
        check_open(fixture, games)
        waiting = [game for game in games if game.date_state == Arrangement.State.ACCEPTED]
        if waiting:
            typed = reason if isinstance(reason, str) else ""
            scheduled.set_date(waiting[-1].date_id, play_at, reason=typed, now=now)
        else:
            rounds.set_date(one, fixture, games, play_at, now)
        fixture.attention = Fixture.Attention.NONE
        fixture.action = record(one, by, now, reason, fixture=fixture)
        fixture.save(update_fields=["attention", "action"])
    return fixture


def check_open(fixture: Fixture, games: Sequence[Game]) -> None:
    """Refuse a date for a fixture without two sides, with a result, or with a report."""
    if fixture.home_id is None or fixture.away_id is None:
        raise Conflict("sides", _("The sides of this fixture are not known yet."))
    if not rounds.has_two_captains(fixture):
        raise Conflict("captain", _("One player leads both sides, so they cannot play."))
    if outcome(fixture, games).is_decided:
        raise Conflict("decided", _("This fixture is decided."))
    if any(game.match_id is not None and game.is_open for game in games):
        raise Conflict("reported", _("A result of this fixture is waiting for confirmation."))


def keep(fixture_id: int, *, by: User, reason: str, now: datetime) -> Fixture:
    """Leave a fixture as it is although an earlier result has changed since.

    Raises as :func:`decide`.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        one, fixture = fixture_to_change(fixture_id, by)
        fixture.attention = Fixture.Attention.KEPT
        fixture.action = record(one, by, now, reason, fixture=fixture)
        fixture.save(update_fields=["attention", "action"])
    return fixture


def fixture_to_change(fixture_id: int, by: User) -> tuple[Competition, Fixture]:
    """Lock the competition of a fixture that ``by`` may decide, and return both."""
    number = Fixture.objects.filter(pk=fixture_id).values_list("competition", flat=True).first()
    if number is None:
        raise Refused("no_fixture", _("There is no such fixture."))
    one = lock(number)
    check_may_run(by, one)
    check_state(one, Competition.State.RUNNING)
    refuse_own_competition(
        one, by, _("You play in this competition. Ask another organiser to decide its fixtures.")
    )
    fixture = Fixture.objects.with_sides().get(pk=fixture_id)
    return one, fixture
