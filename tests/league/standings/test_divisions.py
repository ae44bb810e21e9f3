"""Divisions: entered, reached and lost by the arena's rules, announced once, never flickering."""

import random
from datetime import timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.db import DatabaseError, transaction
from django.db.models import F
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.models import (
    Arena,
    DivisionChange,
    Match,
    Player,
    Rating,
    Season,
    Standing,
    StandingCuts,
)
from league.services import corrections
from league.services.integrity.standings import differences
from league.services.results.reports.answers import confirm
from league.services.seasons.ending import freeze
from league.services.standings import division_news, leaderboards, rebuilding, updating
from ratings.percentile import percentiles
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats, put_in_order
from tests.support.effort import examples
from tests.support.season_steps import set_season_rules, win
from tests.support.standing_steps import write

THREE = [{"name": "Low"}, {"name": "Middle", "first": 1000}, {"name": "High", "first": 1200}]
BY_RATING = {"cuts": {"by": "rating", "rating_margin": 10}, "divisions": THREE}
SCALES: list[dict[str, Any]] = [
    {},
    {"cuts": {"percentile_margin": 0}},
    {"cuts": {"percentile_margin": 7.5}},
    {
        "cuts": {"by": "rank", "rank_margin": 3},
        "divisions": [
            {"name": "All"},
            {"name": "Thirty", "first": 30},
            {"name": "Ten", "first": 10},
            {"name": "First", "first": 1},
        ],
    },
    BY_RATING,
    {"divisions": [{"name": "Everybody", "first": 1}]},
    {"divisions": []},
]


def club(**rules: Any) -> Arena:
    return arena("club", rating_system="elo", season_rules=RANKED_AT_ONCE | rules)


def people(count: int) -> list[int]:
    names = [f"p{number:03}" for number in range(count)]
    made = Player.objects.bulk_create(Player(name=name, folded_name=name) for name in names)
    return [player.pk for player in made]


def in_divisions(season: Season) -> dict[int, int]:
    """Return the division of each player who has one."""
    kept = Standing.objects.filter(season_id=season.pk).values_list("player_id", "division")
    return {player: division for player, division in kept if division is not None}


def steps(player: int) -> list[tuple[str, str]]:
    """Return a player's moves, earliest first."""
    changes = DivisionChange.objects.filter(player=player).order_by("id")
    return list(changes.values_list("was", "becomes"))


def test_a_player_is_placed_promoted_at_the_cut_and_demoted_a_margin_below_it() -> None:
    season = club(**BY_RATING).seasons.get()
    (one,) = people(1)
    for rating in (900, 999, 1000, 995, 990, 989, 999, 1250, 1185, 100):
        write(season, [one], [float(rating)])
        put_in_order()
    assert steps(one) == [
        ("", "Low"),
        ("Low", "Middle"),
        ("Middle", "Low"),
        ("Low", "High"),
        ("High", "Middle"),
        ("Middle", "Low"),
    ]
    assert differences(season, NOW) == []


@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from(SCALES), st.sampled_from(["elo", "ladder"]), st.integers(0, 2**32))
def test_after_every_update_each_player_is_in_the_division_of_the_rule(
    rules: dict[str, Any], system: str, seed: int
) -> None:
    """This includes players who did not play and were moved across a cut by others."""
    if system == "ladder" and rules == BY_RATING:
        system = "elo"
    chance = random.Random(seed)  # noqa: S311 - chance, no secret
    with transaction.atomic():
        made = arena("hall", rating_system=system, season_rules=RANKED_AT_ONCE | rules)
        season = made.seasons.get()
        everybody = people(250)
        held: dict[int, int] = {}
        for _ in range(16):
            some = chance.sample(everybody, chance.choice([1, 5, 60, 250]))
            what = chance.choice(["move", "move", "move", "tie", "all rise", "leave", "rebuild"])
            if what == "move":
                write(season, some, [round(chance.gauss(1100, 90), 1) for _ in some])
            elif what == "tie":
                write(season, some, [chance.choice([990.0, 1000.0, 1200.0])] * len(some))
            elif what == "all rise":
                Rating.objects.filter(season=season).update(rating=F("rating") + 5)
            elif what == "leave":
                Rating.objects.filter(season=season, player__in=some[:20]).delete()
            put_in_order()
            held = settled_one_by_one(season, held)
            if what == "rebuild":
                Standing.objects.filter(season_id=season.pk).update(division=0)
                rebuilding.rebuild(season, NOW)
            assert in_divisions(season) == held
            assert differences(season, NOW) == []
        transaction.set_rollback(True)


