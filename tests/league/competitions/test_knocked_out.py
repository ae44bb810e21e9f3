"""A bracket tells its entrants when nothing is left for them to play."""

import random
from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, Competition, Player
from league.services.competitions import decisions, pages, progress
from tests.support.competition_steps import START, begun, crowd, play, sides_of
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

WEEK = timedelta(days=7)


def played_through(
    one: Competition, rng: random.Random, olga: Player
) -> list[tuple[set[int], set[int]]]:
    """Decide a bracket to its end: who is said to be out each time, and who then plays."""
    steps: list[tuple[set[int], set[int]]] = []
    for week in range(40):
        now = START + week * WEEK
        for settled in (False, True):  # the bracket is filled a moment after a result
            if settled:
                progress.sweep(now)
            page = pages.load(one)
            out = {each.pk for each in page.entrants if page.knocked_out_in(each)}
            steps.append((out, set()))
        lines = [line for each in page.bracket for line in each.fixtures]
        ready = [
            line.fixture
            for line in lines
            if not line.outcome.is_decided and line.fixture.home and line.fixture.away
        ]
        if not ready:
            break
        fixture, result = rng.choice(ready), rng.choice(["home", "away"])
        steps.append((out, {each.pk for each in sides_of(fixture)}))
        decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)
        one.refresh_from_db()
    return steps


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["single", "double"])
def test_who_is_out_never_plays_again_and_all_others_do(
    duel: Arena, olga: Player, kind: str, seed: int
) -> None:
    rng = random.Random(f"{kind}{seed}")  # noqa: S311 - repeatable
    one = begun(duel, olga, crowd(rng.randint(4, 7)), kind)
    steps = played_through(one, rng, olga)
    everybody = {each.pk for each in one.entrants.all()}
    assert len(steps[-1][0]) == len(everybody) - 1  # all but the winner
    for at, (out, _now) in enumerate(steps):
        later = {each for _out, playing in steps[at:] for each in playing}
        assert not out & later
        assert everybody - out <= later | (everybody - steps[-1][0])


def test_the_page_says_so_and_offers_no_withdrawal(duel: Arena, olga: Player) -> None:
    players = crowd(4)
    one = begun(duel, olga, players, "single")
    page = pages.load(one)
    fixture = next(line.fixture for line in page.bracket[0].fixtures)
    home, away = sides_of(fixture)
    assert home.player
    assert away.player
    play(fixture, home.player)
    address = reverse("competition", args=[duel.slug, one.pk])
    loser, winner = (words(browser_of(each).get(address)) for each in (away.player, home.player))
    assert "Your entry · knocked out (Semi-finals)" in loser
    assert "Withdraw" not in loser
    assert "knocked out" not in winner
    assert "Withdraw" in winner
