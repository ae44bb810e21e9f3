"""Day One: random starting ratings whose average is kept."""

import math
from collections.abc import Sequence

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, DayOne, Player, Rating, Season
from league.services.core.numbers import number
from league.services.integrity.ratings import verify
from league.services.seasons.opening import adopt_rules, open_season
from league.services.seasons.planning import plan_season
from league.services.standings.leaderboards import leaderboard
from tests.support.admin_steps import arena_page, errors_of, open_season_page, send
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena, put_in_order
from tests.support.merge_steps import merged
from tests.support.season_steps import NEXT, ratings, set_season_rules, win
from tests.support.web_steps import browser_of, words

SCATTERED = {**RANKED_AT_ONCE, "start": {"placement": "fresh", "day_one": 0.8}}


@pytest.fixture
def cast(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> Sequence[Player]:
    """All but Frank, who has just registered, have played elsewhere."""
    win(duel, alice, bob)
    win(duel, charlie, dora)
    account("Frank")
    return alice, bob, charlie, dora


@pytest.fixture
def pit(cast: Sequence[Player]) -> Arena:
    return arena("pit", rating_system="fermi", season_rules=SCATTERED)


def test_everybody_who_has_played_draws_and_the_average_is_exactly_the_mean(
    pit: Arena, cast: Sequence[Player]
) -> None:
    season = pit.seasons.get()
    drawn = ratings(season)
    assert set(drawn) == {player.name for player in cast}
    assert len(set(drawn.values())) == 4
    assert math.fsum(drawn.values()) == 0.0
    assert 0.05 < max(drawn.values()) < 5
    assert verify(season) == []


def test_the_page_of_a_player_says_what_they_drew(
    pit: Arena, cast: Sequence[Player], duel: Arena
) -> None:
    drawn = ratings(pit.seasons.get())
    for player in cast:
        page = words(Client().get(f"/players/{player.pk}/?arena={pit.slug}"))
        assert f"Drawn at the start {number(drawn[player.name], 2)} Day One" in page
        assert "Drawn at the start" not in words(Client().get(f"/players/{player.pk}/?arena=duel"))
    frank = Player.objects.get(name="Frank")
    win(pit, frank, cast[0])
    put_in_order()
    assert "Drawn at the start" not in words(Client().get(f"/players/{frank.pk}/?arena=pit"))


def test_elo_scatters_around_its_own_start(cast: Sequence[Player]) -> None:
    rules = {**RANKED_AT_ONCE, "start": {"day_one": 200}}
    drawn = ratings(arena("chess", rating_system="elo", season_rules=rules).seasons.get())
    assert math.fsum(drawn.values()) == 6000
    assert len(drawn) == 4


def test_those_who_come_later_start_at_the_mean_and_the_replay_agrees(
    pit: Arena, cast: Sequence[Player]
) -> None:
    alice, bob, charlie, dora = cast
    eve = account("Eve")
    season = pit.seasons.get()
    before = ratings(season)
    first = win(pit, alice, eve)
    assert first.events.get(player=eve).rating_before == 0
    assert first.events.get(player=alice).rating_before == before["Alice"]
    win(pit, charlie, dora)
    win(pit, eve, bob)
    assert math.fsum(ratings(season).values()) == pytest.approx(0, abs=1e-12)
    assert verify(season) == []


def test_a_drawn_rating_is_no_rank(pit: Arena, cast: Sequence[Player]) -> None:
    alice, bob, *_others = cast
    set_season_rules(
        pit,
        ranked={"window": "3650d", "opponents": 0, "placement_matches": 2, "returning_matches": 1},
    )
    adopt_rules(pit.seasons.get(), pit)
    season = pit.seasons.get()
    put_in_order()
    assert leaderboard(season, now=NOW).total == 0
    win(pit, alice, bob)
    put_in_order()
    assert leaderboard(season, now=NOW).total == 0  # they are newcomers, not returning players
    win(pit, alice, bob)
    put_in_order()
    assert leaderboard(season, now=NOW).total == 2


def test_the_queue_asks_those_with_a_drawn_rating_for_the_matches_of_newcomers(
    cast: Sequence[Player],
) -> None:
    rules = {**SCATTERED, "ranked": {"placement_matches": 7, "returning_matches": 2}}
    pit = arena("pit", rating_system="fermi", season_rules=rules)
    ArenaQueue.objects.create(arena=pit)
    asked = browser_of(cast[0]).get(reverse("queue", args=["pit"]))
    assert "To be ranked, play 7 rated matches" in words(asked)


def test_a_changed_rating_or_seed_is_found(pit: Arena, cast: Sequence[Player]) -> None:
    season = pit.seasons.get()
    row = Rating.objects.get(season=season, player=cast[0])
    assert row.opening
    row.rating += 1
    row.opening = [row.rating, *row.opening[1:]]
    row.save()
    (found,) = verify(season)
    assert found.what == f"starting rating of player {cast[0].pk}"
    DayOne.objects.update(seed=7)
    assert len(verify(season)) == 4


def test_a_rating_that_nobody_drew_is_found(pit: Arena, cast: Sequence[Player]) -> None:
    eve = account("Eve")
    season = pit.seasons.get()
    Rating.objects.create(season=season, player=eve, rating=9.0, opening=[9.0, None, None])
    (found,) = verify(season)
    assert found.what == f"starting rating of player {eve.pk}"


def test_no_change_of_rules_draws_again(pit: Arena, cast: Sequence[Player]) -> None:
    season = pit.seasons.get()
    first = ratings(season)
    for width in (0.0, 1.6):
        set_season_rules(pit, start={"day_one": width})
        assert adopt_rules(season, pit)
        season = Season.objects.get(pk=season.pk)
        assert verify(season) == []
        if not width:
            assert ratings(season) == {}
    again = ratings(season)
    for name, rating in first.items():
        assert again[name] == pytest.approx(2 * rating)


def test_nobody_draws_again_because_others_come_or_go(
    pit: Arena, duel: Arena, cast: Sequence[Player], olga: Player
) -> None:
    alice, bob, _charlie, dora = cast
    season = pit.seasons.get()
    first = ratings(season)
    assert alice.user
    assert olga.user
    alice.user.is_active = False
    alice.user.save()
    win(duel, account("Grace"), bob)
    merged(dora, bob, olga.user, account=dora.user_id)
    set_season_rules(pit, start={"day_one": 1.6})
    assert adopt_rules(season, pit)
    season = Season.objects.get(pk=season.pk)
    again = ratings(season)
    del first[bob.name]
    assert set(again) == set(first)
    for name, rating in first.items():
        assert again[name] == pytest.approx(2 * rating)
    assert verify(season) == []


def test_each_season_draws_anew_and_planned_ones_when_they_open(
    pit: Arena, cast: Sequence[Player]
) -> None:
    planned = plan_season(pit, starts_at=NEXT)
    assert not DayOne.objects.filter(season=planned).exists()
    planned.delete()
    second = open_season(pit, starts_at=NEXT)
    first = pit.seasons.earliest("starts_at")
    assert ratings(first) != ratings(second)
    assert verify(second) == []


def test_merged_players_leave_the_draw_in_order(
    pit: Arena, cast: Sequence[Player], olga: Player
) -> None:
    alice, bob, charlie, dora = cast
    win(pit, alice, bob)
    win(pit, charlie, dora)
    assert olga.user
    merged(dora, alice, olga.user, account=dora.user_id)
    assert verify(pit.seasons.get()) == []


@pytest.mark.parametrize(
    ("rules", "system", "says"),
    [
        ({"day_one": 1, "placement": "carry-over"}, "fermi", "unless everyone starts"),
        ({"day_one": 100}, "glicko-2", "only Fermi and Elo"),
        ({"day_one": 100}, "ladder", "only Fermi and Elo"),
        ({"day_one": -1}, "fermi", "day_one"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(
    rules: dict[str, object], system: str, says: str
) -> None:
    made = Arena(name="No", slug="no", rating_system=system, season_rules={"start": rules})
    with pytest.raises(ValidationError, match=says):
        made.full_clean()


def test_staff_set_it_and_read_who_would_draw(olga: Player, cast: Sequence[Player]) -> None:
    pit = arena("pit", rating_system="fermi")
    staff = browser_of(olga)
    answer = send(staff, arena_page(pit), {"season_start__day_one": "0.5"})
    assert errors_of(answer) == {}
    page = words(staff.get(open_season_page(pit)))
    assert "4 players with an account and a rated match get random starting ratings" in page
    assert "standard deviation 0.50 points" in page
    answer = send(staff, arena_page(pit), {"season_start__placement": "carry-over"})
    assert list(errors_of(answer)) == ["season_start__day_one"]
    answer = send(staff, arena_page(pit), {"rating_system": "glicko-2"})
    assert list(errors_of(answer)) == ["season_start__day_one"]
