"""The rating in hindsight on a player's page."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Arena, HindsightCurve, Player
from league.services.privacy.reading import set_privacy
from league.services.results.records import histories
from league.services.seasons import hindsight
from league.web.rating import player_charts
from tests.support.cast import NOW
from tests.support.correction_steps import correct
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

TONIGHT = NOW + timedelta(days=3)
SENTENCE = (
    "In hindsight: how strong Alice was, by all matches, earlier and later, as of 4 Mar 2026 ."
)


@pytest.fixture(autouse=True)
def results(duel: Arena, alice: Player, bob: Player) -> None:
    """Alice wins, wins and loses against Bob, a day after another."""
    forget()
    for day, (winner, loser) in enumerate([(alice, bob), (alice, bob), (bob, alice)]):
        win(duel, winner, loser, now=NOW + timedelta(days=day))


def forget() -> None:
    """Empty what a process keeps of histories."""
    histories.clear_cache()
    player_charts.render_chart.cache_clear()
    player_charts.rendered_form.cache_clear()


def page(player: Player, reader: Client | None = None) -> str:
    return (reader or Client()).get(player.get_absolute_url()).content.decode()


def statements(player: Player) -> int:
    with CaptureQueriesContext(connection) as captured:
        page(player)
    return len(captured)


def rows(text: str) -> list[tuple[str, str]]:
    """Return the tooltip and the last cell of each row of the chart's table."""
    return re.findall(r'<tr data-at.*?data-says="(.*?)">.*<td class="number">(.*?)</td></tr>', text)


def seen(player: Player) -> list[str]:
    """Return the stored ratings in hindsight as the table writes them."""
    curve = HindsightCurve.objects.get(player=player)
    both = zip(curve.ratings, curve.deviations, strict=True)
    return [f"{rating:.0f} ± {deviation:.0f}" for rating, deviation in both]


def test_the_line_appears_on_the_morning_after(alice: Player) -> None:
    assert "indsight" not in page(alice)
    hindsight.compute_due(TONIGHT)
    text = page(alice)
    assert '<path class="hindsight" d="M' in text
    assert SENTENCE in words(Client().get(alice.get_absolute_url()))
    first, second, third = seen(alice)
    assert '<th scope="col" class="number">In hindsight</th>' in text
    assert [cell for _says, cell in rows(text)] == ["", first, second, third]
    start, match, *_others = (says for says, _cell in rows(text))
    assert "hindsight" not in start
    assert match.endswith(f" · in hindsight {first}")
    ends = f"from {first.split()[0]} to {third.split()[0]}."
    assert f"The dashed line is the rating in hindsight, {ends}" in text


def test_it_ends_with_the_last_match_that_was_computed(
    duel: Arena, alice: Player, bob: Player
) -> None:
    hindsight.compute_due(TONIGHT)
    win(duel, alice, bob, now=TONIGHT)
    assert [cell for _says, cell in rows(page(alice))] == ["", *seen(alice), ""]
    hindsight.compute_due(TONIGHT + timedelta(days=1))
    assert [cell for _says, cell in rows(page(alice))] == ["", *seen(alice)]
    assert len(seen(alice)) == 4


def test_a_player_who_hides_their_history_hides_it(alice: Player, bob: Player) -> None:
    hindsight.compute_due(TONIGHT)
    set_privacy(alice, hides_history=True, is_unlisted=False)
    assert "indsight" not in page(alice)
    assert "indsight" not in page(alice, browser_of(bob))
    assert "in hindsight" in page(alice, browser_of(alice))


def test_it_costs_one_statement_until_something_changes(alice: Player) -> None:
    page(alice)
    forget()
    without = statements(alice)
    without_cached = statements(alice)
    hindsight.compute_due(TONIGHT)
    forget()
    assert statements(alice) == without + 1
    assert statements(alice) == without_cached


def test_a_season_whose_ratings_cannot_be_compared_costs_nothing(
    duel: Arena, alice: Player
) -> None:
    duel.seasons.update(rating_system="trueskill", rating_parameters={})
    page(alice)
    forget()
    without = statements(alice)
    hindsight.compute_due(TONIGHT)
    forget()
    assert statements(alice) == without
    assert "indsight" not in page(alice)


def test_a_correction_shows_the_line_of_the_night_before(
    alice: Player, olga: Player, duel: Arena
) -> None:
    hindsight.compute_due(TONIGHT)
    match = duel.matches.order_by("rated_order")[0]
    assert olga.user
    correct(match, olga.user)
    assert SENTENCE in words(Client().get(alice.get_absolute_url()))
    hindsight.compute_due(TONIGHT + timedelta(days=1))
    assert SENTENCE.replace("4 Mar", "5 Mar") in words(Client().get(alice.get_absolute_url()))


def test_it_is_shown_on_the_scale_of_the_arena(duel: Arena, alice: Player) -> None:
    hindsight.compute_due(TONIGHT)
    duel.display = {"scale": "scaled", "factor": 10, "offset": 5}
    duel.full_clean()
    duel.save()
    curve = HindsightCurve.objects.get(player=alice)
    rating, deviation = 10 * curve.ratings[0] + 5, 10 * curve.deviations[0]
    assert f"in hindsight {rating:.0f} ± {deviation:.0f}" in page(alice)
