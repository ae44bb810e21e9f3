"""The points of a table after each round, and their chart."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from league.models import Arena, Entrant, Player
from league.services.competitions.running import withdrawing
from league.services.competitions.standings.competition_tables import running_sums
from league.services.competitions.standings.entrant_rounds import Outcome, PointsRules, Result
from league.services.competitions.standings.tables import table
from league.web.rating.plots import keep_apart
from tests.support.competition_steps import START, begun
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of

ENTRANTS = [1, 2, 3, 4]
POINTS = PointsRules(Fraction(3), Fraction(1), Fraction(0), Fraction(-1), Fraction(3, 2))
RESULTS = st.lists(
    st.builds(
        lambda number, sides, outcome, played: Result(number, sides[0], sides[1], outcome, played),
        st.integers(1, 9),
        st.one_of(
            st.permutations(ENTRANTS).map(lambda order: (order[0], order[1])),
            st.sampled_from(ENTRANTS).map(lambda entrant: (entrant, None)),
        ),
        st.sampled_from(Outcome),
        st.booleans(),
    ),
    max_size=40,
)


@given(RESULTS)
def test_the_points_after_a_round_are_those_of_the_table_of_that_day(results: list[Result]) -> None:
    results = [one for one in results if one.away or one.outcome != Outcome.AWAY]
    sums = running_sums(ENTRANTS, results, POINTS)
    last = max((one.round for one in results), default=0)
    for entrant in ENTRANTS:
        assert len(sums[entrant]) == last
    for number in range(1, last + 1):
        until = [one for one in results if one.round <= number]
        for line in table(ENTRANTS, until, POINTS, []):
            assert sums[line.entrant][number - 1] == line.points


@given(st.lists(st.floats(0, 260), max_size=16))
def test_labels_keep_their_order_and_distance_within_the_plot(heights: list[float]) -> None:
    found = keep_apart(heights, 16)
    assert all(-0.001 <= one <= 260 for one in found)
    ordered = sorted(range(len(heights)), key=lambda nth: (heights[nth], nth))
    placed = [found[nth] for nth in ordered]
    assert all(b - a >= 15.999 for a, b in pairwise(placed))


def test_the_page_draws_the_leaders_and_ones_own_line(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    league = begun(duel, olga, [alice, bob, charlie], "table", play={"withdrawal": "forfeit"})
    page = browser_of(alice).get(league.get_absolute_url()).content.decode()
    assert 'class="card race"' not in page
    theirs = Entrant.objects.get(competition=league, player=charlie)
    withdrawing.withdraw_entrant(theirs.pk, by=user_of(olga), reason="Ill.", now=START)
    page = browser_of(alice).get(league.get_absolute_url()).content.decode()
    assert 'class="card race"' in page
    assert page.count('class="runner') == 3
    assert page.count(' own"') == 1
