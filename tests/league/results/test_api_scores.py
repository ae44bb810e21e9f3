"""Programs report scores alone where the arena says that they decide, by the rule of the forms."""

from itertools import product
from typing import Any

import pytest

from league.models import Arena, Match, Player
from league.services.core.clock import database_now
from league.services.results.reports.live import StartingSide, start
from tests.support.api_steps import by_token, win
from tests.support.cast import arena
from tests.support.web_steps import reports, result_form

REPORTS = "/api/v1/arenas/duel/reports/"


@pytest.fixture
def scoring_arena(duel: Arena) -> Arena:
    """An arena in which the higher score wins."""
    return with_order(duel, "higher")


def with_order(where: Arena, order: str, *, draws: bool = True) -> Arena:
    where.result_rules = {**where.result_rules, "scores": order}
    where.draws_allowed = draws
    where.save()
    return where


def report(one: Player, other: Player, *sides: dict[str, Any]) -> dict[str, Any]:
    """Return a report of these places and scores."""
    made = win(one, other)
    for side, result in zip(made["sides"], sides, strict=True):
        del side["place"]
        side.update(result)
    return made


def faults(answer: Any) -> list[str]:
    assert answer.status_code == 400, answer.json()
    return [error["field"] for error in answer.json()["errors"]]


def placed(match: Match) -> list[int | None]:
    return list(match.sides.order_by("index").values_list("place", flat=True))


@pytest.mark.parametrize("order", ["higher", "lower"])
@pytest.mark.parametrize(("one", "other"), [*product([0, 2, 3], repeat=2), (None, 1), (None, None)])
def test_the_api_says_who_won_as_the_form_does(
    duel: Arena, alice: Player, charlie: Player, order: str, one: int | None, other: int | None
) -> None:
    with_order(duel, order)
    sent = report(alice, charlie, {"score": one}, {"score": other})
    by_api = by_token(alice).post(REPORTS, sent, format="json")
    matches = list(Match.objects.all())
    scores = {"score-0": "" if one is None else one, "score-1": "" if other is None else other}
    reports(alice, duel, result_form("charlie", outcome="", **scores))
    by_form = Match.objects.exclude(pk__in=[match.pk for match in matches]).first()
    if one is None or other is None:
        assert by_api.status_code == 400
        assert by_form is None
        return
    assert by_api.status_code == 201, by_api.json()
    assert by_form is not None
    assert placed(matches[0]) == placed(by_form)


def test_what_is_missing_is_named(scoring_arena: Arena, alice: Player, charlie: Player) -> None:
    program = by_token(alice)
    both = ["sides.0.place", "sides.1.place"]
    for first, second, fields in (
        ({}, {}, both),
        ({"score": None, "place": None}, {}, both),
        ({"score": 3}, {}, ["sides.1.score"]),
        ({"score": 3, "place": 0}, {"score": 2}, ["sides.1.place"]),
        ({"score": 3, "place": 1}, {"score": 2, "place": 0}, ["sides.1.score"]),
    ):
        sent = report(alice, charlie, first, second)
        assert faults(program.post(REPORTS, sent, format="json")) == fields
    with_order(scoring_arena, "free")
    sent = report(alice, charlie, {"score": 3}, {"score": 2})
    assert faults(program.post(REPORTS, sent, format="json")) == both
    with_order(scoring_arena, "higher", draws=False)
    sent = report(alice, charlie, {"score": 2}, {"score": 2})
    level = program.post(REPORTS, sent, format="json")
    assert faults(level) == []
    assert "has no draws" in level.json()["detail"]
    assert not Match.objects.exists()


def test_every_door_for_a_result_takes_scores_alone(
    scoring_arena: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    sides = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    live = start(scoring_arena, sides, now=database_now())
    scores = [{"score": 1}, {"score": 4}]
    address = f"/api/v1/matches/{live.pk}"

    def post(by: Player, verb: str, **sent: Any) -> None:
        answer = by_token(by).post(f"{address}/{verb}/", sent, format="json")
        assert answer.status_code in {200, 201}, answer.json()

    post(alice, "report", sides=scores)
    assert placed(live) == [1, 0]
    post(alice, "change", sides=scores[::-1])
    assert placed(live) == [0, 1]
    post(charlie, "counter-report", sides=scores, revision=2)
    assert live.counter_reports.get().placings == [[1, 1.0], [0, 4.0]]
    post(olga, "decision", verdict="corrected", reason="As in the protocol.", placings=scores)
    assert placed(live) == [1, 0]
    post(olga, "correction-preview", placings=scores[::-1])


def test_a_race_is_placed_by_its_points(alice: Player, charlie: Player, eve: Player) -> None:
    race = arena("race", format="free-for-all", sides_min=3, sides_max=3)
    with_order(race, "higher")
    people = [alice, charlie, eve]
    sent = win(alice, charlie)
    sent["sides"] = [
        {"captain": one.pk, "participants": [{"player": one.pk}], "score": score}
        for one, score in zip(people, [5, 9, 5], strict=True)
    ]
    made = by_token(alice).post("/api/v1/arenas/race/reports/", sent, format="json")
    assert made.status_code == 201, made.json()
    assert placed(Match.objects.get()) == [1, 0, 1]
