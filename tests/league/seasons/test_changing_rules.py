"""Rules that change while a season runs: each match is rated under those of its time."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import Arena, Match, Player, Rating, Season, StaffAction, Standing, User
from league.services.core.errors import Conflict, Refused
from league.services.integrity.points import differences
from league.services.integrity.ratings import verify
from league.services.rating import checkpoints, versions
from league.services.seasons import changing
from league.services.seasons.changing import Rules
from league.services.standings.updating import update_pending
from ratings import history
from ratings.registry import SYSTEMS, build
from tests.support.cast import NOW, arena, side
from tests.support.correction_steps import correct, undo
from tests.support.drawn_parameters import Drawn, accepted, parameters
from tests.support.effort import examples
from tests.support.imported_histories import import_matches, played
from tests.support.point_steps import plays, totals, with_points
from tests.support.season_steps import win

REASON = "Too many points for newcomers"


@pytest.fixture
def elo(db: None) -> Arena:
    return arena("elo", rating_system="elo", sides_max=2)


def change(
    season: Season, by: User, rules: Mapping[str, Any] | None = None, **given: Any
) -> Season:
    """Change parameters and rules of a season from its next match on."""
    held = Rules.of(season)
    new = Rules(
        held.system,
        build(held.system, {**held.parameters, **given}).parameters.model_dump(mode="json"),
        {**held.season, **(rules or {})},
    )
    changing.apply_from_next_match(season.pk, new, by=by, reason=REASON, now=NOW)
    return Season.objects.get(pk=season.pk)


@st.composite
def drawn(draw: st.DrawFn, system: str) -> Drawn:
    """Draw all parameters of a system, some of them other than the defaults."""
    made = accepted(system, draw(parameters(system)))
    return (made or build(system, {})).parameters.model_dump(mode="json")


@pytest.mark.parametrize("system", list(SYSTEMS))
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_ratings_equal_a_replay_under_the_rules_of_each_match(
    monkeypatch: pytest.MonkeyPatch, boss: User, system: str, data: st.DataObject
) -> None:
    monkeypatch.setattr(checkpoints, "EVERY", 5)
    told = data.draw(played(system), "told")
    cut = data.draw(st.integers(1, len(told)), "cut")
    first, second = (data.draw(drawn(system)) for _ in range(2))
    kept = {name: first[name] for name in SYSTEMS[system].kept_in_states}
    with transaction.atomic():
        one = arena(
            "one", rating_system=system, rating_parameters=first, sides_max=4, team_size_max=3
        )
        season = one.seasons.get()
        import_matches(one, told[:cut])
        if accepted(system, {**second, **kept}) and {**second, **kept} != first:
            season = change(season, boss, **{**second, **kept})
        import_matches(one, told[cut:])
        assert verify(season) == []
        at = data.draw(st.integers(0, len(told) - 1), "void")
        done = correct(Match.objects.get(season=season, external_id=str(at)), boss)
        assert done.state == "done", done.refusal
        assert verify(season) == []
        transaction.set_rollback(True)


def test_players_of_matches_that_earlier_rules_ignored_stay(boss: User) -> None:
    """The rules of now ignore no match, those of the first match ignored that all were equal."""
    one = arena("one", rating_system="codeforces", rating_parameters={"ignore_all_tied": True})
    day = 86_400_000_000

    def tie(number: int, *names: str) -> history.Match:
        sides = [history.Side(0, [history.Participant(name)]) for name in names]
        return history.Match(str(number), 1_767_225_600_000_000 + number * day, sides)

    import_matches(one, [tie(0, "Alice", "Bob")])
    season = change(one.seasons.get(), boss, ignore_all_tied=False)
    import_matches(one, [tie(1, "Alice", "Charlie"), tie(2, "Bob", "Charlie")])
    correct(Match.objects.get(season=season, external_id="2"), boss)
    assert verify(season) == []


def test_a_newcomer_joins_under_the_rules_of_their_first_match_that_counts(
    elo: Arena, alice: Player, bob: Player, charlie: Player, boss: User
) -> None:
    win(elo, alice, bob)
    mistake = win(elo, alice, charlie)
    season = change(elo.seasons.get(), boss, mean=2000.0)
    win(elo, bob, charlie)
    assert Rating.objects.get(player=charlie).rating < 1500
    correct(mistake, boss)
    assert Rating.objects.get(player=charlie).rating > 1900
    assert verify(season) == []


@pytest.mark.parametrize("others", [0, 1])
def test_a_void_match_comes_back_under_the_rules_of_its_time(
    elo: Arena, alice: Player, bob: Player, charlie: Player, boss: User, others: int
) -> None:
    for _number in range(others):
        win(elo, alice, bob)
    last = win(elo, bob, charlie)
    before = dict(Rating.objects.values_list("player", "rating"))
    void = correct(last, boss).correction
    assert void
    season = change(elo.seasons.get(), boss, max_gain=64.0)
    assert not season.versions.get(number=2).whole_season
    undo(void, boss)
    assert dict(Rating.objects.values_list("player", "rating")) == before
    assert verify(season) == []


def test_a_version_says_who_changed_what_and_why(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    before = win(elo, alice, bob)
    held = elo.seasons.get()
    season = change(held, boss, rules={"ranked": {"placement_matches": 1}}, max_gain=64.0)
    after = win(elo, alice, bob)
    assert [versions.version_of(season, one.rated_order) for one in (before, after)] == [1, 2]
    first, second = season.versions.all()
    assert (first.since, first.by, second.by, second.reason) == (0, None, boss, REASON)
    assert (before.rated_order or 0) < second.since < (after.rated_order or 0)
    assert not second.whole_season
    assert {"field": "Largest gain (K)", "old": "32", "new": "64"} in second.changes
    action = StaffAction.objects.get(kind=StaffAction.Kind.RULES)
    assert (action.before or {})["Largest gain (K)"] == "32"
    assert (action.after or {})["Largest gain (K)"] == "64"
    assert (action.actor, action.reason) == (boss, REASON)


def test_the_leaderboard_follows_at_once(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    season = elo.seasons.get()
    win(elo, alice, bob)
    change(season, boss, rules={"ranked": {"placement_matches": 5, "opponents": 0}})
    update_pending(NOW)
    assert not Standing.objects.filter(season_id=season.pk).exists()
    change(
        Season.objects.get(pk=season.pk),
        boss,
        rules={"ranked": {"placement_matches": 1, "opponents": 0}},
    )
    assert Standing.objects.filter(season_id=season.pk).count() == 2


def test_points_are_those_of_the_rules_of_each_match(
    alice: Player, charlie: Player, boss: User
) -> None:
    ladder = with_points(points={"table": "conquest"})
    plays(ladder, side(alice, place=0), side(charlie, place=1))
    held = totals(ladder)
    season = ladder.seasons.get()
    double = [
        {
            "odds": 0.0,
            "checkpoints": [
                {"score_ratio": 0.0, "points": -10},
                {"score_ratio": 1.0, "points": 50},
            ],
        }
    ]
    own = {**season.rules["points"], "table": "own"}
    season = change(season, boss, rules={"points": own, "point_table": double})
    assert totals(ladder) == held
    second = plays(ladder, side(alice, place=0), side(charlie, place=1))
    assert totals(ladder)["Alice"][0] == held["Alice"][0] + 50
    assert differences(season) == []
    assert verify(season) == []
    correct(second, boss, [(1, None), (0, None)])
    assert differences(season) == []
    assert totals(ladder)["Charlie"][0] == held["Charlie"][0] + 50


@pytest.mark.parametrize(
    ("new", "says"),
    [
        ({"system": "glicko-2"}, "rated again"),
        ({"season": {"points": {"counts": True}}}, "all matches of a season or for none"),
        ({"season": {}, "same": True}, "already"),
    ],
)
def test_what_cannot_change_between_two_matches_says_why(
    elo: Arena, alice: Player, bob: Player, boss: User, new: dict[str, Any], says: str
) -> None:
    win(elo, alice, bob)
    season = elo.seasons.get()
    held = Rules.of(season)
    system = new.get("system", held.system)
    parameters = (
        held.parameters if system == held.system else build(system, {}).parameters.to_json()
    )
    asked = Rules(system, parameters, {**held.season, **new.get("season", {})})
    with pytest.raises(Refused, match=says):
        changing.apply_from_next_match(season.pk, asked, by=boss, reason=REASON, now=NOW)
    season.refresh_from_db()
    assert season.rules_version == 1
    assert not season.versions.exists()


def test_parameters_that_shape_stored_ratings_cannot_change_between_two_matches(
    boss: User, alice: Player, bob: Player
) -> None:
    periods = arena("periods", rating_system="glicko-2")
    win(periods, alice, bob)
    with pytest.raises(Refused, match="Update"):
        change(periods.seasons.get(), boss, update="period")


def test_the_start_of_a_season_stays_as_it_was(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    win(elo, alice, bob)
    season = elo.seasons.get()
    with pytest.raises(Refused, match="already"):
        change(season, boss, rules={"start": {"placement": "carry-over"}})


def test_an_archived_season_keeps_its_rules(
    elo: Arena, alice: Player, bob: Player, boss: User
) -> None:
    win(elo, alice, bob)
    season = elo.seasons.get()
    Season.objects.filter(pk=season.pk).update(archived_at=NOW)
    with pytest.raises(Conflict, match="archived"):
        change(season, boss, max_gain=64.0)
