"""Rounds of a Swiss: each is drawn once all before it are decided."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Round
from league.models.lists import list_of
from league.models.own_words import own_words
from league.services.competitions.forecasts.odds import odds_between
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.locking import check_may_run, check_state, checked_reason, lock
from league.services.competitions.outcomes import games_of, outcomes
from league.services.competitions.pairing.swiss import (
    NoPairing,
    SwissRound,
    SwissStanding,
    broken_rules,
    swiss,
)
from league.services.competitions.records import record
from league.services.competitions.running import drawing
from league.services.competitions.running.rounds import open_round
from league.services.competitions.running.team_mates import team_mates
from league.services.competitions.standings.competition_tables import result_of
from league.services.competitions.standings.entrant_rounds import PointsRules
from league.services.core.errors import Conflict, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import User


FEWEST = 2
"""With fewer entrants in play, no further round is drawn."""


def plan(one: Competition, entrants: int, begins_at: datetime) -> None:
    """Plan the rounds of a Swiss: as many as declared, or as a bracket of its size would have."""
    wanted = one.ruled_by().play.rounds or math.ceil(math.log2(entrants))
    drawing.plan_rounds(one, Round.Stage.SWISS, min(wanted, entrants - 1), begins_at)


def open_due(one: Competition, now: datetime) -> bool:
    """Draw and open the next round of a Swiss if it is due and all before it are decided."""
    round_ = next_round(one)
    if round_ is None or round_.waits_for_staff or round_.opens_at > now or not is_decided(one):
        return False
    open_next(one, round_, now)
    return True


def open_next(one: Competition, round_: Round, now: datetime) -> None:
    """Draw and open the next round of a Swiss by the rules.

    If too many have met or withdrawn for another round, the rounds that are left are dropped. If
    there is none because some sit it out, the others have a bye.
    """
    try:
        _standing, paired = draw_round(one, round_)
    except NoPairing as error:
        if error.reason != "left" and round_.fixtures.exists():
            there = one.entrants.in_play().exclude(home_fixtures__round=round_)
            drawing.write_byes(one, round_, there, now)
            open_round(one, round_, now)
        else:
            one.rounds.filter(opened_at=None).delete()
    else:
        write(one, round_, paired, now)


def next_round(one: Competition) -> Round | None:
    """Return the first round that is not drawn, ``None`` after the last."""
    return one.rounds.filter(opened_at=None).order_by("number").first()


def is_decided(one: Competition) -> bool:
    """Return whether all fixtures so far are decided."""
    fixtures = list(one.fixtures.select_related("round"))
    return all(outcome.is_decided for outcome in outcomes(fixtures, games_of([one.pk])).values())


def standing_of(one: Competition, round_: Round) -> SwissStanding:
    """Return a Swiss as it stands before a round. Its seed drew who starts at home.

    Even games go by the ratings of now. Without forecasts of them, it is paired as by default.
    """
    rows = one.entrants.exclude(seed=None).filter(annulled=False).with_people()
    everybody = list(rows.order_by("seed"))
    ids = [entrant.pk for entrant in everybody]
    fixtures = list(one.fixtures.select_related("round"))
    ended = outcomes(fixtures, games_of([one.pk]))
    results = [result_of(fixture, ended[fixture.pk]) for fixture in fixtures]
    rules, play = one.ruled_by().table, one.ruled_by().play
    even = play.pairing == "even"
    sitting_out = {fixture.home_id for fixture in fixtures if fixture.round_id == round_.pk}
    odds = odds_between(one.season, everybody, round_.opens_at) if even else None
    return SwissStanding(
        ids,
        [
            result
            for result in results
            if result is not None and {result.home, result.away} <= {*ids, None}
        ],
        round_.number,
        one.rounds.count(),
        PointsRules.of(rules.win, rules.draw, rules.loss, rules.forfeit, rules.bye),
        out=frozenset(
            entrant.pk
            for entrant in everybody
            if entrant.state != Entrant.State.PLAYING or entrant.pk in sitting_out
        ),
        sides=play.alternate,
        apart=team_mates(one, everybody) if play.apart else frozenset(),
        first_home=(one.seed or 0) % 2 == 0,
        shares=odds.even_share if odds else None,
    )


def draw_round(one: Competition, round_: Round) -> tuple[SwissStanding, SwissRound]:
    """Return a Swiss before a round, and the round as it would be drawn now.

    Raises:
        NoPairing: none is possible.
    """
    if one.entrants.in_play().count() < FEWEST:
        raise NoPairing("left", [])
    standing = standing_of(one, round_)
    return standing, paired_round(standing)


def paired_round(standing: SwissStanding) -> SwissRound:
    """Return the next round, if need be without the rules about home and away.

    Raises:
        NoPairing: not even that is possible.
    """
    try:
        return swiss(standing)
    except NoPairing as error:
        if error.reason != "sides":
            raise
        return swiss(replace(standing, sides=False))


def write(one: Competition, round_: Round, paired: SwissRound, now: datetime) -> None:
    """Save the fixtures of a round and open it."""
    entrants = one.entrants.with_people().in_bulk()
    pairs = [(entrants[home], entrants[away]) for home, away in paired.pairs]
    drawing.write_fixtures(one, round_, pairs)
    if paired.free is not None:
        drawing.write_byes(one, round_, [entrants[paired.free]], now)
    open_round(one, round_, now)


def preview(one: Competition) -> tuple[Round, SwissStanding, SwissRound]:
    """Return the next round as it would be drawn now.

    Raises:
        Conflict: it is no Swiss, all rounds are drawn, an earlier one is not decided, or nobody is
            left to meet.
    """
    if one.format != Competition.Format.SWISS:
        raise Conflict("no_swiss", _("Only rounds of a Swiss are drawn one by one."))
    round_ = next_round(one)
    if round_ is None:
        raise Conflict("no_round", _("All rounds have been drawn."))
    if not is_decided(one):
        raise Conflict("undecided", _("Some fixtures are still to be played or decided."))
    try:
        return round_, *draw_round(one, round_)
    except NoPairing as error:
        raise Conflict("no_pairing", why(error, names(one))) from error


def pair_next(
    competition_id: int,
    lines: Sequence[Sequence[int]] | None,
    *,
    by: User,
    reason: str = "",
    now: datetime,
    knowingly: bool = False,
    number: int | None = None,
) -> Round:
    """Draw the next round of a Swiss as staff want it, as soon as all before it are decided.

    It opens at once, and keeps its date if that is still to come.

    Args:
        lines: seeds of the entrants of each game, home first; one seed alone has a bye.
            ``None`` draws it by the rules.
        knowingly: whether rules may be broken that do not make a round impossible.
        number: that of the round, so that another one is not drawn by mistake.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena, or changes a round of their own.
        Conflict: it is no Swiss that runs, or has no round to draw.
        Refused: somebody is missing or named twice, or a rule is broken.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        refuse_other_round(one, number)
        round_, standing, by_rules = preview(one)
        wanted = by_rules if lines is None else by_hand(lines, by_seed(one))
        problems = broken_rules(standing, wanted) if wanted != by_rules else []
        possible = {"missing", "twice"}.isdisjoint(rule for rule, _entrants in problems)
        if problems and not (possible and knowingly):
            raise Refused("rules", " ".join(sentences(problems, names(one))), field="pairs")
        if wanted != by_rules:
            sentence = _("You play in this competition. Ask another organiser to change a round.")
            refuse_own_competition(one, by, sentence)
        write(one, round_, wanted, now)
        why = checked_reason(reason) if wanted != by_rules else own_words("drawn")
        record(one, by, now, why, after={"round": round_.number})
    return round_


