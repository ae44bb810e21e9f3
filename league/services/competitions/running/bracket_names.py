"""The names of a bracket's rounds, and the parts in which pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Competition, Fixture, Round

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Stage = Round.Stage


def names_of(one: Competition, rounds: Iterable[Round], *, short: bool = False) -> dict[int, str]:
    """Return the names of all rounds of a competition, by id.

    ``short`` ones do not say in which part of the bracket a round is.
    """
    everything = list(rounds)
    last = {
        stage: max((each.number for each in everything if each.stage == stage), default=0)
        for stage in Stage
    }
    double = one.format == Competition.Format.DOUBLE
    return {
        each.pk: name_of(each, last[Stage(each.stage)], double=double, short=short)
        for each in everything
    }


def name_of(round_: Round, last: int, *, double: bool, short: bool) -> str:
    """Return the name of a round whose stage ends with round ``last``."""
    stage = Stage(round_.stage)
    if stage == Stage.FINAL:
        return _("Second final") if round_.is_second_final else _("Final")
    if stage == Stage.THIRD:
        return _("Third place")
    plain = _("Round %(number)d") % {"number": round_.number}
    if double:
        return plain if short and round_.number < last else name_in_half(round_, last)
    late = {last: _("Semi-finals"), last - 1: _("Quarter-finals")}
    return late.get(round_.number, plain) if stage == Stage.WINNERS else plain


def name_in_half(round_: Round, last: int) -> str:
    """Return the name of a round of the winners’ or the losers’ bracket."""
    number = {"number": round_.number}
    if round_.stage == Stage.LOSERS:
        rest = _("Losers’ bracket, round %(number)d") % number
        return _("Final of the losers’ bracket") if round_.number == last else rest
    rest = _("Winners’ bracket, round %(number)d") % number
    return _("Final of the winners’ bracket") if round_.number == last else rest


def name_of_side(fixture: Fixture, *, home: bool) -> str:
    """Return the name of a side of a fixture, such as “winner of 3” as long as it is not known."""
    entrant = fixture.home if home else fixture.away
    source = fixture.home_source if home else fixture.away_source
    number = fixture.home_source_number if home else fixture.away_source_number
    if entrant is not None:
        return entrant.name
    if source == Fixture.Source.WINNER:
        return _("winner of %(number)s") % {"number": number}
    if source == Fixture.Source.LOSER:
        return _("loser of %(number)s") % {"number": number}
    return ""


def parts_of(one: Competition) -> Sequence[tuple[str, frozenset[Stage]]]:
    """Return the parts of a bracket as (heading, stages), each of which pages show on its own."""
    if one.format != Competition.Format.DOUBLE:
        return [(_("Bracket"), frozenset({Stage.WINNERS, Stage.FINAL, Stage.THIRD}))]
    return [
        (_("Winners’ bracket"), frozenset({Stage.WINNERS})),
        (_("Losers’ bracket"), frozenset({Stage.LOSERS})),
        (_("Finals"), frozenset({Stage.FINAL})),
    ]