def settled_one_by_one(season: Season, held: dict[int, int]) -> dict[int, int]:
    """Return the divisions of ranked players by the published percentiles and the engine's rule."""
    scale = season.season_rules().divisions
    rated = list(season.ratings.order_by("player").values_list("player", "rating"))
    few = scale.cuts.by == "percentile" and len(rated) < len(scale.divisions)
    if few or not scale.divisions:
        return {}
    players = [player for player, _rating in rated]
    rating = np.array([rating for _player, rating in rated])
    lowest = season.lowest_first
    keys = rating if lowest else -rating
    values = {
        "percentile": percentiles(rating, np.ones(len(rating), bool), lowest_first=lowest),
        "rank": np.searchsorted(np.sort(keys), keys) + 1,
        "rating": rating,
    }[scale.cuts.by]
    before = np.array([held.get(player, -1) for player in players], dtype=np.int64)
    after = scale.settle(before, values.astype(float))
    return dict(zip(players, after.tolist(), strict=True))


def test_players_moved_across_a_cut_by_others_change_division_without_a_match() -> None:
    made = club(cuts={"by": "rank", "rank_margin": 0}, divisions=SCALES[3]["divisions"])
    season = made.seasons.get()
    everybody = people(100)
    write(season, everybody, [float(2000 - at) for at in range(100)])
    put_in_order()
    before = DivisionChange.objects.count()
    write(season, [everybody[50]], [1995.5])  # he passes all but the first five
    put_in_order()
    told = DivisionChange.objects.order_by("-id")[: DivisionChange.objects.count() - before]
    assert {(row.player_id, row.was, row.becomes) for row in told} == {
        (everybody[50], "All", "Ten"),
        (everybody[9], "Ten", "Thirty"),
        (everybody[29], "Thirty", "All"),
    }
    assert {row.match_id for row in told} == {None}


def test_the_match_that_promoted_a_player_is_known_unless_a_correction_did_it(
    alice: Player, bob: Player, olga: Player
) -> None:
    assert olga.user
    made = club(**BY_RATING | {"cuts": {"by": "rating", "rating_margin": 1}})
    season = made.seasons.get()
    write(season, [alice.pk, bob.pk], [998.0, 998.0])
    put_in_order()
    won = confirm(beats(alice, bob, season.arena).pk, by=bob, now=NOW)
    put_in_order()
    change = DivisionChange.objects.get(player=alice, becomes="Middle")
    assert (change.match_id, change.at, change.told) == (won.pk, NOW, True)
    (move,) = division_news.moves_in(won)
    assert (move.player, move.kind, move.becomes) == (
        alice,
        "promoted",
        season.season_rules().divisions.divisions[1],
    )
    for _ in range(3):
        win(season.arena, alice, bob)
    put_in_order()
    later = NOW + timedelta(hours=1)
    for match in Match.objects.filter(season=season).order_by("-rated_order"):
        seen = corrections.preview(match, by=olga.user)
        asked = corrections.ask(
            match,
            by=olga.user,
            reason="A mistake",
            digest=seen.digest,
            horizon=seen.horizon,
            now=later,
        )
        corrections.carry_out(asked.pk, later)
        put_in_order()
    last = DivisionChange.objects.filter(player=alice).first()
    assert last
    assert (last.was, last.match_id) == ("Middle", None)
    won.refresh_from_db()
    assert division_news.moves_in(won) == []  # it does not count any more


