"""Players are matched by the rating that the board shows, after decay."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from league.models import Arena, ArenaQueue, Player, Proposal, Rating, Season, Tick
from league.services.competitions.running.seeding import ratings_of
from league.services.core.errors import Refused
from league.services.eligibility.rosters import refuse_ineligible
from league.services.integrity.queue import breaches
from league.services.moderation import files
from league.services.queue import kept_ticks, statistics
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.queue.ticks import run_again, tick
from league.services.results.forecasts.stakes import WIN, stakes
from league.services.results.forecasts.what_if import what_if
from league.services.seasons.opening import adopt_rules
from league.services.standings.leaderboards import player_row
from league.services.standings.updating import update_pending
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.season_steps import set_season_rules, win

ROOT = Path(__file__).parents[3]
SERVICES = "league/services/"
READERS = {
    "moves it, or undoes and checks that": [
        *(f"{SERVICES}replay/{name}" for name in ("apply", "previews", "starts", "statements")),
        *(f"{SERVICES}merging/{name}" for name in ("merging", "rerating")),
        *(
            f"{SERVICES}rating/{name}"
            for name in ("bulk", "checkpoints", "rate", "records", "versions")
        ),
        f"{SERVICES}integrity/ratings",
        *(
            f"{SERVICES}seasons/{name}"
            for name in (
                "anchors",
                "day_one",
                "given_ratings",
                "starting_lists",
                "starting_ratings",
            )
        ),
        f"{SERVICES}core/locking",
        f"{SERVICES}decay/writing",
        f"{SERVICES}results/rules/one_sided",
        f"{SERVICES}transfer/histories/imports",
        "league/management/commands/verify_ratings",
    ],
    "computes the rating on the board from it, or reads both": [
        *(
            f"{SERVICES}standings/{name}"
            for name in (
                "board",
                "filter_walk",
                "leaderboards",
                "player_standings",
                "provisional",
                "reading",
                "rebuilding",
            )
        ),
        f"{SERVICES}seasons/final_standings",
        f"{SERVICES}other_rules/replaying",
        f"{SERVICES}other_rules/working",
    ],
    "puts the rating on the board in its place": [
        f"{SERVICES}competitions/running/seeding",
        f"{SERVICES}eligibility/rosters",
        f"{SERVICES}moderation/files",
        *(f"{SERVICES}queue/{name}" for name in ("filling", "snapshots", "statistics")),
        f"{SERVICES}results/forecasts/stakes",
        f"{SERVICES}results/playing/watching",
        f"{SERVICES}search/known",
    ],
    "shows the rating that a list of starting ratings changes, before any result": [
        f"{SERVICES}seasons/starting_plans",
    ],
    "reads ranks of a ladder, which do not decay": [
        *(f"{SERVICES}ladder/{name}" for name in ("challenges", "forfeits", "lists")),
        "league/web/ladder/views",
        "league/web/seasons/starting",
    ],
    "shows the part that a profession has of its own, which does not decay": [
        f"{SERVICES}standings/professions",
    ],
    "compares the ranks by what results say, without decay, with those in hindsight": [
        f"{SERVICES}seasons/hindsight",
    ],
    "shows the limits of what a result moves, which is the rating before decay": [
        "league/web/arenas/how_it_works",
    ],
    "asks for what ratings have learnt of the game": [f"{SERVICES}rating/learnt"],
    "asks for players, matches and records, not for ratings": [
        "league/api/people/views",
        "league/apps",
        "league/management/commands/rebuild_standings",
        f"{SERVICES}announcements/announcing",
        f"{SERVICES}competitions/forecasts/odds",
        f"{SERVICES}core/prediction_inputs",
        *(f"{SERVICES}home/{name}" for name in ("leading", "since")),
        f"{SERVICES}integrity/flags",
        f"{SERVICES}people/invitation_checks",
        f"{SERVICES}queue/ranks",
        f"{SERVICES}rating/forecasts",
        f"{SERVICES}results/records/badge_notices",
        f"{SERVICES}results/records/profiles",
        f"{SERVICES}results/reports/quorum",
        f"{SERVICES}standings/connections",
        f"{SERVICES}standings/outlook",
    ],
}
"""The modules that read stored ratings, by the reason why they may."""
DECAY = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"}


@pytest.fixture
def season(duel: Arena) -> Season:
    """Duels whose players lose 700 points within ten days of absence."""
    set_season_rules(duel, decay=DECAY)
    season = duel.current_season(NOW)
    assert season
    adopt_rules(season, duel)
    season.refresh_from_db()
    ArenaQueue.objects.create(arena=duel, rules={"laurel": {"asking": -1e6, "fairness": 0.5}})
    return season


def rated(season: Season, player: Player, rating: float, *, games: int, away: int) -> None:
    Rating.objects.create(
        season=season,
        player=player,
        rating=rating,
        deviation=30,
        volatility=0.06,
        games=games,
        last_played_at=NOW - timedelta(days=away),
    )


def matched_by(season: Season) -> dict[object, float]:
    """Return the rating that the matcher has for each waiting player, by id."""
    rules = ArenaQueue.objects.get(arena=season.arena).matching()
    tickets = take_snapshot(season, rules, NOW).tickets
    return {player.id: player.rating for ticket in tickets for player in ticket.players}


def test_the_rating_matched_by_is_the_one_on_the_board(
    duel: Arena, season: Season, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    rated(season, charlie, 1500, games=5, away=5)
    update_pending(NOW)
    for player in (alice, bob, charlie, dora):
        join(duel, player, [], now=NOW)
    seen = matched_by(season)
    for player in (alice, bob, charlie):
        row = player_row(season, player, now=NOW)
        assert row is not None
        assert seen[player.pk] == row.rating
    assert (seen[alice.pk], seen[bob.pk], seen[charlie.pk]) == (800, 1500, 1300)
    assert seen[dora.pk] == season.system().newcomers(1).rating[0]


def test_an_absent_player_meets_those_whose_rating_they_have_now(
    duel: Arena, season: Season, alice: Player, bob: Player, charlie: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    rated(season, charlie, 810, games=5, away=1)
    update_pending(NOW)
    for player in (alice, bob, charlie):
        join(duel, player, [], now=NOW)
    made = tick(duel.pk, now=NOW + timedelta(seconds=1), seed=1)
    assert made
    found = Proposal.objects.get().tickets.values_list("captain__name", flat=True)
    assert set(found) == {"Alice", "Charlie"}
    assert run_again(made) == made.found
    assert breaches(NOW) == []


def test_a_tick_that_was_matched_by_the_ratings_before_decay_still_finds_the_same(
    duel: Arena, season: Season, alice: Player, bob: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    join(duel, alice, [], now=NOW)
    join(duel, bob, [], now=NOW)
    # No standings were updated yet, so this one has the ratings as ticks had them earlier.
    earlier = tick(duel.pk, now=NOW, seed=1)
    assert earlier
    assert earlier.proposed == 1
    update_pending(NOW)
    snapshot = kept_ticks.snapshot_of(Tick.objects.get())
    assert {ticket.players[0].rating for ticket in snapshot.tickets} == {1500}
    assert run_again(Tick.objects.get()) == earlier.found


@pytest.fixture
def decayed_season(season: Season, alice: Player, bob: Player) -> Season:
    """Alice has decayed from 1500 to 800, where Bob is."""
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 800, games=5, away=1)
    update_pending(NOW)
    row = player_row(season, alice, now=NOW)
    assert row is not None
    assert row.rating == 800
    return season


def test_the_table_of_players_by_rating_has_the_rating_on_the_board(
    duel: Arena, decayed_season: Season, alice: Player, bob: Player
) -> None:
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    [band] = statistics.bands(decayed_season)
    assert band.players == 2
    assert band.low <= 800 < band.high


def test_a_fair_match_by_the_ratings_on_the_board_is_found_and_has_even_odds(
    duel: Arena, decayed_season: Season, alice: Player, bob: Player
) -> None:
    """The queue's own limit of fairness goes by the same rating as its search."""
    ArenaQueue.objects.filter(arena=duel).update(rules={"laurel": {"asking": -1e6}})
    for player in (alice, bob):
        join(duel, player, [], now=NOW)
    made = tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1)
    assert made
    assert made.proposed == 1
    proposal = Proposal.objects.get()
    assert proposal.forecast == pytest.approx(0.5, abs=0.02)
    assert run_again(made) == made.found


