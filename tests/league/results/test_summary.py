"""The sentence at the top of a match, with the calculation of its rating change."""

import re
from typing import Any

import pytest
from django.test import Client

from league.models import Agreement, Arena, Match, Player
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.cast import NOW, account, arena, beats
from tests.support.web_steps import browser_of, words

pytestmark = pytest.mark.django_db


def happened(client: Client, match: Match) -> str:
    found = re.search(
        r'<p class="happened">(.*?)</p>', client.get(match.get_absolute_url()).content.decode()
    )
    return words_of(found[1]) if found else ""


def words_of(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", markup).split())


def value(text: str) -> float:
    return float(text.replace("−", "-").replace("+", "").replace("±", ""))


@pytest.mark.parametrize("system", ["elo", "glicko-2", "fermi", "trueskill", "laurel", "wager"])
def test_the_calculation_gives_the_change(alice: Player, charlie: Player, system: str) -> None:
    one = arena("one", rating_system=system, draws_allowed=False)
    for winner, loser in ((alice, charlie), (alice, charlie), (charlie, alice)):
        match = confirm(beats(winner, loser, one).pk, by=loser, now=NOW)
        for reader in (alice, charlie):
            said = happened(browser_of(reader), match)
            outcome = "won" if reader == winner else "lost"
            assert re.match(rf"{reader} had a win chance of \d+(\.\d+)? % and {outcome}\.", said)
            event = match.events.get(player=reader)
            moved = re.search(r"([+−±][\d.]+)$", said)
            assert moved, said
            assert value(moved[1]) == pytest.approx(event.change, abs=0.11)
            if sums := re.search(r"([\d.]+) × \(([\d.]+) − ([\d.]+)\) =", said):
                step, actual, expected = map(float, sums.groups())
                assert step * (actual - expected) == pytest.approx(event.change, rel=0.005, abs=0.2)
            elif product := re.search(r"([\d.]+) × ([−\d.]+) =", said):
                assert value(product[1]) * value(product[2]) == pytest.approx(
                    event.change, rel=0.005, abs=0.2
                )
            else:
                assert system in {"trueskill", "wager", "laurel"}, said


def test_a_reported_match_has_not_happened_yet(duel: Arena, alice: Player, charlie: Player) -> None:
    assert happened(Client(), beats(alice, charlie, duel)) == ""


def test_a_match_of_teams_has_a_line_for_each_player(duel: Arena) -> None:
    fives = arena("fives", team_size_min=5, team_size_max=5)
    players = [account(f"Player {number}") for number in range(10)]
    sides = [StartingSide(players[0], players[:5]), StartingSide(players[5], players[5:])]
    made = start(fives, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    finish(made.pk, [Finish(0, 3), Finish(1, 1)], reporter=players[0], now=NOW)
    match = confirm(made.pk, by=players[5], now=NOW)
    page: Any = Client().get(match.get_absolute_url())
    markup = page.content.decode()
    lines = re.findall(r'<li class="seat">(.*?)</li>', markup, re.DOTALL)
    assert len(lines) == 10
    for line, player in zip(lines, players, strict=True):
        event = match.events.get(player=player)
        said = words_of(line)
        assert player.name in said
        assert f"before: {event.rating_before:.1f}" in said
        assert "player-picture" in line
        # The calculation is there on demand.
        assert "<details" in line
        assert f"Full calculation for {player}" in said
    assert re.search(r"Player 0 and 4 more had an expected result of 50 % and won", words(page))
    report = "Report a player to the moderators"
    mine = browser_of(players[0]).get(match.get_absolute_url()).content.decode()
    assert mine.index("Rating changes") < mine.index(report)
