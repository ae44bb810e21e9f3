"""A rating before a match, its change and the rating after it add up as they are shown."""

import re
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.services.results.forecasts.outcomes import Change
from league.templatetags.laurel import brief_change, change, rated, rated_after, rated_before
from ratings.display import FixedRange, Scaled
from ratings.registry import SYSTEMS
from ratings.system import Shows

RATINGS = st.floats(-6000, 6000)
SHOWS: st.SearchStrategy[Shows] = st.one_of(
    st.sampled_from([system.shows for system in SYSTEMS.values() if system.name != "ladder"]),
    st.builds(
        Scaled,
        decimals=st.integers(0, 4),
        factor=st.floats(0.01, 100),
        offset=st.floats(-5000, 5000),
        lowest=st.one_of(st.just(-1e9), st.floats(-1000, 1000)),
    ),
    st.builds(FixedRange, mean=RATINGS, width=st.floats(1, 1000), range_scale=st.floats(0.1, 4)),
)


def read(text: str) -> Decimal:
    bare = re.sub(r"<[^>]+>|[+±]", "", text)
    return Decimal(bare.replace("−", "-"))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SHOWS, RATINGS, RATINGS)
def test_shown_numbers_add_up(shows: Shows, before: float, after: float) -> None:
    event = Change(before, after)
    moved = read(change(event, shows))
    assert read(rated_before(event, shows)) + moved == read(rated_after(event, shows))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SHOWS, RATINGS, RATINGS)
def test_briefly_shown_numbers_add_up(shows: Shows, before: float, after: float) -> None:
    moved = read(brief_change(Change(before, after), shows))
    assert read(rated(before, shows)) + moved == read(rated(after, shows))


def test_a_loss_reads_as_the_difference_of_its_ratings() -> None:
    event, shows = Change(1517.4, 1500.6), SYSTEMS["elo"].shows
    assert (rated_before(event, shows), rated_after(event, shows)) == ("1517.4", "1500.6")
    assert read(change(event, shows)) == Decimal("-16.8")
    assert read(brief_change(event, shows)) == Decimal(-16)  # 1517 → 1501