def refuse_other_round(one: Competition, number: int | None) -> None:
    """Refuse to draw a round that somebody else has drawn meanwhile."""
    round_ = next_round(one)
    if number is not None and (round_ is None or round_.number != number):
        raise Conflict(
            "drawn", _("Round %(number)d has been drawn meanwhile.") % {"number": number}
        )


def by_hand(lines: Sequence[Sequence[int]], entrants: Mapping[int, int]) -> SwissRound:
    """Return the round of lines of seeds.

    Raises:
        Refused: a seed is unknown, or a line has none or more than two, or there are two byes.
    """
    unknown = [seed for line in lines for seed in line if seed not in entrants]
    if unknown:
        raise Refused("seed", _("No entrant has the number %d.") % unknown[0], field="pairs")
    if any(len(line) not in {1, 2} for line in lines):
        raise Refused("line", _("Write two numbers in each line, home first."), field="pairs")
    alone = [entrants[line[0]] for line in lines if len(line) == 1]
    if len(alone) > 1:
        raise Refused("byes", _("Only one entrant can have a bye."), field="pairs")
    pairs = [(entrants[line[0]], entrants[line[1]]) for line in lines if len(line) == 2]
    return SwissRound(pairs, alone[0] if alone else None)


def by_seed(one: Competition) -> dict[int, int]:
    seeds = one.entrants.values_list("seed", "pk")
    return {seed: entrant for seed, entrant in seeds if seed is not None}


def names(one: Competition) -> dict[int, str]:
    return dict(one.entrants.values_list("pk", "name"))


def sentences(problems: Sequence[tuple[str, Sequence[int]]], name: Mapping[int, str]) -> list[str]:
    """Return a sentence for each problem of a round."""
    texts = {
        "missing": _("Not paired: %s."),
        "twice": _("Paired more than once: %s."),
        "free-again": _("Has had a bye or a win by forfeit: %s."),
        "met": _("Have met: %s."),
        "sides": _("Would be at one side too often: %s."),
        "apart": _("Should not meet: %s."),
    }
    return [
        texts[rule] % list_of(name[entrant] for entrant in entrants) for rule, entrants in problems
    ]


def why(error: NoPairing, name: Mapping[int, str]) -> str:
    """Return a sentence that says why no round can be drawn."""
    if error.reason == "left":
        return _("Fewer than two entrants are left.")
    if error.reason == "byes":
        return _("One entrant would need a bye, and everybody has had one.")
    if error.entrants:
        alone = list_of(name[entrant] for entrant in error.entrants)
        return _("Nobody is left to play %s.") % alone
    return _("Too many have met each other for another round.")
