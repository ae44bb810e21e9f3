"""A corrected history equals one without the mistake."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Arena, CorrectionRequest, Match, RatingEvent, User
from league.services.core.clock import moment
from league.services.integrity.ratings import verify
from league.services.rating import checkpoints
from league.services.seasons.opening import open_season
from ratings.history import Match as Played
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, arena
from tests.support.correction_steps import Placings, correct
from tests.support.effort import examples
from tests.support.imported_histories import HOUR, START, import_matches, played, stored_history
from tests.support.season_steps import set_season_rules

pytestmark = pytest.mark.slow


REMEMBERING: dict[str, dict[str, object]] = {
    "glicko-2": {"update": "period"},
    "elo-mmr": {"history_limit": 2},
}


IGNORING: dict[str, dict[str, object]] = {
    "topcoder": {"ignore_all_tied": True},
    "elo-mmr": {"ignore_all_tied": True, "noob_delay": [0.5, 0.75]},
}


EVERY_SYSTEM: list[tuple[str, dict[str, object]]] = [
    *((name, {}) for name in SYSTEMS),
    *REMEMBERING.items(),
    *IGNORING.items(),
]


NEXT = START + 400 * HOUR
"""The start of a season that follows another."""


@pytest.fixture
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take checkpoints after every few participations, so that short histories have some."""
    monkeypatch.setattr(checkpoints, "EVERY", 5)


@pytest.fixture
def two_arenas(db: None, system: str, parameters: dict[str, object]) -> None:
    """Two arenas with the same rules."""
    rules = {
        "rating_system": system,
        "rating_parameters": parameters,
        "sides_max": 4,
        "team_size_max": 3,
    }
    for slug in ("one", "other"):
        arena(slug, **rules)


def after(earlier: Sequence[Played]) -> tuple[Arena, Arena]:
    """Return both arenas; after ``earlier`` results, in a season that takes over theirs."""
    both = Arena.objects.get(slug="one"), Arena.objects.get(slug="other")
    for one in both:
        if earlier:
            import_matches(one, earlier)
            set_season_rules(one, start={"placement": "carry-over"})
            open_season(one, starts_at=moment(NEXT))
    return both


@pytest.mark.parametrize(("system", "parameters"), EVERY_SYSTEM)
@pytest.mark.parametrize("new_result", [False, True], ids=["void", "new result"])
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_a_correction_equals_a_history_without_the_mistake(
    frequent_checkpoints: None,
    two_arenas: None,
    boss: User,
    system: str,
    parameters: dict[str, object],
    new_result: bool,
    data: st.DataObject,
) -> None:
    earlier = data.draw(st.just([]) | played(system, "before ", most=2), "a season before")
    told = data.draw(played(system, start=NEXT), "told")
    at = data.draw(st.integers(0, len(told) - 1))
    true = list(told)
    if new_result:
        sides_of_it = range(len(told[at].sides))
        places = data.draw(st.permutations(sides_of_it) | st.just([0 for _ in sides_of_it]))
        sides = [replace(s, place=p) for s, p in zip(told[at].sides, places, strict=True)]
        true[at] = replace(told[at], sides=sides)
        if [side.place for side in told[at].sides] == places:
            return
    else:
        del true[at]
    cut = data.draw(st.integers(0, len(told)))
    with transaction.atomic():
        compare(boss, after(earlier), told, true, at, cut, new_result)
        transaction.set_rollback(True)


def compare(
    olga: User,
    arenas: tuple[Arena, Arena],
    told: Sequence[Played],
    true: Sequence[Played],
    at: int,
    cut: int,
    new_result: bool,
) -> None:
    """Correct mistakes and compare with a history of the correct results."""
    one, other = arenas
    seasons = one.current_season(NOW), other.current_season(NOW)
    assert seasons[0]
    assert seasons[1]
    import_matches(one, told[:cut])
    if cut:
        checkpoints.save(seasons[0].pk)
    import_matches(one, told[cut:])
    import_matches(other, true)
    mistaken = Match.objects.get(season=seasons[0], external_id=str(at))
    placings: Placings | None = None
    if new_result:
        placings = [(side.place, side.score) for side in true[at].sides]
    before = stored_history(seasons[0])
    done = correct(mistaken, olga, placings)
    assert done.state == CorrectionRequest.State.DONE, done.refusal
    assert stored_history(seasons[0]) == stored_history(seasons[1])
    assert verify(seasons[0]) == []
    made = done.correction
    assert made
    assert RatingEvent.ever.filter(superseded_by=made).count() == made.events
    assert (stored_history(seasons[0])[0] == before[0]) == (made.players == 0)
