"""Rounds of a Swiss that entrants sit out on request.

Such a bye is a fixture of a round that is not drawn yet. It counts from the draw of its round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Fixture
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, checked_reason, lock
from league.services.competitions.records import record
from league.services.competitions.running.drawing import write_byes
from league.services.competitions.running.entering import entry_of
from league.services.core.errors import Conflict, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player, Round, User
    from league.models.fixture import FixtureQuerySet

Choice: TypeAlias = Literal["draw", "nothing", "play"]
"""A round of an entrant: a bye with the points of a draw or with none, or a game."""
CHOICES: tuple[str, ...] = get_args(Choice)
Result = Fixture.Result
RESULTS = {"draw": Result.DRAW, "nothing": Result.NEITHER}


@dataclass(frozen=True)
class Options:
    """The wishes that an entrant can still express."""

    byes: Sequence[Fixture]
    """Of rounds that are not drawn yet."""
    rounds: Sequence[int]
    """The numbers of the rounds that they can sit out."""
    draws: Sequence[int]
    """Those of them that can count as a draw."""


def options_of(one: Competition, entrant: Entrant | None) -> Options:
    """Return what an entrant can ask for by the rules, nothing without one in play."""
    if entrant is None or not can_sit_out(one, entrant):
        return Options([], [], [])
    rules = one.ruled_by().play
    byes = list(byes_to_come(one, entrant).select_related("round").order_by("round__number"))
    taken = list(byes_of(one, entrant).values_list("result", flat=True))
    if len(taken) >= rules.byes:
        return Options(byes, [], [])
    numbers = one.rounds.filter(opened_at=None).exclude(fixtures__home=entrant)
    rounds = list(numbers.order_by("number").values_list("number", flat=True))
    as_draw = taken.count(Result.DRAW) < rules.half_byes
    draws = [each for each in rounds if as_draw and each <= (rules.half_byes_until or each)]
    return Options(byes, rounds, draws)


def can_sit_out(one: Competition, entrant: Entrant) -> bool:
    running = one.state == Competition.State.RUNNING
    in_swiss = running and one.format == Competition.Format.SWISS
    return in_swiss and entrant.state == Entrant.State.PLAYING


def byes_of(one: Competition, entrant: Entrant) -> FixtureQuerySet:
    """Return the byes of an entrant on request, past ones and those to come."""
    mine = one.fixtures.filter(home=entrant, away=None, decided_by=Fixture.DecidedBy.BYE)
    return mine.filter(result__in=RESULTS.values())


def byes_to_come(one: Competition, entrant: Entrant) -> FixtureQuerySet:
    return byes_of(one, entrant).filter(round__stage="swiss", round__opened_at=None)


def ask(competition_id: int, number: int, choice: str, *, by: Player, now: datetime) -> Entrant:
    """Sit out a round that is not drawn yet as the captain of an entrant, or play it after all.

    Raises:
        Conflict: the round is drawn, ``by`` does not play, or the rules allow no such bye.
        Refused: there is no such choice.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_state(one, Competition.State.RUNNING)
        entrant = entry_of(one, by)
        round_ = round_to_choose(one, entrant, number, choice)
        byes_to_come(one, entrant).filter(round=round_).delete()
        if choice != "play":
            options = options_of(one, entrant)
            if number not in (options.draws if choice == "draw" else options.rounds):
                raise Conflict("byes", _("The rules allow you no such bye in this round."))
            write_byes(one, round_, [entrant], now, RESULTS[choice])
    return entrant


def decide(
    entrant_id: int, number: int, choice: str, *, by: User, reason: str, now: datetime
) -> Entrant:
    """Let an entrant sit out a round as staff, whatever the rules allow, or play it after all.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or plays in this one.
        Conflict: the round is drawn, or the entrant does not play.
        Refused: there is no such entrant or choice, or no reason.
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
        sentence = _("You play in this competition. Ask another organiser to give byes.")
        refuse_own_competition(one, by, sentence)
        round_ = round_to_choose(one, entrant, number, choice)
        byes_to_come(one, entrant).filter(round=round_).delete()
        if choice != "play":
            write_byes(one, round_, [entrant], now, RESULTS[choice])
        record(one, by, now, reason, entrant=entrant, after={"round": number, "bye": choice})
    return entrant


def round_to_choose(one: Competition, entrant: Entrant, number: int, choice: str) -> Round:
    """Return a round that is not drawn yet, and refuse others and unknown choices."""
    if choice not in CHOICES:
        raise Refused("choice", _("Choose what the round counts."), field="choice")
    if not can_sit_out(one, entrant):
        raise Conflict("no_swiss", _("Only entrants who play in a Swiss can sit out rounds."))
    round_ = one.rounds.filter(number=number, opened_at=None).first()
    if round_ is None:
        raise Conflict("drawn", _("Choose a round that is not drawn yet."), field="round")
    return round_