def test_the_inactive_keep_their_division_and_return_to_it(alice: Player, bob: Player) -> None:
    rules = BY_RATING | {"ranked": {"opponents": 0, "placement_matches": 1, "window": "30d"}}
    season = club(**rules).seasons.get()
    write(season, [alice.pk], [1005.0])
    put_in_order()
    updating.update_pending(NOW + timedelta(days=31))
    away = leaderboards.player_row(season, alice, now=NOW)
    assert away
    assert (away.rank, away.division) == (None, None)
    write(season, [alice.pk], [995.0])
    Rating.objects.filter(player=alice).update(last_played_at=NOW + timedelta(days=40))
    updating.update_pending(NOW + timedelta(days=40))
    back = leaderboards.player_row(season, alice, now=NOW)
    assert back
    assert back.division == season.season_rules().divisions.divisions[1]
    assert steps(alice.pk) == [("", "Middle")]
    assert differences(season, NOW + timedelta(days=40)) == []


def test_a_rebuild_takes_divisions_from_the_ledger_and_tells_nobody(alice: Player) -> None:
    season = club(**BY_RATING).seasons.get()
    others = people(50)
    write(season, [alice.pk], [1005.0])
    put_in_order()
    write(season, [alice.pk], [995.0])
    put_in_order()
    assert in_divisions(season) == {alice.pk: 1}
    Standing.objects.all().delete()
    StandingCuts.objects.all().delete()
    Rating.objects.bulk_create(
        Rating(season=season, player_id=player, rating=1300.0, games=5, last_played_at=NOW)
        for player in others
    )
    rebuilding.rebuild(season, NOW)
    assert in_divisions(season) == {alice.pk: 1} | dict.fromkeys(others, 2)
    assert DivisionChange.objects.filter(player=alice).count() == 1
    assert set(DivisionChange.objects.filter(player__in=others).values_list("told")) == {(False,)}
    before = DivisionChange.objects.count()
    rebuilding.rebuild(season, NOW)
    put_in_order()
    assert DivisionChange.objects.count() == before


def test_divisions_added_to_old_standings_are_computed_without_announcements() -> None:
    season = club(**BY_RATING).seasons.get()
    everybody = people(300)
    write(season, everybody, [float(900 + at) for at in range(300)])
    put_in_order()
    expected = in_divisions(season)
    with transaction.atomic():
        Standing.objects.all().update(division=None)
        StandingCuts.objects.all().delete()
        write(season, everybody[:1], [900.0])
        put_in_order()
    assert in_divisions(season) == expected
    told = DivisionChange.objects.order_by("-id")[:300]
    assert {(row.was, row.told) for row in told} == {("", False)}


