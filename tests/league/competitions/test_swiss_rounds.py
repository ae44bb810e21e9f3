"""A Swiss, round by round."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Fixture, Player, StaffAction
from league.services.competitions import progress
from league.services.competitions.running import swiss_rounds
from league.services.competitions.standings import competition_tables
from league.services.core.errors import Conflict, Forbidden, Refused
from tests.support.cast import account
from tests.support.competition_steps import START, begun, crowd
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)


def decide(one: Competition, result: str = "home") -> None:
    """Decide all open fixtures of a competition as staff would."""
    one.fixtures.undecided().update(result=result, decided_by="staff", decided_at=START)


def pairs(one: Competition, number: int) -> list[tuple[int | None, int | None]]:
    """Return the seeds of a round's games."""
    drawn = one.fixtures.filter(round__number=number).order_by("number")
    return list(drawn.values_list("home__seed", "away__seed"))


@pytest.fixture
def five(duel: Arena, olga: Player) -> Competition:
    """Return a Swiss of five in three rounds, whose first round is open."""
    one = begun(duel, olga, crowd(5), "swiss")
    Competition.objects.filter(pk=one.pk).update(seed=2)
    return one


def test_each_round_is_drawn_when_it_is_due_and_all_before_it_are_decided(
    five: Competition,
) -> None:
    assert {frozenset(pair) for pair in pairs(five, 1)} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
        frozenset({5, None}),
    }
    progress.sweep(START + WEEK)
    assert not pairs(five, 2)
    decide(five)
    progress.sweep(START + WEEK - timedelta(hours=1))
    assert not pairs(five, 2)
    progress.sweep(START + WEEK)
    progress.sweep(START + WEEK)
    assert len(pairs(five, 2)) == 3
    assert not {frozenset(pair) for pair in pairs(five, 1)} & {
        frozenset(pair) for pair in pairs(five, 2)
    }


def test_it_ends_with_its_last_round(five: Competition) -> None:
    for number in range(3):
        progress.sweep(START + number * WEEK)
        decide(five)
    progress.sweep(START + 3 * WEEK)
    five.refresh_from_db()
    assert five.state == Competition.State.OVER
    [table] = competition_tables.read_tables(five)
    assert sum(line.row.points for line in table.lines) == 3 * 9
    byes = five.fixtures.filter(decided_by=Fixture.DecidedBy.BYE).values_list("home", flat=True)
    assert len(set(byes)) == 3


def test_staff_draw_the_next_round_early_and_as_they_want_it(
    five: Competition, olga: Player
) -> None:
    with pytest.raises(Conflict, match="still to be played"):
        swiss_rounds.preview(five)
    decide(five, "draw")
    _, _, drawn = swiss_rounds.preview(five)
    assert len(drawn.pairs) == 2
    round_ = swiss_rounds.pair_next(
        five.pk, [[1, 2], [3, 5], [4]], by=user_of(olga), reason="Travel", now=START
    )
    assert (round_.number, round_.opened_at) == (2, START)
    assert {frozenset(pair) for pair in pairs(five, 2)} == {
        frozenset({1, 2}),
        frozenset({3, 5}),
        frozenset({4, None}),
    }
    assert StaffAction.objects.filter(reason="Travel").exists()


def test_organisers_who_play_draw_only_what_the_rules_draw(
    duel: Arena, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    account("Oskar", superuser=True)
    one = begun(duel, olga, [alice, bob, eve, olga], "swiss", play={"rounds": 2})
    decide(one, "draw")
    _, standing, drawn = swiss_rounds.preview(one)
    seed = {entrant: number + 1 for number, entrant in enumerate(standing.entrants)}
    lines = [[seed[home], seed[away]] for home, away in drawn.pairs]
    turned = [line[::-1] for line in lines]
    with pytest.raises(Forbidden, match="Ask another organiser to change a round"):
        swiss_rounds.pair_next(
            one.pk, turned, by=user_of(olga), reason="x", now=START, knowingly=True
        )
    assert swiss_rounds.pair_next(one.pk, lines, by=user_of(olga), reason="", now=START)


def test_a_broken_rule_is_named_and_has_to_be_accepted(five: Competition, olga: Player) -> None:
    decide(five)
    lines = [[1, 3], [2, 5], [4]]
    with pytest.raises(Refused, match="Have met: Player"):
        swiss_rounds.pair_next(five.pk, lines, by=user_of(olga), reason="", now=START)
    assert not pairs(five, 2)
    swiss_rounds.pair_next(
        five.pk, lines, by=user_of(olga), reason="They asked for it", now=START, knowingly=True
    )
    assert len(pairs(five, 2)) == 3


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([[1, 2]], "Not paired"),
        ([[1, 2], [2, 3], [4, 5]], "more than once"),
        ([[1, 9]], "No entrant has the number 9"),
        ([[1, 2, 3]], "two numbers in each line"),
        ([[1], [2]], "Only one entrant can have a bye"),
    ],
)
def test_an_impossible_round_is_refused(
    five: Competition, olga: Player, lines: list[list[int]], message: str
) -> None:
    decide(five)
    with pytest.raises(Refused, match=message):
        swiss_rounds.pair_next(
            five.pk, lines, by=user_of(olga), reason="x", now=START, knowingly=True
        )
    assert not pairs(five, 2)


def test_only_organisers_draw(five: Competition, eve: Player) -> None:
    decide(five)
    with pytest.raises(Forbidden):
        swiss_rounds.pair_next(five.pk, [], by=user_of(eve), reason="", now=START)


def test_staff_read_the_next_round_before_they_draw_it(
    five: Competition, olga: Player, client: Client
) -> None:
    client.force_login(user_of(olga))
    url = reverse("admin:league_competition_pair", args=[five.pk])
    refused = client.get(url, follow=True)
    assert b"still to be played or decided" in refused.content
    assert b'name="pairs"' not in refused.content
    decide(five)
    shown = client.get(url).context["form"].initial["pairs"]
    assert shown.count("\n") == 2
    assert "Player 001" in shown
    assert b"Begin each line with a number" in client.post(url, {"pairs": "Bob – Eve"}).content
    assert b"Have met" in client.post(url, {"pairs": "1–3\n2-5\n4", "reason": "x"}).content
    assert not pairs(five, 2)
    client.post(url, {"pairs": shown})
    assert len(pairs(five, 2)) == 3
