"""After a merge, ratings are those of one person who played all matches."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Arena, Player, Rating, RatingEvent, Season, User
from league.services.core.clock import moment
from league.services.decay.steps import take_due
from league.services.rating import checkpoints
from league.services.results.reports.answers import confirm
from league.services.seasons.opening import open_season
from ratings.history import Match as Played
from ratings.history import Participant
from tests.support.cast import NOW, arena, beats
from tests.support.effort import examples
from tests.support.imported_histories import HOUR, START, import_matches, played, stored_history
from tests.support.merge_steps import all_differences, merged
from tests.support.rating_histories import PLAYERS
from tests.support.season_steps import set_season_rules

NEXT = START + 400 * HOUR
SYSTEMS: list[tuple[str, dict[str, object]]] = [
    ("glicko-2", {}),
    ("glicko-2", {"update": "period"}),
    ("elo-mmr", {"history_limit": 2}),
    ("ladder", {}),
    ("fermi", {}),
    ("trueskill", {}),
    ("wager", {}),
]
ONE = PLAYERS[0]
OLD = f"{ONE} of old"


@pytest.fixture
def frequent_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take checkpoints after every few participations, so that short histories have some."""
    monkeypatch.setattr(checkpoints, "EVERY", 5)


def as_two(told: Sequence[Played], old: Sequence[bool]) -> list[Played]:
    """Let ``ONE`` play some of the matches under their old name."""

    def named(part: Participant, is_old: bool) -> Participant:
        return replace(part, player=OLD) if is_old and part.player == ONE else part

    return [
        replace(
            match,
            sides=[
                replace(side, participants=[named(part, is_old) for part in side.participants])
                for side in match.sides
            ],
        )
        for match, is_old in zip(told, old, strict=True)
    ]


@pytest.fixture
def parameters() -> dict[str, object]:
    """Return the parameters of a system where a test names none."""
    return {}


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


def season_after(earlier: Sequence[Played], slug: str) -> Season:
    """Return the season of an arena; after ``earlier`` results, one that takes over theirs."""
    place = Arena.objects.get(slug=slug)
    if earlier:
        import_matches(place, earlier)
        set_season_rules(place, start={"placement": "carry-over"})
        open_season(place, starts_at=moment(NEXT))
    current = place.current_season(NOW)
    assert current
    return current


@pytest.mark.parametrize(("system", "parameters"), SYSTEMS)
@settings(
    max_examples=examples(3),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_a_merge_equals_a_history_of_one_person(
    frequent_checkpoints: None,
    two_arenas: None,
    boss: User,
    system: str,
    parameters: dict[str, object],
    data: st.DataObject,
) -> None:
    earlier = data.draw(st.just([]) | played(system, "before ", most=2), "a season before")
    told = data.draw(played(system, start=NEXT), "told")
    old = data.draw(st.lists(st.booleans(), min_size=len(told), max_size=len(told)), "as another")
    cut = data.draw(st.integers(0, len(told)), "a checkpoint after")
    with transaction.atomic():
        season, other = season_after(earlier, "one"), season_after(earlier, "other")
        split = as_two(told, old)
        import_matches(season.arena, split[:cut])
        if cut:
            checkpoints.save(season.pk)
        import_matches(season.arena, split[cut:])
        import_matches(other.arena, told)
        players = {player.name: player for player in Player.objects.filter(name__in=[ONE, OLD])}
        if len(players) == 2:
            done = merged(players[ONE], players[OLD], boss)
            for rated in done.seasons:
                if rated.correction:
                    superseded = RatingEvent.ever.filter(superseded_by=rated.correction)
                    assert superseded.count() == rated.correction.events
            assert stored_history(season) == stored_history(other)
            assert all_differences() == []
        transaction.set_rollback(True)


@pytest.mark.parametrize("system", ["glicko-2", "ladder", "elo-mmr"])
@settings(
    max_examples=examples(3),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_ratings_of_a_season_before_are_joined_too(
    two_arenas: None, boss: User, system: str, data: st.DataObject
) -> None:
    earlier = data.draw(played(system, "before ", most=5), "a season before")
    told = data.draw(played(system, start=NEXT), "told")
    booleans = st.lists(st.booleans(), min_size=len(earlier), max_size=len(earlier))
    before = as_two(earlier, data.draw(booleans, "as another before"))
    old = data.draw(st.lists(st.booleans(), min_size=len(told), max_size=len(told)), "as another")
    with transaction.atomic():
        season = season_after(before, "one")
        import_matches(season.arena, as_two(told, old))
        players = {player.name: player for player in Player.objects.filter(name__in=[ONE, OLD])}
        if len(players) == 2:
            merged(players[ONE], players[OLD], boss)
            assert not Rating.objects.filter(player=players[OLD]).exists()
            assert all_differences() == []
            if system == "ladder":
                ranks = Rating.objects.filter(season=season).order_by("rating")
                assert [row.rating for row in ranks] == [*range(1, len(ranks) + 1)]
        transaction.set_rollback(True)


def test_points_follow_the_joined_history(
    alice: Player, bob: Player, charlie: Player, boss: User, countless_reports: None
) -> None:
    rules = {"points": {"counts": True}, "ranked": {"placement_matches": 1, "opponents": 0}}
    place = arena("pointed", season_rules=rules)
    for winner, loser in [(alice, bob), (charlie, bob), (alice, charlie)] * 3:
        if {winner, loser} != {alice, charlie}:
            confirm(beats(winner, loser, place).pk, by=loser, now=NOW)
    season = place.seasons.get()
    before = dict(season.point_totals.values_list("player", "matches"))
    assert before == {alice.pk: 3, bob.pk: 6, charlie.pk: 3}
    merged(alice, charlie, boss)
    after = dict(season.point_totals.values_list("player", "matches"))
    assert after == {alice.pk: 6, bob.pk: 6}
    assert all_differences() == []


def test_a_step_of_decay_has_the_person_once_and_active_if_either_was(
    alice: Player, bob: Player, charlie: Player, dora: Player, boss: User, countless_reports: None
) -> None:
    day = {"decay": 0.1, "decay_period": "1d"}
    place = arena("fading", rating_system="fermi", rating_parameters=day)
    confirm(beats(alice, bob, place, now=moment(START + 30 * HOUR)).pk, by=bob, now=NOW)
    confirm(beats(charlie, dora, place, now=moment(START + 60 * HOUR)).pk, by=dora, now=NOW)
    assert take_due(moment(START + 80 * HOUR))
    season = place.seasons.get()
    step = season.matches.unplayed().get()
    assert step.participants.filter(player__in=[alice, charlie]).count() == 2
    assert step.participants.get(player=alice).side.place == 1
    merged(alice, charlie, boss)
    assert step.participants.get(player=alice).side.place == 0
    assert not step.participants.filter(player=charlie).exists()
    assert all_differences() == []
