"""Rounds of a Swiss that entrants sit out on request."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Entrant, Fixture, Player, StaffAction
from league.services.competitions import decisions, pages, progress
from league.services.competitions.running import sitting_out, withdrawing
from league.services.core.errors import Conflict, Forbidden, Refused
from tests.support.cast import account
from tests.support.competition_steps import START, begun, crowd
from tests.support.effort import examples
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)
WRONG: list[dict[str, object]] = [
    {"round": "x", "choice": "draw"},
    {"round": 3},
    {"round": 0, "choice": "play"},
    {"round": 2, "choice": "win"},
]
RULES = {"byes": 2, "half_byes": 1, "half_byes_until": 3, "rounds": 4}


def swiss_of(duel: Arena, olga: Player, count: int, **rules: Any) -> Competition:
    return begun(duel, olga, crowd(count), "swiss", play={**RULES, **rules})


def entrant(one: Competition, seed: int) -> Entrant:
    return one.entrants.with_people().get(seed=seed)


def decide_open(one: Competition, olga: Player, now: datetime) -> None:
    open_ = one.fixtures.filter(result=Fixture.Result.OPEN, away__isnull=False)
    for fixture in open_:
        decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Test.", now=now)


def points(one: Competition) -> dict[int, float]:
    [table] = pages.load(one).tables
    return {line.entrant.seed or 0: float(line.row.points) for line in table.lines}


def ask(one: Competition, seed: int, number: int, choice: str, now: datetime = START) -> None:
    sitting_out.ask(one.pk, number, choice, by=entrant(one, seed).captain, now=now)


def test_a_bye_counts_from_the_draw_of_its_round(duel: Arena, olga: Player) -> None:
    one = swiss_of(duel, olga, 7)
    before = points(one)
    ask(one, 1, 2, "draw")
    ask(one, 2, 2, "nothing")
    assert points(one) == before
    decide_open(one, olga, START)
    decided = points(one)
    progress.sweep(START + WEEK)
    after = points(one)
    assert (after[1], after[2]) == (decided[1] + 1, decided[2])
    drawn = one.fixtures.filter(round__number=2)
    named = [side for each in drawn for side in (each.home_id, each.away_id) if side]
    assert sorted(named) == sorted(one.entrants.values_list("pk", flat=True))
    assert drawn.exclude(away=None).count() == 2
    assert drawn.filter(away=None, result="home").count() == 1


def test_the_rules_say_how_often_and_until_when(duel: Arena, olga: Player) -> None:
    one = swiss_of(duel, olga, 6)
    with pytest.raises(Conflict, match="allow you no such bye"):
        ask(one, 1, 4, "draw")
    ask(one, 1, 2, "draw")
    with pytest.raises(Conflict, match="allow you no such bye"):
        ask(one, 1, 3, "draw")
    ask(one, 1, 4, "nothing")
    with pytest.raises(Conflict, match="allow you no such bye"):
        ask(one, 1, 3, "nothing")
    ask(one, 1, 4, "play")
    ask(one, 1, 3, "nothing")
    byes = sitting_out.byes_to_come(one, entrant(one, 1))
    assert {(each.round.number, each.result) for each in byes} == {(2, "draw"), (3, "neither")}


def test_without_the_rule_nobody_sits_out_on_their_own(
    duel: Arena, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, crowd(4), "swiss")
    with pytest.raises(Conflict):
        ask(one, 1, 2, "nothing")
    client.force_login(user_of(entrant(one, 1).captain))
    assert b"Sit out a round" not in client.get(one.get_absolute_url()).content


@pytest.mark.parametrize(
    ("number", "choice", "message"),
    [
        (1, "draw", "not drawn yet"),
        (9, "nothing", "not drawn yet"),
        (2, "win", "Choose what the round counts"),
    ],
)
def test_other_rounds_and_choices_are_refused(
    duel: Arena, olga: Player, number: int, choice: str, message: str
) -> None:
    one = swiss_of(duel, olga, 4)
    with pytest.raises(Refused, match=message):
        ask(one, 1, number, choice)


def test_only_entrants_of_a_running_swiss_sit_out(duel: Arena, olga: Player) -> None:
    table = begun(duel, olga, crowd(3), "table", play=RULES)
    with pytest.raises(Conflict, match="play in a Swiss"):
        ask(table, 1, 2, "nothing")


def test_a_withdrawal_ends_byes_to_come(duel: Arena, olga: Player) -> None:
    one = swiss_of(duel, olga, 6)
    ask(one, 1, 2, "draw")
    withdrawing.withdraw(one.pk, by=entrant(one, 1).captain, now=START)
    assert not one.fixtures.filter(round__number=2).exists()


def test_organisers_give_byes_beyond_the_rules(duel: Arena, olga: Player, client: Client) -> None:
    one = swiss_of(duel, olga, 6, byes=0)
    mine = entrant(one, 3)
    client.force_login(user_of(olga))
    page = client.get(reverse("admin:league_entrant_change", args=[mine.pk])).content
    assert b"Sit out a round" in page
    address = reverse("admin:league_entrant_bye", args=[mine.pk])
    given = {"round": 4, "choice": "draw", "reason": "Ill."}
    assert client.post(address, given).status_code == 302
    assert one.fixtures.get(round__number=4).home == mine
    assert StaffAction.objects.filter(reason="Ill.").exists()
    assert b"not drawn yet" in client.post(address, {**given, "round": 1}).content
    assert client.post(address, {**given, "choice": "play"}).status_code == 302
    assert not one.fixtures.filter(round__number=4).exists()


def test_organisers_who_play_give_no_byes(duel: Arena, olga: Player) -> None:
    account("Oskar", superuser=True)
    one = begun(duel, olga, [*crowd(3), olga], "swiss", play={"rounds": 3})
    with pytest.raises(Forbidden, match="Ask another organiser to give byes"):
        sitting_out.decide(
            one.entrants.get(player=olga).pk,
            2,
            "draw",
            by=user_of(olga),
            reason="Holiday.",
            now=START,
        )


def test_the_page_and_the_api_offer_byes(duel: Arena, olga: Player, client: Client) -> None:
    one = swiss_of(duel, olga, 6)
    mine = entrant(one, 1)
    client.force_login(user_of(mine.captain))
    page = client.get(one.get_absolute_url()).content.decode()
    assert "Sit out a round" in page
    assert "Everybody can ask to sit out 2 rounds that are not drawn yet" in page
    entry = reverse("competition_entry", args=[duel.slug, one.pk])
    sent = {"answer": "sit-out", "round": 2, "choice": "draw"}
    page = client.post(entry, sent, follow=True).content.decode()
    assert page.count("You sit out round 2, which counts as a draw.") == 2
    assert "Play in round 2 after all" in page
    shown = client.get(f"{one.get_absolute_url()}?round=2").content.decode()
    assert "sits out, as a draw" in shown
    byes = reverse("api:competition-byes", args=[one.pk])

    def send(given: dict[str, object]) -> int:
        return client.post(byes, given, content_type="application/json").status_code

    assert send({"round": 2, "choice": "play"}) == 200
    assert send({"round": 4, "choice": "draw"}) == 409
    assert send({"round": 3, "choice": "nothing"}) == 200
    listed = client.get(reverse("api:fixtures", args=[one.pk])).json()["results"]
    [bye] = [each for each in listed if each["round"] == 3]
    assert (bye["home"], bye["away"], bye["result"], bye["decided_by"]) == (
        mine.pk,
        None,
        "neither",
        "bye",
    )
    for wrong in WRONG:
        assert send(wrong) == 400
    assert client.post(entry, {"answer": "sit-out", "round": "x"}).status_code in {400, 409}


def test_a_round_that_some_sit_out_does_not_end_the_swiss(duel: Arena, olga: Player) -> None:
    """Of three, 2 and 3 have met when 1 sits out, so both have a bye."""
    one = swiss_of(duel, olga, 3, rounds=2)
    decide_open(one, olga, START)
    played = one.fixtures.exclude(away=None).get()
    other = one.entrants.with_people().exclude(pk__in=[played.home_id, played.away_id]).get()
    sitting_out.ask(one.pk, 2, "draw", by=other.captain, now=START)
    progress.sweep(START + WEEK)
    drawn = one.fixtures.filter(round__number=2)
    assert {each.home_id: (each.away_id, each.result) for each in drawn} == {
        other.pk: (None, "draw"),
        played.home_id: (None, "home"),
        played.away_id: (None, "home"),
    }
    progress.sweep(START + WEEK)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER


@pytest.mark.parametrize("seed", range(examples(3)))
def test_everybody_comes_and_goes_and_the_swiss_ends(duel: Arena, olga: Player, seed: int) -> None:
    generator = np.random.default_rng([seed, 17])
    count = int(generator.integers(2, 8))
    one = swiss_of(duel, olga, count, byes=9, half_byes=9, half_byes_until=0, rounds=count - 1)
    rounds = one.rounds.count()
    for week in range(rounds + 2):
        now = START + week * WEEK
        decide_open(one, olga, now)
        for each in one.entrants.in_play().with_people():
            if one.rounds.filter(number=week + 2).exists() and generator.random() < 0.4:
                choice = ["draw", "nothing", "play"][generator.integers(3)]
                sitting_out.ask(one.pk, week + 2, choice, by=each.captain, now=now)
        progress.sweep(now + WEEK)
        one.refresh_from_db()
        for round_ in one.rounds.filter(opened_at__isnull=False):
            named = [
                side
                for each in round_.fixtures.all()
                for side in (each.home_id, each.away_id)
                if side
            ]
            assert sorted(named) == sorted(one.entrants.values_list("pk", flat=True))
        if one.state == Competition.State.OVER:
            break
    assert one.state == Competition.State.OVER
    assert len(one.fixtures.values_list("number", flat=True).distinct()) == one.fixtures.count()
