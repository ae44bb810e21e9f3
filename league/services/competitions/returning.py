"""Entrants who come back after a withdrawal from a running competition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant, Fixture, StaffAction
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, checked_reason, lock
from league.services.competitions.records import record
from league.services.competitions.running import entering
from league.services.competitions.running.rounds import reopen
from league.services.competitions.unlinking import is_followed
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player, User

State = Entrant.State
Result = Fixture.Result


def come_back(competition_id: int, *, by: Player, now: datetime) -> Entrant:
    """Come back after a withdrawal as the captain of an entrant.

    Raises:
        Forbidden: the rules leave it to organisers, organisers withdrew them, or ``by`` may not
            play now.
        Conflict: they have not withdrawn, have nothing left to play, or play for another entrant.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_state(one, Competition.State.RUNNING)
        entrant = entering.entry_of(one, by)
        check_withdrawn(entrant)
        if not can_come_back(one, entrant):
            raise Forbidden("comeback", _("Only an organiser can bring you back."))
        players = entering.players_of(one, by, entrant.roster)
        entering.check_able(by, players, now)
        restore(one, entrant, players)
    return entrant


def can_come_back(one: Competition, entrant: Entrant) -> bool:
    """Return whether an entrant may end their withdrawal, which was their own decision."""
    if entrant.withdrawn_at is None or not one.ruled_by().play.comeback:
        return False
    by_staff = StaffAction.objects.filter(
        kind=StaffAction.Kind.COMPETITION,
        at=entrant.withdrawn_at,
        details__competition=one.pk,
        details__entrant=entrant.name,
    )
    return not by_staff.exists()


def bring_back(entrant_id: int, *, by: User, reason: str, now: datetime) -> Entrant:
    """Bring an entrant back as staff, whatever the rules say.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the entrant has not withdrawn, or has nothing left to play.
        Refused: there is no such entrant, or no reason.
    """
    reason = checked_reason(reason)
    with transaction.atomic():
        found = Entrant.objects.filter(pk=entrant_id).values_list("competition", flat=True).first()
        if found is None:
            raise Refused("no_entrant", _("There is no such entrant."))
        one = lock(found)
        entrant = one.entrants.with_people().get(pk=entrant_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to bring them back.")
        refuse_own_competition(one, by, sentence)
        roster = entrant.roster
        restore(one, entrant, list(roster.members.all()) if roster else [entrant.player])
        record(one, by, now, reason, entrant=entrant)
    return entrant


def check_withdrawn(entrant: Entrant) -> None:
    if entrant.state != State.WITHDRAWN:
        raise Conflict("playing", _("%(entrant)s has not withdrawn.") % {"entrant": entrant})


def restore(one: Competition, entrant: Entrant, players: Sequence[Player]) -> None:
    """Let an entrant play again. Their lost fixtures are open again where nothing followed."""
    check_withdrawn(entrant)
    entering.check_free(one, players, except_for=entrant)
    if one.entrants.in_play().count() >= one.ruled_by().entry.entrants:
        raise Conflict("full", _("%(competition)s is full.") % {"competition": one})
    entrant.state, entrant.withdrawn_at, entrant.annulled = State.PLAYING, None, False
    entrant.save(update_fields=["state", "withdrawn_at", "annulled"])
    mine = one.fixtures.with_sides().filter(home=entrant) | one.fixtures.with_sides().filter(
        away=entrant
    )
    for fixture in mine.filter(decided_by=Fixture.DecidedBy.WITHDRAWAL).order_by("number"):
        give_back(one, fixture, entrant)
    if not has_something_left(one, entrant):
        text = _("Nothing is left to play for %(entrant)s.") % {"entrant": entrant}
        raise Conflict("nothing_left", text)


def give_back(one: Competition, fixture: Fixture, entrant: Entrant) -> None:
    """Open a fixture that a withdrawal decided. If it is too late, the entrant has lost it."""
    other = fixture.away if fixture.home_id == entrant.pk else fixture.home
    if other is None or other.annulled:
        return
    if other.state == State.WITHDRAWN:
        fixture.result = Result.HOME if fixture.home_id == entrant.pk else Result.AWAY
        fixture.save(update_fields=["result"])
    elif fixture.round.closed_at is None and not is_followed(one, fixture):
        reopen(fixture)
    else:
        fixture.result = Result.AWAY if fixture.home_id == entrant.pk else Result.HOME
        fixture.save(update_fields=["result"])


def has_something_left(one: Competition, entrant: Entrant) -> bool:
    """Return whether an entrant has a fixture to play, or a round of a Swiss to come."""
    open_ = one.fixtures.undecided()
    if (open_.filter(home=entrant) | open_.filter(away=entrant)).exists():
        return True
    in_swiss = one.format == Competition.Format.SWISS
    return in_swiss and one.rounds.filter(opened_at=None).exists()
