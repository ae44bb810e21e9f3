"""Anchors: players whose rating no result moves, against whom drift is measured."""

from datetime import timedelta

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.models import Anchor, Arena, Match, Player, Rating, Season, User
from league.services.core.errors import Conflict
from league.services.decay.steps import take_due
from league.services.integrity.ratings import verify
from league.services.results.staff.entering import enter
from league.services.seasons.anchors import follow
from league.services.seasons.opening import open_season
from league.services.standings.drift import drift_of
from ratings import history
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from ratings.system import UnsupportedMatch
from tests.support.admin_steps import arena_page, errors_of, messages_of, send
from tests.support.cast import NOW, arena, put_in_order, side
from tests.support.correction_steps import correct
from tests.support.merge_steps import merged
from tests.support.result_steps import placed
from tests.support.season_steps import NEXT
from tests.support.web_steps import browser_of, words

NUMBERS = sorted(name for name, system in SYSTEMS.items() if not system.shows.lowest_first)


@pytest.fixture
def bot(db: None) -> Player:
    return Player.objects.create(name="Marvin")


def anchored(where: Arena, bot: Player, rating: float) -> Season:
    one = Anchor(arena=where, player=bot, rating=rating)
    one.full_clean()
    one.save()
    assert follow(where, NOW) == []
    return where.seasons.get()


def state_of(season: Season, player: Player) -> tuple[float | None, ...]:
    row = Rating.objects.get(season=season, player=player)
    return row.rating, row.deviation, row.volatility


@pytest.mark.parametrize("system", NUMBERS)
def test_no_result_moves_an_anchor_and_the_replay_agrees(
    system: str, bot: Player, alice: Player, bob: Player
) -> None:
    where = arena("lab", rating_system=system)
    fresh = float(build(system, {}).newcomers(1).rating[0])
    season = anchored(where, bot, fresh * 1.1 + 0.2)
    before = state_of(season, bot)
    for hour, (winner, loser) in enumerate(
        [(alice, bot), (bot, bob), (alice, bob), (alice, bot), (bot, alice)]
    ):
        rated(where, winner, loser, hours=hour)
    season = where.seasons.get()
    assert state_of(season, bot) == before
    row = Rating.objects.get(season=season, player=bot)
    assert row.games == 4
    assert {event.change for event in bot.events.all()} == {0.0}
    assert all(event.why["change"] == 0.0 for event in bot.events.all())
    assert Rating.objects.get(season=season, player=alice).rating != fresh
    assert verify(season) == []


def rated(where: Arena, winner: Player, loser: Player, *, hours: int = 0) -> Match:
    """A result entered by an organiser: the bot has no account and confirms nothing."""
    organiser, _new = User.objects.get_or_create(username="organiser", is_superuser=True)
    now = NOW + timedelta(hours=hours)
    return enter(
        where,
        [side(winner, place=0), side(loser, place=1)],
        by=organiser,
        reason="Bot match",
        played_at=now,
        now=now,
    )


def test_a_correction_leaves_the_anchor_where_it_is(
    bot: Player, alice: Player, bob: Player, olga: Player
) -> None:
    where = arena("lab")
    season = anchored(where, bot, 1600.0)
    first = rated(where, alice, bot)
    rated(where, bob, alice, hours=1)
    rated(where, bot, bob, hours=2)
    assert olga.user
    correct(first, olga.user)
    assert state_of(season, bot)[0] == 1600.0
    assert verify(where.seasons.get()) == []


