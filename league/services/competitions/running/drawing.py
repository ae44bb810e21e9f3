"""The draw: the rounds of a competition with their windows, and their fixtures."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Max

from league.models import Competition, Fixture, Round
from league.services.competitions.pairing.groups import groups as in_groups
from league.services.competitions.pairing.knockout import knockout
from league.services.competitions.pairing.round_robin import round_robin
from ratings.tunables.spans import add_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Entrant
    from league.services.competitions.pairing.knockout import Slot

    Pairs = Sequence[tuple[Entrant, Entrant]]

Stage = Round.Stage
DAY = timedelta(days=1)
EVENING = timedelta(hours=6)
"""The length of an evening: what is late by less still takes place on it."""
Source = Fixture.Source


def plan_round(one: Competition, stage: Round.Stage, number: int, opens_at: datetime) -> Round:
    """Return a round that opens at a time, with its window and default date. It is not saved."""
    round_ = Round(competition=one, stage=stage, number=number)
    set_window(one, round_, opens_at)
    return round_


def set_window(one: Competition, round_: Round, opens_at: datetime) -> None:
    """Let a round open at a time. Its default date is within it, however short its month is."""
    round_.opens_at, round_.closes_at = opens_at, after_a_round(one, opens_at)
    play_at = later(one, opens_at, one.ruled_by().dates.default_after)
    round_.play_at = min(play_at, round_.closes_at - timedelta(minutes=1))


def evening_of(one: Competition, planned: datetime, now: datetime) -> datetime:
    """Return a planned time, or its hour on the first day whose evening is not over.

    So what was planned for the club’s evening never begins at the hour of the night at which
    somebody, or a process, came to it.
    """
    zone, over = one.season.arena.zone, now - EVENING
    days = max(0, (over - planned) // DAY)
    while (moment := add_span(planned, DAY.total_seconds(), zone, days)) <= over:
        days += 1
    return moment


def end_of(one: Competition, round_: Round) -> datetime:
    """Return until when the fixtures of a round can be played."""
    return later(one, round_.closes_at, one.ruled_by().dates.beyond)


def after_a_round(one: Competition, moment: datetime, rounds: int = 1) -> datetime:
    """Return when a number of rounds end if the first one begins at a moment."""
    return later(one, moment, one.ruled_by().dates.round_length, rounds)


def later(one: Competition, moment: datetime, span: float, times: int = 1) -> datetime:
    """Return a moment after ``times`` spans by the clocks of the arena."""
    return add_span(moment, span, one.season.arena.zone, times)


def plan_rounds(
    one: Competition, stage: Round.Stage, count: int, begins_at: datetime
) -> list[Round]:
    """Save the rounds of a stage, one after the other, and return them."""
    return Round.objects.bulk_create(
        plan_round(one, stage, number + 1, after_a_round(one, begins_at, number))
        for number in range(count)
    )


def write_fixtures(
    one: Competition, round_: Round, pairs: Pairs, *, best_of: int = 1
) -> list[Fixture]:
    """Save the fixtures of a round between known entrants, and return them."""
    first = next_number(one)
    return Fixture.objects.bulk_create(
        Fixture(
            competition=one,
            round=round_,
            number=first + at,
            home=home,
            away=away,
            best_of=best_of,
        )
        for at, (home, away) in enumerate(pairs)
    )


def next_number(one: Competition) -> int:
    """Return the number of a further fixture. Some before it may be gone."""
    return int(one.fixtures.aggregate(last=Max("number"))["last"] or 0) + 1


def write_byes(
    one: Competition,
    round_: Round,
    entrants: Iterable[Entrant],
    now: datetime,
    result: Fixture.Result = Fixture.Result.HOME,
) -> None:
    """Save the byes of a round, which need no game.

    A draw is one that an entrant asked for, and neither is a round without points.
    """
    first = next_number(one)
    Fixture.objects.bulk_create(
        Fixture(
            competition=one,
            round=round_,
            number=first + at,
            home=entrant,
            away_source=Source.BYE,
            result=result,
            decided_by=Fixture.DecidedBy.BYE,
            decided_at=now,
        )
        for at, entrant in enumerate(entrants)
    )


def draw_table(one: Competition, entrants: Sequence[Entrant], begins_at: datetime) -> None:
    """Draw a league table: everybody meets everybody."""
    write_rounds(one, Stage.TABLE, [entrants], begins_at)


def draw_groups(one: Competition, entrants: Sequence[Entrant], begins_at: datetime) -> None:
    """Spread the entrants, in the order of their seeds, over groups and draw a table for each."""
    by_id = {entrant.pk: entrant for entrant in entrants}
    wanted = one.ruled_by().play.groups or round(len(entrants) / 4)
    count = max(1, min(wanted, len(entrants) // 2))
    groups = [[by_id[pk] for pk in group] for group in in_groups([*by_id], count)]
    for number, group in enumerate(groups):
        for entrant in group:
            entrant.group = number
    type(entrants[0]).objects.bulk_update(entrants, ["group"])
    write_rounds(one, Stage.GROUPS, groups, begins_at)


def write_rounds(
    one: Competition, stage: Round.Stage, groups: Sequence[Sequence[Entrant]], begins_at: datetime
) -> None:
    """Save the rounds of tables that are played side by side."""
    legs = one.ruled_by().play.legs
    by_id = {entrant.pk: entrant for group in groups for entrant in group}
    drawn = [round_robin([each.pk for each in group], legs) for group in groups]
    rounds = plan_rounds(one, stage, max(map(len, drawn)), begins_at)
    written = []
    for at, round_ in enumerate(rounds):
        pairs = [pair for table in drawn if at < len(table) for pair in table[at]]
        written += [
            Fixture(competition=one, round=round_, home=by_id[home], away=by_id[away])
            for home, away in pairs
        ]
    for number, fixture in enumerate(written):
        fixture.number = number + 1
    Fixture.objects.bulk_create(written)


def draw_bracket(one: Competition, entrants: Sequence[Entrant], begins_at: datetime) -> None:
    """Draw a bracket of entrants in the order of their seeds."""
    rounds, fixtures = plan_bracket(one, entrants, begins_at, after=one.fixtures.count())
    Round.objects.bulk_create(rounds)
    Fixture.objects.bulk_create(fixtures)


def plan_bracket(
    one: Competition, entrants: Sequence[Entrant], begins_at: datetime, *, after: int
) -> tuple[list[Round], list[Fixture]]:
    """Return the rounds and fixtures of a bracket of entrants in the order of their seeds.

    Fixtures are numbered ``after`` those before them. Nothing is saved.
    """
    rules = one.ruled_by().play
    double = one.format == Competition.Format.DOUBLE
    by_id = {entrant.pk: entrant for entrant in entrants}
    third_place = rules.third_place and not double and len(entrants) > 3
    reset = double and rules.second_final
    slots = knockout([*by_id], double=double, third_place=third_place, reset=reset)
    rounds = bracket_rounds(one, slots, depths_of(slots), begins_at)
    return list(rounds.values()), [
        Fixture(
            competition=one,
            round=rounds[slot.stage, slot.round],
            number=after + slot.number,
            best_of=rules.best_of,
            **side("home", slot.home, by_id, after),
            **side("away", slot.away, by_id, after),
        )
        for slot in slots
    ]


def side(
    name: str, source: tuple[str, int | None], by_id: Mapping[int, Entrant], offset: int
) -> dict[str, object]:
    """Return the fields of a side of a fixture in a bracket."""
    kind, number = source
    if kind == "entrant" and number is not None:
        return {name: by_id[number], f"{name}_source": Source.DRAWN}
    return {
        f"{name}_source": Source(kind),
        f"{name}_source_number": None if number is None else offset + number,
    }


def depths_of(slots: Sequence[Slot]) -> dict[int, int]:
    """Return how many rounds have to be played before each slot, by its number."""
    by_number = {slot.number: slot for slot in slots}
    depths: dict[int, int] = {}

    def depth(number: int) -> int:
        if number not in depths:
            slot = by_number[number]
            before = [n for kind, n in (slot.home, slot.away) if kind in {"winner", "loser"} and n]
            depths[number] = 1 + max(map(depth, before)) if before else 0
        return depths[number]

    for slot in slots:
        depth(slot.number)
    return depths


def bracket_rounds(
    one: Competition, slots: Sequence[Slot], depths: Mapping[int, int], begins_at: datetime
) -> dict[tuple[str, int], Round]:
    """Return the rounds of a bracket, by stage and number. They are not saved.

    A round begins when its last slot can be played. Rounds of both brackets run side by side.
    """
    latest: dict[tuple[str, int], int] = {}
    for slot in slots:
        key = (str(slot.stage), slot.round)
        latest[key] = max(latest.get(key, 0), depths[slot.number])
    return {
        (stage, number): plan_round(one, Stage(stage), number, after_a_round(one, begins_at, depth))
        for (stage, number), depth in latest.items()
    }