def test_all_odds_go_by_the_ratings_on_the_board_and_changes_by_those_before_decay(
    duel: Arena, decayed_season: Season, alice: Player, bob: Player
) -> None:
    [found] = stakes(decayed_season, [[[alice.pk], [bob.pk]]], NOW)
    assert found is not None
    assert found.chance == pytest.approx(0.5, abs=0.02)
    told = what_if(decayed_season, [[alice.pk], [bob.pk]], NOW)
    assert told is not None
    assert told.chances == pytest.approx((0.5, 0.5), abs=0.02)
    expected = found.results[WIN][alice.pk]
    match = win(duel, alice, bob, now=NOW)
    assert match.forecast == pytest.approx([0.5, 0.5], abs=0.02)
    event = match.events.get(player=alice)
    assert event.rating_before == 1500  # as the system rates it
    assert event.change == pytest.approx(expected.change)


def test_seeds_and_limits_of_rosters_go_by_the_ratings_on_the_board(
    duel: Arena, decayed_season: Season, alice: Player, bob: Player
) -> None:
    assert ratings_of(decayed_season, [alice.pk, bob.pk]) == {alice.pk: 800, bob.pk: 800}
    set_season_rules(duel, decay=DECAY, teams={"lowest_rating": 1000})
    Season.objects.filter(pk=decayed_season.pk).update(rules=duel.rules().to_json())
    with pytest.raises(Refused, match="too low"):
        refuse_ineligible(duel, [alice], NOW)
    file = files.ratings(alice).get()
    assert (file.rating, file.shown) == (1500, 800)


def test_pages_and_the_api_show_the_rating_on_the_board(
    decayed_season: Season, alice: Player, client: Client
) -> None:
    Season.objects.filter(pk=decayed_season.pk).update(ends_at=NOW + timedelta(seconds=1))
    [listed] = client.get(f"/api/v1/players/{alice.pk}/ratings/").json()["results"]
    assert listed["rating"] == 800
    [row] = [
        one
        for one in client.get("/api/v1/arenas/duel/leaderboard/").json()["results"]
        if one["player"]["id"] == alice.pk
    ]
    assert row["rating"] == 800
    client.force_login(user_of(alice))
    for page in (
        f"{alice.get_absolute_url()}?season={decayed_season.pk}",
        "/arenas/duel/how-it-works/",
    ):
        assert client.get(page).context["row"].rating == 800


def test_nothing_reads_the_stored_rating_without_a_reason() -> None:
    """A new reader joins one of these groups, or reads the rating as it is shown."""
    reads = re.compile(
        r"league_rating\b|\bRating\.objects|season\.ratings\b|\.ratings\.(?:filter|exclude|all)"
    )
    found = {
        str(path.relative_to(ROOT).with_suffix(""))
        for path in (ROOT / "league").rglob("*.py")
        if "migrations" not in path.parts and reads.search(path.read_text())
    }
    assert found == {name for group in READERS.values() for name in group}
