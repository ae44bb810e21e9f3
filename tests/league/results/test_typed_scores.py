"""What the scores of a form say about its winner."""

import pytest
from django.urls import reverse

from league.models import Arena, Match, Player, Side
from tests.support.result_steps import rules
from tests.support.web_steps import browser_of, reports, result_form, words


def winner(match: Match) -> str:
    first = match.sides.filter(place=0)
    return " and ".join(first.order_by("index").values_list("captain__name", flat=True))


@pytest.mark.parametrize(
    ("better", "scores", "expected"),
    [
        ("higher", ("3", "1"), "Alice"),
        ("higher", ("0", "0.5"), "Charlie"),
        ("lower", ("3", "1"), "Charlie"),
        ("higher", ("2", "2"), "Alice and Charlie"),
    ],
)
def test_scores_alone_say_who_won(
    duel: Arena, alice: Player, charlie: Player, better: str, scores: tuple[str, str], expected: str
) -> None:
    rules(duel, scores=better)
    form = result_form("Charlie", **{"outcome": "", "score-0": scores[0], "score-1": scores[1]})
    assert reports(alice, duel, form).status_code == 302
    assert winner(Match.objects.get()) == expected


@pytest.mark.parametrize(
    ("better", "draws", "scores", "asked"),
    [
        ("free", True, ("3", "1"), "Choose who won."),
        ("higher", False, ("2", "2"), "Choose who won."),
        ("higher", True, ("3", ""), "Enter this score, too, or choose who won."),
        ("higher", True, ("", ""), "Enter the score. Without one, choose who won."),
    ],
)
def test_scores_that_do_not_say_who_won_are_asked_about(
    duel: Arena,
    alice: Player,
    charlie: Player,
    better: str,
    draws: bool,
    scores: tuple[str, str],
    asked: str,
) -> None:
    duel.draws_allowed = draws
    rules(duel, scores=better)
    form = result_form("Charlie", **{"outcome": "", "score-0": scores[0], "score-1": scores[1]})
    answer = reports(alice, duel, form)
    assert answer.status_code == 400
    assert asked in words(answer)


def test_a_winner_of_level_scores_is_asked_about(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    form = result_form("Charlie", **{"score-0": "2", "score-1": "2"})
    asked = reports(alice, duel, form)
    assert asked.status_code == 400
    assert "The score is level. Tick this, or correct it." in words(asked)
    assert not Match.objects.exists()
    assert reports(alice, duel, form | {"won_level": "on"}).status_code == 302
    match = Match.objects.get()
    assert winner(match) == "Alice"
    counter = {"outcome": "1", "score-0": "1", "score-1": "1", "revision": "1"}
    address = reverse("match_counter", args=[match.pk])
    assert "The score is level" in words(browser_of(charlie).post(address, counter))


def test_level_scores_of_a_draw_and_where_scores_say_nothing_are_not_asked_about(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    form = result_form("Charlie", **{"outcome": "draw", "score-0": "2", "score-1": "2"})
    assert reports(alice, duel, form).status_code == 302
    rules(duel, scores="free")
    form = result_form(
        "Charlie", **{"score-0": "2", "score-1": "2", "played_at": "2026-01-05T10:00"}
    )
    assert reports(alice, duel, form).status_code == 302
    assert Side.objects.count() == 4
