"""Brackets: winners and losers take their places in later fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Entrant, Fixture
from league.services.competitions.running.rounds import cancel_dates, decide

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.services.competitions.outcomes import Outcome

Source = Fixture.Source
Result = Fixture.Result
Attention = Fixture.Attention

NOBODY = "nobody"
"""The entrant from a fixture without a winner or a loser: the other side advances without a
game."""
Coming = Entrant | str | None
"""An entrant, ``NOBODY``, or ``None`` as long as it is not decided."""


def advance(fixtures: Sequence[Fixture], ended: Mapping[int, Outcome], now: datetime) -> bool:
    """Put winners and losers in their places, and end fixtures of those who have withdrawn.

    Return whether anything has changed.

    A corrected result replaces an entrant whose next fixture was not played. If it was played,
    staff are told.
    """
    bracket = {one.number: one for one in fixtures if one.round.is_in_bracket}
    changed = False
    for one in fixtures:
        if not one.round.is_in_bracket:
            changed |= end_without_withdrawn(one, ended[one.pk], now)
    for number in sorted(bracket):
        one = bracket[number]
        changed |= ask_for_winner(one, ended[one.pk])
        if is_needless(one, bracket, ended):
            changed |= skip(one, ended[one.pk], now)
            continue
        home = coming(one.home_source, one.home_source_number, one.home, bracket, ended)
        away = coming(one.away_source, one.away_source_number, one.away, bracket, ended)
        changed |= place(one, home, away, ended[one.pk], now)
    return changed


def is_needless(one: Fixture, bracket: Mapping[int, Fixture], ended: Mapping[int, Outcome]) -> bool:
    """Return whether it is a second final, and the winner of the winners' bracket won the first."""
    if not one.round.is_second_final or one.home_source_number is None:
        return False
    first = bracket[one.home_source_number]
    return ended[first.pk].result in {Result.HOME, Result.NEITHER, Result.NONE}


def skip(one: Fixture, now_at: Outcome, now: datetime) -> bool:
    """End a second final that is not needed. If it was played, mark it for staff instead."""
    if one.result == Result.NONE and one.decided_by == Fixture.DecidedBy.BYE:
        return False
    if now_at.is_decided or now_at.was_played:
        return mark_followed(one)
    decide(one, Result.NONE, Fixture.DecidedBy.BYE, now)
    one.games.all().delete()
    one.home, one.away = None, None
    one.save(update_fields=["home", "away"])
    return True


def coming(
    source: str,
    number: int | None,
    drawn: Entrant | None,
    bracket: Mapping[int, Fixture],
    ended: Mapping[int, Outcome],
) -> Coming:
    """Return the entrant who comes from a source by the present outcomes."""
    if source == Source.DRAWN:
        return drawn
    if source == Source.BYE or number is None:
        return NOBODY
    fixture = bracket[number]
    result = ended[fixture.pk].result
    sides = {Result.HOME: fixture.home, Result.AWAY: fixture.away}
    others = {Result.HOME: fixture.away, Result.AWAY: fixture.home}
    if result in {Result.NEITHER, Result.NONE}:
        return NOBODY
    if result not in sides:
        return None
    return (sides if source == Source.WINNER else others)[Result(result)] or NOBODY


def place(one: Fixture, home: Coming, away: Coming, now_at: Outcome, now: datetime) -> bool:
    """Set the entrants of a fixture, and decide it if a side stays empty."""
    sides = [side if isinstance(side, Entrant) else None for side in (home, away)]
    if [side and side.pk for side in sides] != [one.home_id, one.away_id]:
        return replace(one, sides, now_at, now)
    if one.attention == Attention.FOLLOWED:
        one.attention = Attention.NONE
        one.save(update_fields=["attention"])
        return True
    if NOBODY in (home, away) and None not in (home, away) and not now_at.is_decided:
        winner = Result.HOME if sides[0] else Result.AWAY if sides[1] else Result.NONE
        decide(one, winner, Fixture.DecidedBy.BYE, now)
        return True
    return end_without_withdrawn(one, now_at, now)


def end_without_withdrawn(one: Fixture, now_at: Outcome, now: datetime) -> bool:
    """Let the opponent of an entrant who has withdrawn win.

    Their fixtures are decided when they withdraw, but not those that wait for a confirmation.
    """
    if one.home is None or one.away is None or now_at.is_decided or now_at.waits:
        return False
    gone = [side.state == Entrant.State.WITHDRAWN for side in (one.home, one.away)]
    if not any(gone):
        return False
    winner = Result.NEITHER if all(gone) else Result.AWAY if gone[0] else Result.HOME
    if one.home.annulled or one.away.annulled:
        winner = Result.NONE
    decide(one, winner, Fixture.DecidedBy.WITHDRAWAL, now)
    return True


def replace(one: Fixture, sides: Sequence[Entrant | None], now_at: Outcome, now: datetime) -> bool:
    """Change the sides of a fixture. If it has been played, mark it for staff instead."""
    by_bye = one.decided_by == Fixture.DecidedBy.BYE
    if now_at.was_played or (now_at.is_decided and not by_bye):
        return mark_followed(one)
    cancel_dates([one], now)
    one.games.all().delete()  # a void one of others would count again if that is undone
    one.home, one.away = sides
    one.result, one.decided_by, one.decided_at = Result.OPEN, Fixture.DecidedBy.GAMES, None
    one.save(update_fields=["home", "away", "result", "decided_by", "decided_at"])
    return True


def mark_followed(one: Fixture) -> bool:
    """Tell staff that a fixture was played, but an earlier one has another result now."""
    if one.attention in {Attention.FOLLOWED, Attention.KEPT}:
        return False
    one.attention = Attention.FOLLOWED
    one.save(update_fields=["attention"])
    return True


def ask_for_winner(one: Fixture, ended: Outcome) -> bool:
    """Tell staff of a fixture that was drawn, though somebody has to advance."""
    if ended.result != Result.DRAW or one.attention:
        return False
    one.attention = Attention.DRAWN
    one.save(update_fields=["attention"])
    return True
