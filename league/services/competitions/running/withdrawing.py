"""Withdrawals from a running competition, and their effect on the fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant, Fixture
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import (
    check_may_run,
    check_state,
    checked_reason,
    lock,
)
from league.services.competitions.outcomes import outcomes
from league.services.competitions.records import record
from league.services.competitions.running import sitting_out
from league.services.competitions.running.entering import entry_of, remove
from league.services.competitions.running.rounds import decide, state_of
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Player, User
    from league.services.competitions.outcomes import Outcome

State = Entrant.State
Result = Fixture.Result


def withdraw(competition_id: int, *, by: Player, now: datetime) -> Entrant:
    """Withdraw from a running competition as the captain of an entrant.

    Raises:
        Conflict: the competition is not running, or they do not play in it.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_state(one, Competition.State.RUNNING)
        entrant = entry_of(one, by)
        take_out(one, entrant, now)
    return entrant


def withdraw_entrant(entrant_id: int, *, by: User, reason: str, now: datetime) -> Entrant:
    """Withdraw an entrant as staff, before the start or after it.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays for another entrant.
        Conflict: the competition is over, or the entrant has withdrawn.
        Refused: there is no such entrant, or no reason.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        rows = Entrant.objects.with_people().filter(pk=entrant_id)
        number = rows.values_list("competition", flat=True).first()
        one = lock(number) if number else None
        entrant = rows.first()  # they may have left while it was locked
        if one is None or entrant is None:
            raise Refused("no_entrant", _("There is no such entrant."))
        check_may_run(by, one)
        check_state(one, Competition.State.REGISTRATION, Competition.State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to withdraw them.")
        refuse_own_competition(one, by, sentence, except_for=entrant)
        record(one, by, now, reason, entrant=entrant)
        if one.state == Competition.State.REGISTRATION:
            remove(one, entrant, now)
        else:
            take_out(one, entrant, now)
    return entrant


def take_out(one: Competition, entrant: Entrant, now: datetime) -> None:
    """Withdraw an entrant of a locked running competition."""
    if entrant.state != State.PLAYING:
        raise Conflict("withdrawn", _("%(entrant)s has withdrawn.") % {"entrant": entrant})
    sitting_out.byes_to_come(one, entrant).delete()
    fixtures, games = state_of(one)
    mine = [fixture for fixture in fixtures if entrant.pk in {fixture.home_id, fixture.away_id}]
    ended = outcomes(mine, games)
    entrant.state, entrant.withdrawn_at = State.WITHDRAWN, now
    entrant.annulled = annuls(one, mine, ended)
    entrant.save(update_fields=["state", "withdrawn_at", "annulled"])
    for fixture in mine:
        outcome = ended[fixture.pk]
        if not outcome.is_decided and not outcome.waits:
            end_without(fixture, entrant, now)


def annuls(one: Competition, mine: Sequence[Fixture], ended: Mapping[int, Outcome]) -> bool:
    """Return whether none of an entrant's results counts: fewer than half were played.

    In a Swiss and in a bracket, what was played always counts.
    """
    if one.ruled_by().play.withdrawal != "annul-early" or one.format == one.Format.SWISS:
        return False
    tabled = [fixture for fixture in mine if not fixture.round.is_in_bracket]
    played = sum(ended[fixture.pk].was_played for fixture in tabled)
    return 2 * played < len(tabled) and len(tabled) == len(mine)


def end_without(fixture: Fixture, entrant: Entrant, now: datetime) -> None:
    """Decide a fixture of an entrant who has withdrawn, unless its other side is not known."""
    if fixture.home_id is None or fixture.away_id is None:
        return
    result = Result.AWAY if entrant.pk == fixture.home_id else Result.HOME
    if entrant.annulled:
        result = Result.NONE
    decide(fixture, result, Fixture.DecidedBy.WITHDRAWAL, now)
