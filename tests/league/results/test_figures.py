"""Free figures of a match, such as hits or laps: shown and summed, never rated."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player, PlayerFigures, Rating, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.results.playing.figures import enter, totals_of
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.ending import end, freeze_early
from tests.support.admin_steps import arena_page, errors_of, send
from tests.support.api_steps import by_token
from tests.support.cast import NOW, account, arena, beats, roster, side
from tests.support.merge_steps import all_differences, merged
from tests.support.result_steps import placed, user_of
from tests.support.web_steps import browser_of, words


@pytest.fixture
def range_(db: None) -> Arena:
    return arena("range", figures=["hits", "shots"])


def enters(match: Match, by: Player, given: dict[Player, dict[str, Any]]) -> Match:
    values = {player.pk: figures for player, figures in given.items()}
    return enter(match.pk, values, by=user_of(by), now=NOW)


def values_of(match: Match) -> dict[str, dict[str, float]]:
    return dict(PlayerFigures.objects.filter(match=match).values_list("player__name", "values"))


def test_each_captain_enters_those_of_their_side_before_the_result_counts(
    range_: Arena, alice: Player, bob: Player
) -> None:
    match = beats(alice, bob, range_)
    enters(match, alice, {alice: {"hits": 7, "shots": 20}})
    enters(match, bob, {bob: {"hits": 3}})
    assert values_of(match) == {"Alice": {"hits": 7, "shots": 20}, "Bob": {"hits": 3}}
    with pytest.raises(Forbidden, match="their own side"):
        enters(match, alice, {bob: {"hits": 0}})
    confirm(match.pk, by=bob, now=NOW)
    with pytest.raises(Forbidden, match="until the result counts"):
        enters(match, alice, {alice: {"hits": 99}})
    assert values_of(match)["Alice"]["hits"] == 7


def test_a_captain_enters_those_of_their_whole_team(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    where = arena("squads", figures=["laps"], team_size_min=1, team_size_max=2)
    roster(where, "Owls", alice, bob)
    roster(where, "Foxes", charlie, dora)
    match = report(
        where,
        [side(alice, bob, place=0), side(charlie, dora, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
        client_token=uuid4(),
    )
    enters(match, alice, {alice: {"laps": 1}, bob: {"laps": 2}})
    with pytest.raises(Forbidden):
        enters(match, bob, {bob: {"laps": 3}})  # not the captain
    with pytest.raises(Forbidden):
        enters(match, alice, {alice: {"laps": 9}, dora: {"laps": 9}})
    assert values_of(match) == {"Alice": {"laps": 1}, "Bob": {"laps": 2}}


def test_figures_never_change_a_rating(range_: Arena, alice: Player, bob: Player) -> None:
    match = beats(alice, bob, range_)
    enters(match, alice, {alice: {"hits": -5}})
    confirm(match.pk, by=bob, now=NOW)
    plain = arena("plain")
    confirm(beats(alice, bob, plain).pk, by=bob, now=NOW)
    one, other = (
        list(Rating.objects.filter(season__arena=where).order_by("player").values_list("rating"))
        for where in (range_, plain)
    )
    assert one == other
    assert verify(range_.seasons.get()) == []


def test_they_are_summed_per_player_and_season_over_rated_matches(
    range_: Arena, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = range_.seasons.get()
    for hits, settled in ((7, True), (5, True), (100, False)):
        match = beats(alice, bob, range_)
        enters(match, alice, {alice: {"hits": hits, "shots": 20.5 if hits == 7 else None}})
        if settled:
            confirm(match.pk, by=bob, now=NOW)
    assert totals_of(season, alice) == [("hits", 12.0, 2), ("shots", 20.5, 1)]
    assert totals_of(season, bob) == []
    page = words(Client().get(f"{alice.get_absolute_url()}?arena=range"))
    assert "hits 12 in 2 matches" in page
    assert "shots 20.5 in 1 match" in page
    range_.figures = ["shots"]  # a column that is gone keeps what it has
    range_.save()
    assert [name for name, *_rest in totals_of(range_.seasons.get(), alice)] == ["shots", "hits"]
    plain = arena("plain").seasons.get()
    with django_assert_num_queries(0):
        assert totals_of(plain, alice) == []


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"aces": 1}, "“aces” is not a figure of this arena. Its figures are hits, shots."),
        ({"hits": float("nan")}, "must be a number"),
        ({"hits": float("inf")}, "must be a number"),
        ({"hits": 1e10}, "must be a number"),
    ],
)
def test_wrong_figures_are_refused(
    given: dict[str, float], says: str, range_: Arena, alice: Player, bob: Player
) -> None:
    match = beats(alice, bob, range_)
    with pytest.raises(Refused, match=says):
        enters(match, alice, {alice: given})
    assert not PlayerFigures.objects.exists()


def test_strangers_void_matches_and_archives_take_none(
    range_: Arena, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    match = beats(alice, bob, range_)
    with pytest.raises(Refused, match="not in this match"):
        enters(match, alice, {eve: {"hits": 1}})
    with pytest.raises(Forbidden):
        enters(match, eve, {alice: {"hits": 1}})
    with pytest.raises(Refused, match="no match figures"):
        enters(beats(alice, bob, arena("plain")), alice, {alice: {"hits": 1}})
    confirm(match.pk, by=bob, now=NOW)
    enters(match, olga, {alice: {"hits": 2}, bob: {"hits": 1}})  # staff may still correct them
    enters(match, olga, {bob: {"hits": None}})
    assert values_of(match) == {"Alice": {"hits": 2}}
    season = range_.seasons.get()
    end(season.pk, now=NOW)
    assert freeze_early(season.pk, now=NOW)
    with pytest.raises(Conflict, match="archived"):
        enters(match, olga, {alice: {"hits": 3}})


def test_staff_who_played_do_not_enter_the_others_figures(
    range_: Arena, alice: Player, olga: Player, eve: Player
) -> None:
    user = user_of(eve)
    user.is_staff = user.is_superuser = True  # so that Olga is not the only one who can decide
    user.save()
    match = beats(olga, alice, range_)
    enters(match, olga, {olga: {"hits": 1}})
    with pytest.raises(Forbidden):
        enters(match, olga, {alice: {"hits": 0}})


def test_a_game_server_enters_those_of_the_match_it_started(
    range_: Arena, alice: Player, bob: Player
) -> None:
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    server = by_token(Player(name="", user=user))
    sides = [{"captain": one.pk, "players": [one.pk]} for one in (alice, bob)]
    started = server.post("/api/v1/arenas/range/live-matches/", {"sides": sides}, format="json")
    pk = started.json()["id"]
    finished = {"sides": [{"place": 0}, {"place": 1}]}
    assert server.post(f"/api/v1/matches/{pk}/report/", finished, format="json").status_code == 200
    address = f"/api/v1/matches/{pk}/figures/"
    body = {
        "players": [
            {"player": alice.pk, "figures": {"hits": 4}},
            {"player": bob.pk, "figures": {"hits": 2, "shots": 9}},
        ]
    }
    answer = server.post(address, body, format="json")
    assert answer.status_code == 200
    found = {one["player"]["name"]: one["values"] for one in answer.json()["figures"]}
    assert found == {"Alice": {"hits": 4}, "Bob": {"hits": 2, "shots": 9}}
    assert server.post(address, body, format="json").json()["figures"] == answer.json()["figures"]
    assert by_token(alice).post(address, body, format="json").status_code == 403
    refused: list[dict[str, Any]] = [
        {},
        {"players": []},
        {"players": [{"player": alice.pk, "figures": {}}]},
        {"players": [{"player": alice.pk, "figures": {"hits": "many"}}]},
        {"players": [{"player": alice.pk, "figures": {"aces": 1}}]},
        {"players": [{"player": alice.pk, "figures": {"hits": 1e300}}]},
        {"players": [{"player": 0, "figures": {"hits": 1}}]},
    ]
    for wrong in refused:
        assert server.post(address, wrong, format="json").status_code == 400, wrong
    assert Client().get("/api/v1/arenas/range/").json()["figures"] == ["hits", "shots"]


def test_by_the_page_of_the_match(range_: Arena, alice: Player, bob: Player, eve: Player) -> None:
    match = beats(alice, bob, range_)
    browser = browser_of(alice)
    page = words(browser.get(match.get_absolute_url()))
    assert "Nobody has entered figures yet. " in page
    assert "Enter figures" in page
    assert "Match figures" not in words(Client().get(match.get_absolute_url()))
    address = f"/matches/{match.pk}/figures/"
    assert "Bob" not in words(browser.get(address)).split("Player hits shots")[1].split("Save")[0]
    refused = browser.post(address, {f"{alice.pk}-0": "x", f"{bob.pk}-0": "5"})
    assert refused.status_code == 400
    assert "Enter a number." in words(refused)
    saved = browser.post(address, {f"{alice.pk}-0": "7", f"{bob.pk}-0": "5"}, follow=True)
    assert "Saved. Figures never change a rating." in words(saved)
    assert values_of(match) == {"Alice": {"hits": 7}}
    assert "Player hits shots Alice 7 –" in words(Client().get(match.get_absolute_url()))
    assert 'value="7.0"' in browser.get(address).content.decode()
    assert browser.post(address, {f"{alice.pk}-0": ""}).status_code == 302
    assert values_of(match) == {}
    assert browser_of(eve).get(address).status_code == 403


def test_a_match_without_columns_asks_nothing_more(
    alice: Player, bob: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match = beats(alice, bob, arena("plain"))
    confirm(match.pk, by=bob, now=NOW)
    with django_assert_max_num_queries(6):
        assert b"figures" not in Client().get(match.get_absolute_url()).content


def test_staff_declare_the_columns(range_: Arena, olga: Player) -> None:
    staff = browser_of(olga)
    answer = send(staff, arena_page(range_), {"figures": "hits\r\n\r\n  laps  run \r\nHits"})
    assert errors_of(answer) == {}
    range_.refresh_from_db()
    assert range_.figures == ["hits", "laps run"]
    for wrong in ("hi\u200bts", "x" * 31, "\n".join(map(str, range(13)))):
        answer = send(staff, arena_page(range_), {"figures": wrong})
        assert list(errors_of(answer)) == ["figures"], wrong
    range_.figures = "hits"
    with pytest.raises(ValidationError):
        range_.full_clean()


def test_figures_follow_a_merged_player(
    range_: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    match = beats(alice, bob, range_)
    enters(match, alice, {alice: {"hits": 7}})
    confirm(match.pk, by=bob, now=NOW)
    kept = Player.objects.create(name="Alicia")
    merged(kept, alice, user_of(olga), account=user_of(alice).pk)
    assert totals_of(range_.seasons.get(), kept) == [("hits", 7.0, 1)]
    assert all_differences() == []


def test_a_huge_match_shows_and_takes_a_page_of_players(
    alice: Player, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.web.results.figures.MOST_ROWS", 2)
    monkeypatch.setattr("league.web.results.matches.MOST_FIGURES", 2)
    where = arena("race", figures=["laps"], format="free-for-all", sides_max=9)
    drivers = [account(f"Driver {number}") for number in range(4)]
    match = report(
        where,
        placed(alice, *drivers),
        reporter=alice,
        played_at=NOW,
        now=NOW,
        client_token=uuid4(),
    )
    enters(match, olga, {one: {"laps": 3} for one in drivers})
    browser = browser_of(olga)
    form = words(browser.get(f"/matches/{match.pk}/figures/"))
    assert "These are the first 2 players." in form
    assert "Driver 3" not in form
    answer = browser.post(f"/matches/{match.pk}/figures/", {f"{alice.pk}-0": "5"})
    assert answer.status_code == 302
    assert values_of(match)["Alice"] == {"laps": 5}
    assert values_of(match)["Driver 3"] == {"laps": 3}  # not on the form, so untouched
    table = words(Client().get(match.get_absolute_url())).split("Match figures")[1]
    assert "Alice 5" in table
    assert "Driver 3" not in table


def test_figures_of_a_removed_column_can_only_be_removed(
    range_: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    match = beats(alice, bob, range_)
    enters(match, olga, {alice: {"hits": 7, "shots": 20}, bob: {"hits": 3}})
    range_.figures = ["hits"]
    range_.save()
    with pytest.raises(Refused, match="“shots” is not a figure"):
        enters(match, olga, {alice: {"shots": 21}})
    with pytest.raises(Refused, match="“laps” is not a figure"):
        enters(match, olga, {alice: {"laps": None}})
    where = f"/matches/{match.pk}/figures/"
    typed = {f"{alice.pk}-0": "8", f"{alice.pk}-1": "20", f"{bob.pk}-0": "3", f"{bob.pk}-1": ""}
    browser_of(olga).post(where, typed)
    assert values_of(match) == {"Alice": {"hits": 8, "shots": 20}, "Bob": {"hits": 3}}
    browser_of(olga).post(where, {**typed, f"{alice.pk}-1": ""})
    assert values_of(match) == {"Alice": {"hits": 8}, "Bob": {"hits": 3}}


def test_figures_can_be_removed_once_the_last_column_is_gone(
    range_: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    match = beats(alice, bob, range_)
    enters(match, olga, {alice: {"hits": 7}, bob: {"hits": 3}})
    range_.figures = []
    range_.save()
    with pytest.raises(Refused, match="no match figures"):
        enters(match, olga, {alice: {"laps": 1}})
    enters(match, alice, {alice: {"hits": None}})
    assert values_of(match) == {"Bob": {"hits": 3}}
    where = f"/matches/{match.pk}/figures/"
    assert browser_of(olga).post(where, {f"{bob.pk}-0": ""}).status_code == 302
    assert values_of(match) == {}
    with pytest.raises(Refused, match="no match figures"):
        enters(match, alice, {alice: {"hits": None}})
