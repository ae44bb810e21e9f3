"""The chances in brackets: against every bracket that is possible, and on the pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from time import process_time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.db.models import Q

from league.models import Fixture
from league.services.competitions import pages, progress
from league.services.competitions.chances import chances_of
from league.services.competitions.forecasts.bracket_forecast import (
    NOBODY,
    best_places,
    play_bracket,
)
from league.services.competitions.pairing.knockout import knockout
from league.services.competitions.running import withdrawing
from league.services.competitions.simulating import Simulation, seeds_without
from tests.support.competition_steps import START, begun, crowd
from tests.support.effort import examples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    from django.test import Client

    from league.models import Arena, Competition, Player
    from league.services.competitions.pairing.knockout import Slot, Source

    Floats = npt.NDArray[np.float64]


def some_odds(count: int) -> Floats:
    skill = np.random.default_rng(count).normal(size=count)
    odds: Floats = 1 / (1 + np.exp(skill[None, :] - skill[:, None]))
    return odds


def every_bracket(
    slots: Sequence[Slot], win: Floats, over: dict[int, tuple[int, int]] | None = None
) -> Iterator[tuple[float, dict[int, tuple[int, int]]]]:
    """Yield each possible bracket with its chance: (winner, loser) by slot. For tests only."""
    over = over or {}
    if len(over) == len(slots):
        yield 1.0, over
        return
    slot = slots[len(over)]

    def coming(source: Source) -> int:
        if source.kind == "entrant":
            return source.of
        return over[source.of][0 if source.kind == "winner" else 1]

    home, away = coming(slot.home), coming(slot.away)
    both = [(win[home, away], (home, away)), (win[away, home], (away, home))]
    if slot.stage == "final" and slot.round == 2 and over[slot.home.of][1] == lost_first(over):
        both = [(1.0, (home, away))]  # the undefeated side has won, so it is not played
    for chance, ended in both:
        for rest, whole in every_bracket(slots, win, over | {slot.number: ended}):
            yield chance * rest, whole


def lost_first(over: dict[int, tuple[int, int]]) -> int:
    """Return who came to the final with a loss: the one who has lost before."""
    final = max(over)
    before = Counter(loser for number, (_winner, loser) in over.items() if number != final)
    return next(one for one in over[final] if before[one])


def exact_tops(slots: Sequence[Slot], win: Floats, *, lives: int) -> dict[int, list[float]]:
    """Return by enumeration the chance of each entrant to be among the best k, by k."""
    count = len(win)
    found: dict[int, list[float]] = defaultdict(lambda: [0.0] * count)
    for chance, ended in every_bracket(slots, win):
        lost, out = Counter[int](), {}
        for slot in slots:
            winner, loser = ended[slot.number]
            if slot.stage == "final" and slot.round == 2 and not lost[winner]:
                continue
            lost[loser] += 1
            if lost[loser] == lives or slot == slots[-1]:
                out[loser] = ("final", 1) if slot.stage == "final" else (slot.stage, slot.round)
        rounds = list(dict.fromkeys(out[one] for one in sorted(out, key=lambda x: out[x][1])))
        rounds = [each for each in rounds if each[0] != "final"] + [("final", 1)]
        champion = (set(range(count)) - set(out)).pop()
        for at in range(len(rounds)):
            left = [one for one in out if rounds.index(out[one]) >= at] + [champion]
            for one in left:
                found[len(left)][one] += chance
        found[1][champion] += chance
    return found


@pytest.mark.parametrize(
    ("count", "double", "reset"),
    [
        (2, False, False),
        (5, False, False),
        (8, False, False),
        (3, True, False),
        (4, True, True),
        (5, True, True),
    ],
)
def test_the_chances_are_those_of_all_possible_brackets(
    count: int, double: bool, reset: bool
) -> None:
    win = some_odds(count)
    slots = knockout(range(count), double=double, reset=reset)
    exact = exact_tops(slots, win, lives=2 if double else 1)
    ended = play_bracket(slots, win, np.random.default_rng(9), seasons=20_000)
    tops = best_places(slots, ended, count)
    assert [top for top, _chances in tops] == sorted({*exact} - {count}, reverse=True)
    for top, chances in tops:
        assert chances.sum() == pytest.approx(top)
        assert np.abs(chances - exact[top]).max() < 0.015


def test_slots_that_are_over_are_taken_as_they_are() -> None:
    slots = knockout(range(4))
    drawn = play_bracket(
        slots,
        np.full((4, 4), 0.5),
        np.random.default_rng(1),
        decided={1: 3, 2: NOBODY},
        seasons=examples(50),
    )
    [(two, final), (one, wins)] = best_places(slots, drawn, 4)
    assert (two, final.tolist()) == (2, [0, 0, 0, 1])
    assert (one, wins.tolist()) == (1, [0, 0, 0, 1])


def test_nobody_drops_from_a_slot_that_both_lose() -> None:
    slots = knockout(range(4), double=True)
    drawn = play_bracket(
        slots, np.full((4, 4), 0.5), np.random.default_rng(1), decided={1: NOBODY}, seasons=50
    )
    wins = dict(best_places(slots, drawn, 4))[1]
    lost = [slots[0].home.of, slots[0].away.of]
    assert wins[lost].tolist() == [0, 0]
    assert wins.sum() == 1


def test_ten_thousand_brackets_of_64_take_less_than_a_second() -> None:
    slots = knockout(range(64), double=True, reset=True)
    seasons = min(10_000, examples(1_000))
    begun_at = process_time()
    ended = play_bracket(slots, some_odds(64), np.random.default_rng(7), seasons=seasons)
    best_places(slots, ended, 64)
    assert process_time() - begun_at < seasons / 10_000 + 0.1


@pytest.mark.parametrize(
    ("format_", "tops"),
    [
        ("single", [4, 2, 1]),
        ("double", [4, 3, 2, 1]),
        ("groups-knockout", [4, 2, 1]),
        ("swiss", [1, 2, 3, 4, 5]),
    ],
)
def test_everybody_has_chances(
    duel: Arena, olga: Player, client: Client, format_: str, tops: list[int]
) -> None:
    rules = {"play": {"groups": 2}} if format_ == "groups-knockout" else {}
    one = begun(duel, olga, crowd(5), format_, **rules)
    found = chances_of(one)
    assert [column.number for column in found.columns] == tops
    assert len(found.rows) == 5
    for at, column in enumerate(found.columns):
        total = sum(row[at] for row in found.rows.values())
        assert total == pytest.approx(1 if column.kind == "place" else column.number)
    page = client.get(one.get_absolute_url()).content.decode()
    assert "Chances" in page
    assert "The rest of the competition is simulated" in page


def test_who_is_out_of_a_bracket_has_no_chance(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single")
    first = one.fixtures.with_sides().get(number=1)
    Fixture.objects.filter(pk=first.pk).update(result="home", decided_by="staff", decided_at=START)
    progress.sweep(START)
    rows = chances_of(one).rows
    assert rows[first.away_id or 0] == [0, 0]
    assert rows[first.home_id or 0][0] == 1


@pytest.mark.parametrize("format_", ["single", "swiss", "groups-knockout"])
def test_who_has_withdrawn_wins_nothing_more(duel: Arena, olga: Player, format_: str) -> None:
    """The top seed has won their games so far, or has none yet."""
    rules = {"play": {"groups": 2, "withdrawal": "forfeit"}} if format_ == "groups-knockout" else {}
    one = begun(duel, olga, crowd(5), format_, **rules)
    before = chances_of(one)
    gone = one.entrants.get(seed=1)
    for fixture in one.fixtures.with_sides().filter(Q(home=gone) | Q(away=gone)):
        if fixture.home and fixture.away and format_ != "single":
            end(fixture, "home" if fixture.home == gone else "away")
    withdrawing.withdraw(one.pk, by=gone.captain, now=START)
    progress.process(one.pk, START)
    after = chances_of(one)
    assert after != before
    last = 0 if format_ == "swiss" else -1
    assert after.rows[gone.pk][last] < (0.1 if format_ == "swiss" else 1e-9)
    total = sum(row[last] for row in after.rows.values())
    assert total == pytest.approx(1)


@pytest.mark.parametrize("format_", ["table", "groups-knockout"])
def test_many_fixtures_are_simulated_less_often(
    duel: Arena, olga: Player, monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    rules = {"play": {"groups": 2}} if format_ == "groups-knockout" else {}
    one = begun(duel, olga, crowd(5), format_, **rules)
    monkeypatch.setattr(f"{Simulation.__module__}.MOST_GAMES", 7 * one.fixtures.count())
    monkeypatch.setattr(f"{Simulation.__module__}.LEAST_SEASONS", 1)
    found = Simulation(pages.load(one), START).chances()
    shares = np.array(list(found.rows.values())) * 7
    assert shares == pytest.approx(shares.round())
    tops = [1 if each.kind == "place" else each.number for each in found.columns]
    assert shares.sum(axis=0) / 7 == pytest.approx(tops)


def test_seeds_move_up_where_somebody_has_withdrawn() -> None:
    ahead = np.array([[0, 1, 2], [1, 2, 3]])
    assert seeds_without(ahead, [0, 1]).tolist() == [[2, 2], [NOBODY, 3]]


def test_a_second_final_that_is_due_is_open_to_both(duel: Arena, olga: Player) -> None:
    """The top seed lost a game of the winners' bracket, and has won the first final."""
    one = begun(duel, olga, crowd(3), "double")
    while (first := final_of(one, 1)).away is None or first.home is None:
        for fixture in one.fixtures.with_sides().filter(result="", round__stage__in=UNTIL_FINAL):
            if fixture.home and fixture.away:
                lost = fixture.round.stage == "winners" and fixture.home.seed == 1
                result = "away" if lost or fixture.away.seed == 1 else "home"
                end(fixture, result)
                progress.process(one.pk, START)
    assert [first.home.seed, first.away.seed] != [1, 2]
    assert first.away.seed == 1
    end(first, "away")
    progress.process(one.pk, START)
    rows = Simulation(pages.load(one), START).chances().rows
    assert rows[first.home.pk][-1] == pytest.approx(0.5, abs=0.05)
    assert rows[first.away.pk][-1] == pytest.approx(0.5, abs=0.05)


UNTIL_FINAL = ["winners", "losers"]


def final_of(one: Competition, number: int) -> Fixture:
    return one.fixtures.with_sides().get(round__stage="final", round__number=number)


def end(fixture: Fixture, result: str) -> None:
    Fixture.objects.filter(pk=fixture.pk).update(
        result=result, decided_by="staff", decided_at=START
    )