def test_teams_and_free_for_alls_hold_the_anchor_too(
    bot: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    where = arena("brawl", format="free-for-all", sides_max=4, rating_system="fermi")
    season = anchored(where, bot, 0.75)
    organiser = User.objects.create(username="organiser", is_superuser=True)
    enter(
        where,
        placed(alice, bot, bob, charlie),
        by=organiser,
        reason="Bot match",
        played_at=NOW,
        now=NOW,
    )
    assert state_of(season, bot)[0] == 0.75
    moved = [event.change for event in Match.objects.get().events.exclude(player=bot)]
    assert all(moved)
    assert verify(where.seasons.get()) == []


def test_decay_neither_moves_an_anchor_nor_counts_it(
    bot: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    where = arena(
        "lab", rating_system="fermi", rating_parameters={"decay": 0.5, "decay_period": "1d"}
    )
    season = anchored(where, bot, 3.0)
    rated(where, alice, charlie)
    rated(where, charlie, bot, hours=1)
    rated(where, alice, bob, hours=25)
    total = sum(
        Rating.objects.filter(season=season).exclude(player=bot).values_list("rating", flat=True)
    )
    later = NOW + timedelta(days=2)
    while take_due(later):
        pass
    assert Match.objects.filter(kind=Match.Kind.DECAY).exists()
    others = Rating.objects.filter(season=season).exclude(player=bot)
    assert sum(others.values_list("rating", flat=True)) == pytest.approx(total, abs=1e-12)
    assert state_of(season, bot)[0] == 3.0
    assert verify(where.seasons.get()) == []


def test_a_season_that_opens_takes_over_the_anchors(
    bot: Player, alice: Player, bob: Player
) -> None:
    where = arena("lab", rating_system="elo")
    anchored(where, bot, 1800.0)
    rated(where, alice, bot)
    where.season_rules = {**where.season_rules, "start": {"placement": "carry-over"}}
    where.save()
    second = open_season(where, starts_at=NEXT)
    assert second.anchors == [bot.pk]
    assert state_of(second, bot)[0] == 1800.0
    assert Rating.objects.get(season=second, player=alice).rating > 1500
    assert verify(second) == []
    Anchor.objects.all().delete()
    assert open_season(where, starts_at=NEXT + timedelta(days=9)).anchors == []


def test_a_player_with_a_rating_is_fixed_from_the_next_season_on(
    bot: Player, alice: Player, bob: Player, olga: Player
) -> None:
    where = arena("lab")
    rated(where, alice, bob)
    Anchor.objects.create(arena=where, player=alice, rating=1500)
    assert follow(where, NOW) == [alice]
    assert where.seasons.get().anchors == []
    assert verify(where.seasons.get()) == []
    assert open_season(where, starts_at=NEXT).anchors == [alice.pk]


def test_an_anchor_can_be_changed_or_dropped_until_it_has_results(
    bot: Player, alice: Player
) -> None:
    where = arena("lab")
    season = anchored(where, bot, 1600.0)
    Anchor.objects.update(rating=1700.0)
    assert follow(where, NOW) == []
    assert state_of(season, bot)[0] == 1700.0
    rated(where, alice, bot)
    Anchor.objects.update(rating=1400.0)
    assert follow(where, NOW) == [bot]
    assert state_of(season, bot)[0] == 1700.0
    Anchor.objects.all().delete()
    assert follow(where, NOW) == []
    season.refresh_from_db()
    assert season.anchors == [bot.pk]  # its results stand
    assert verify(season) == []


def test_one_without_results_leaves_nothing_behind(bot: Player) -> None:
    where = arena("lab")
    season = anchored(where, bot, 1600.0)
    Anchor.objects.all().delete()
    follow(where, NOW)
    season.refresh_from_db()
    assert season.anchors == []
    assert not Rating.objects.exists()
    assert verify(season) == []


def test_drift_is_the_change_of_the_others_by_month(
    bot: Player, alice: Player, bob: Player
) -> None:
    where = arena("lab", rating_system="fermi")
    season = anchored(where, bot, 0.0)
    rated(where, alice, bot)
    rated(where, bot, bob, hours=1)
    rated(where, alice, bob, hours=2)  # says nothing of drift
    rated(where, alice, bot, hours=24 * 40)
    season = where.seasons.get()
    found = drift_of(season)
    assert found
    assert [month.matches for month in found.months] == [2, 1]
    against = Match.objects.filter(participants__player=bot).order_by("pk")
    changes = [event.change for match in against for event in match.events.exclude(player=bot)]
    assert found.months[0].change == pytest.approx(sum(changes[:2]) / 2)
    assert found.change == pytest.approx(sum(changes) / 3)
    put_in_order()
    page = words(Client().get("/arenas/lab/distribution/"))
    assert "These ratings are held fixed: Marvin." in page
    assert "In 3 matches, opponents’ ratings changed by" in page
    assert "March 2026 2" in page


def test_a_season_without_anchors_asks_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    season = arena("lab").seasons.get()
    with django_assert_num_queries(0):
        assert drift_of(season) is None


@pytest.mark.parametrize(
    ("system", "rating", "says"),
    [
        ("ladder", 1.0, "ranks"),
        ("wager", 0.5, "No rating of Wager"),
        ("fermi", float("inf"), "less than or equal"),
    ],
)
def test_impossible_anchors_are_refused(system: str, rating: float, says: str, bot: Player) -> None:
    where = arena("lab", rating_system=system)
    with pytest.raises(ValidationError, match=says):
        Anchor(arena=where, player=bot, rating=rating).full_clean()


def test_anchors_cannot_be_merged(bot: Player, alice: Player, olga: Player) -> None:
    anchored(arena("lab"), bot, 1500.0)
    assert olga.user
    with pytest.raises(Conflict, match="anchor"):
        merged(alice, bot, olga.user)


def test_staff_set_anchors_on_the_page_of_the_arena(
    bot: Player, alice: Player, bob: Player, olga: Player
) -> None:
    where = arena("lab")
    staff = browser_of(olga)
    row = {"anchors-TOTAL_FORMS": "1", "anchors-0-player": str(bot.pk)}
    answer = send(staff, arena_page(where), {**row, "anchors-0-rating": "1650"})
    assert errors_of(answer) == {}
    assert where.seasons.get().anchors == [bot.pk]
    rated(where, alice, bob)
    row = {"anchors-TOTAL_FORMS": "2", "anchors-1-player": str(alice.pk)}
    answer = send(staff, arena_page(where), {**row, "anchors-1-rating": "1500"})
    assert (
        "Alice already has a rating in this season. It will be fixed from the next season on."
        in messages_of(answer)
    )
    answer = send(staff, arena_page(where), {"anchors-0-rating": "much"})
    assert answer.status_code == 200
    assert "Enter a number" in words(answer)


def test_the_engine_refuses_anchors_among_ranks_and_keeps_others_bits() -> None:
    with pytest.raises(UnsupportedMatch):
        build("ladder", {}).with_anchors(["x"])
    matches = [
        history.Match(
            str(number),
            number,
            [history.Side(place, [history.Participant(name)]) for place, name in enumerate(names)],
        )
        for number, names in enumerate([("a", "b"), ("b", "c"), ("c", "a")])
    ]
    record = history.History.build(matches)
    system = build("elo", {})
    assert system.with_anchors(["b"]) is not system
    free, fixed = replay(system, record), replay(system.with_anchors(["b"]), record)
    assert fixed.states.rating[list(record.players).index("b")] == 1500
    assert np.array_equal(
        replay(system.with_anchors(["zz"]), record).states.rating, free.states.rating
    )
