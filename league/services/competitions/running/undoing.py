"""Undo a draw, and draw again, as long as nobody has played by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Competition, Entrant, Fixture, FixtureGame
from league.models.fixture import BRACKET
from league.models.own_words import own_words
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.outcomes import games_of
from league.services.competitions.records import record
from league.services.competitions.running import starting, swiss_rounds
from league.services.competitions.running.entering_by_staff import state_for
from league.services.competitions.running.rounds import cancel_dates
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import Round, User
    from league.services.competitions.outcomes import Game

State = Competition.State


def undo_round(
    competition_id: int,
    *,
    by: User,
    now: datetime,
    again: bool = False,
    number: int | None = None,
) -> Round:
    """Undo the draw of the latest round of a Swiss. Only staff draw it then, or ``again`` at once.

    Byes that entrants asked for stay. The round keeps its dates. ``number`` is that of the round,
    so that no other one is undone by mistake.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: it is no Swiss that runs, no round is drawn, or a game of it has a result.
    """
    with transaction.atomic():
        one = lock_to_undo(competition_id, by)
        round_ = latest_round(one)
        if round_ is None:
            raise Conflict("no_round", _("No round is drawn."))
        if number is not None and round_.number != number:
            raise Conflict("undone", _("Another round has been drawn or undone meanwhile."))
        fixtures = list(one.fixtures.filter(round=round_))
        check_no_result(one, fixtures)
        remove(fixtures_of_the_draw(fixtures), now)
        round_.opened_at, round_.closed_at, round_.waits_for_staff = None, None, True
        round_.save(update_fields=["opened_at", "closed_at", "waits_for_staff"])
        why = own_words("round undone", number=round_.number)
        record(one, by, now, why, before={"round": round_.number})
        if again:
            swiss_rounds.open_next(one, round_, now)
            record(one, by, now, own_words("drawn"), after={"round": round_.number})
    return round_


def undo_all(competition_id: int, *, by: User, now: datetime, again: bool = False) -> Competition:
    """Undo the draw of a competition, which is then open for entries, or drawn ``again`` at once.

    Seeds stay, so that the same entrants give the same draw. Staff start it again.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: it does not run, a game has a result, or somebody has withdrawn.
    """
    with transaction.atomic():
        one = lock_to_undo(competition_id, by)
        fixtures = list(one.fixtures.all())
        check_no_result(one, fixtures)
        remove(fixtures, now)
        one.rounds.all().delete()
        playing = one.entrants.filter(state=Entrant.State.PLAYING)
        playing.update(state=state_for(one), group=None)
        one.state, one.drawn_at, one.waits_for_staff = State.REGISTRATION, None, True
        one.save(update_fields=["state", "drawn_at", "waits_for_staff"])
        record(one, by, now, own_words("draw undone"))
        if again:
            starting.start(one.pk, by=by, now=now)
    return one


def undo_bracket(competition_id: int, *, by: User, now: datetime) -> Competition:
    """Undo the draw of the bracket after groups, which stay. It waits for staff to draw it again.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: it does not run, has no bracket after groups, or a game of it has a result.
    """
    with transaction.atomic():
        one = lock_to_undo(competition_id, by)
        drawn = list(one.fixtures.filter(round__stage__in=BRACKET))
        if one.format != Competition.Format.GROUPS_KNOCKOUT or not drawn:
            raise Conflict("no_round", _("No bracket is drawn."))
        check_no_result(one, drawn)
        remove(drawn, now)
        one.rounds.filter(stage__in=BRACKET).delete()
        one.waits_for_staff = True
        one.save(update_fields=["waits_for_staff"])
        record(one, by, now, own_words("bracket undone"))
    return one


def let_bracket_be_drawn(competition_id: int, *, by: User, now: datetime) -> None:
    """Let the bracket whose draw was undone be drawn as soon as the groups are decided.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: it does not run, or its bracket does not wait.
    """
    with transaction.atomic():
        one = lock_to_undo(competition_id, by)
        if not one.waits_for_staff:
            raise Conflict("no_round", _("No bracket waits to be drawn."))
        one.waits_for_staff = False
        one.save(update_fields=["waits_for_staff"])
        record(one, by, now, own_words("bracket drawn"))


def lock_to_undo(competition_id: int, by: User) -> Competition:
    """Lock a running competition of which ``by`` may undo a draw."""
    one = lock(competition_id)
    check_may_run(by, one)
    check_state(one, State.RUNNING)
    sentence = _("You play in this competition. Ask another organiser to undo a draw.")
    refuse_own_competition(one, by, sentence)
    return one


def latest_round(one: Competition) -> Round | None:
    """Return the round of a Swiss that was drawn last, ``None`` in other formats."""
    if one.format != Competition.Format.SWISS:
        return None
    return one.rounds.filter(opened_at__isnull=False).order_by("number").last()


def check_no_result(one: Competition, fixtures: Iterable[Fixture]) -> None:
    """Refuse if a fixture has a result or a report, whoever decided it."""
    games = games_of([one.pk])
    for fixture in fixtures:
        if has_result(fixture, games.get(fixture.pk, ())):
            text = _("%(fixture)s has a result, so the draw stays.") % {"fixture": fixture}
            raise Conflict("played", text)


def has_result(fixture: Fixture, games: Sequence[Game]) -> bool:
    """Return whether a fixture was reported or decided, other than by a bye."""
    if fixture.result != Fixture.Result.OPEN:
        return fixture.decided_by != Fixture.DecidedBy.BYE
    return any(game.is_forfeit or (game.match_id and game.counts) for game in games)


def fixtures_of_the_draw(fixtures: Iterable[Fixture]) -> list[Fixture]:
    """Return the fixtures of a round without the byes that entrants asked for."""
    asked = {Fixture.Result.DRAW, Fixture.Result.NEITHER}
    return [one for one in fixtures if one.result not in asked]


def remove(fixtures: Sequence[Fixture], now: datetime) -> None:
    """Delete fixtures. Their dates are called off."""
    cancel_dates(fixtures, now)
    ids = [fixture.pk for fixture in fixtures]
    FixtureGame.objects.filter(fixture__in=ids).delete()
    Fixture.objects.filter(pk__in=ids).delete()