def test_the_archive_holds_the_divisions_that_players_had(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = club(**BY_RATING)
    season = made.seasons.get()
    write(season, [alice.pk, bob.pk, charlie.pk], [1205.0, 1001.0, 999.0])
    put_in_order()
    write(season, [alice.pk, bob.pk, charlie.pk], [1195.0, 985.0, 999.0])
    season.ends_at = NOW + timedelta(days=1)
    season.save()
    assert freeze(season.pk, now=NOW + timedelta(days=9))
    archived = season.final_standings.values_list("name", "division")
    assert dict(archived) == {"Alice": "High", "Bob": "Low", "Charlie": "Low"}


def test_nobody_rewrites_how_players_moved_but_it_goes_with_its_season(alice: Player) -> None:
    season = club(**BY_RATING).seasons.get()
    write(season, [alice.pk], [1005.0])
    put_in_order()
    changes = DivisionChange.objects.all()
    for attempt in (partial(changes.update, becomes="High"), changes.delete):
        with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
            attempt()
    Rating.objects.all().delete()
    season.delete()
    assert not DivisionChange.objects.exists()
    assert not StandingCuts.objects.exists()


def test_an_arena_that_changes_its_divisions_keeps_them_until_its_next_season(
    alice: Player, bob: Player
) -> None:
    made = club(**BY_RATING)
    win(made, alice, bob)
    put_in_order()
    set_season_rules(made, divisions=[{"name": "All"}, {"name": "Best", "first": 5}])
    win(made, alice, bob)
    put_in_order()
    assert steps(alice.pk)[0][1] in {"Low", "Middle", "High"}
    assert differences(made.seasons.get(), NOW) == []


def test_a_promotion_is_announced_to_its_player_until_dismissed_and_stays_in_the_history(
    client: Client, alice: Player, bob: Player
) -> None:
    season = club(**BY_RATING).seasons.get()
    write(season, [alice.pk, bob.pk], [998.0, 998.0])
    put_in_order()
    won = confirm(beats(alice, bob, season.arena).pk, by=bob, now=NOW)
    put_in_order()

    def page(of: Player) -> str:
        return client.get(f"/players/{of.pk}/").content.decode()

    notice = "You were <strong>promoted to"
    assert notice not in page(alice)
    assert "Promoted to" in page(alice)
    assert f'<a href="/matches/{won.pk}/">' in page(alice)
    assert "was promoted to" in client.get(f"/matches/{won.pk}/").content.decode()
    assert alice.user
    client.force_login(alice.user)
    assert notice in page(alice)
    home = client.get("/").content.decode()
    assert notice in home
    assert f'<a href="/players/{alice.pk}/?season={season.pk}">Club</a>' in home
    change = DivisionChange.objects.get(player=alice, becomes="Middle")
    of_bob = DivisionChange.objects.filter(player=bob).latest("id")
    assert client.post(f"/divisions/{of_bob.pk}/seen/").status_code == 404
    client.get(f"/divisions/{change.pk}/seen/")
    assert notice in page(alice)
    answer = client.post(f"/divisions/{change.pk}/seen/")
    assert answer["Location"] == f"/players/{alice.pk}/?season={season.pk}"
    assert notice not in page(alice)
    write(season, [alice.pk], [900.0])
    put_in_order()
    assert "You were <strong>demoted to" in page(alice)
    division_news.dismiss(DivisionChange.objects.latest("id").pk, by=alice)
    division_news.dismiss(change.pk, by=alice)  # an older one, from a page left open
    assert "You were" not in page(alice)
    assert "You were" not in client.get("/").content.decode()
    write(season, [alice.pk], [1300.0])
    put_in_order()
    latest = DivisionChange.objects.latest("id")
    assert notice in client.get("/").content.decode()
    answer = client.post(f"/divisions/{latest.pk}/seen/", {"page": "home"})
    assert answer["Location"] == "/"
    assert "You were" not in client.get("/").content.decode()


def test_a_field_of_four_has_no_divisions_and_one_of_six_has_all() -> None:
    """A percentile says nothing among fewer players than there are divisions."""
    here = club()
    season, players = here.seasons.get(), people(7)
    for count in range(1, 8):
        write(season, players[:count], [1000.0 + 10 * number for number in range(count)])
        put_in_order()
        found = in_divisions(season)
        assert len(found) == (count if count >= 6 else 0)
        told = DivisionChange.objects.filter(season=season, told=True)
        assert count > 6 or not told.exists()
        assert differences(season, NOW) == []
    Rating.objects.filter(season=season, player__in=players[4:]).update(games=0)
    put_in_order()
    assert in_divisions(season) == {}
    assert differences(season, NOW) == []
    rebuilding.rebuild(season, NOW)
    assert in_divisions(season) == {}
    assert not StandingCuts.objects.filter(pk=season.pk).exists()
