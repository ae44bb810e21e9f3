"""Who is at home, has White or serves: only those who gain nothing by it can say so."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from rest_framework.test import APIClient

from league.models import Arena, Match, Player, Rating, User
from league.services.competitions import counting, unlinking
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dates.previews import preview
from league.services.results.forecasts.stakes import LOSS, WIN, stakes
from league.services.results.playing.watching import live_matches
from league.services.results.staff.entering import enter
from tests.support.api_steps import by_token, fields_at_fault, side_of
from tests.support.cast import NOW, arena, side
from tests.support.competition_steps import START, begun, date_of, fixture_of, play, sides_of
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, result_form, words

AT_HOME = [0.640065, 0.359935]
"""The chances of equals, of whom the first has 100 points by being at home."""


@pytest.fixture
def home(db: None) -> Arena:
    """An arena in which being at home is worth 100 points."""
    return arena("home", rating_system="elo", rating_parameters={"first_side": 100})


def server_of(user: User) -> APIClient:
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return by_token(Player(name="", user=user))


def starts(client: APIClient, *players: Player, first_side: object) -> Any:
    sides = [{"captain": player.pk, "players": [player.pk]} for player in players]
    body = {"sides": sides, "first_side": first_side}
    return client.post("/api/v1/arenas/home/live-matches/", body, format="json")


def changes(match: Match) -> dict[int, tuple[float, float]]:
    return {
        event.player_id: (event.rating_before, event.rating_after) for event in match.events.all()
    }


def test_the_preview_of_a_fixture_gives_what_its_result_then_does(
    home: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    fixture = fixture_of(begun(home, olga, [alice, charlie]), alice, charlie)
    host = sides_of(fixture)[0].captain
    one = date_of(fixture)
    seen = preview(one, one.arena.current_season(START), START)
    assert seen
    won = seen.outcomes[0]
    assert won.winner == host
    assert seen.expected == pytest.approx(AT_HOME[0])
    match = play(fixture, host)
    assert match.first_side == match.sides.get(captain=host).index
    assert match.forecast
    assert match.forecast[match.first_side] == pytest.approx(seen.expected)
    assert changes(match) == {
        player.pk: (change.rating_before, change.rating_after) for player, change in won.changes
    }


def test_the_stakes_of_a_side_at_home_are_those_of_its_result(
    home: Arena, alice: Player, charlie: Player
) -> None:
    pair = [[[alice.pk], [charlie.pk]]] * 3
    neutral, at_home, away = stakes(home.seasons.get(), pair, NOW, [None, 0, 1])
    assert neutral
    assert at_home
    assert away
    assert [neutral.chance, at_home.chance, away.chance] == pytest.approx([0.5, *AT_HOME])
    assert at_home.results[WIN][alice.pk].change == pytest.approx(11.5179, abs=1e-4)
    assert at_home.results[LOSS][charlie.pk].change == pytest.approx(20.4821, abs=1e-4)


def test_the_api_says_what_a_match_at_home_would_change(
    home: Arena, alice: Player, charlie: Player
) -> None:
    address = f"/api/v1/arenas/home/what-if/?sides={alice.pk};{charlie.pk}&first_side="
    client = by_token(alice)
    assert client.get(f"{address}1").json()["chances"] == pytest.approx(AT_HOME[::-1])
    assert fields_at_fault(client.get(f"{address}2")) == {"first_side"}


def test_draws_have_a_chance_of_their_own_and_leave_the_odds_as_they_are(
    home: Arena, alice: Player, charlie: Player
) -> None:
    address = f"/api/v1/arenas/home/what-if/?sides={alice.pk};{charlie.pk}"
    parameters = {"first_side": 100, "draws": 0.25}
    home.seasons.update(rating_parameters=parameters)
    client = by_token(alice)
    neutral = client.get(address).json()
    assert [one["chance"] for one in neutral["outcomes"]] == pytest.approx([0.375, 0.25, 0.375])
    at_home = client.get(f"{address}&first_side=0").json()
    assert at_home["chances"] == pytest.approx(AT_HOME)
    won, drawn, lost = (one["chance"] for one in at_home["outcomes"])
    assert won + drawn / 2 == pytest.approx(AT_HOME[0])
    assert won + drawn + lost == pytest.approx(1)
    assert 0 < drawn < 0.25


def test_a_game_server_says_who_has_the_first_side(
    home: Arena, alice: Player, charlie: Player
) -> None:
    server = server_of(User.objects.create(username="server"))
    begun_match = starts(server, alice, charlie, first_side=1)
    assert begun_match.status_code == 201, begun_match.content
    assert begun_match.json()["first_side"] == 1
    [watched] = live_matches(home, database_now())
    assert [one.chance for one in watched.sides] == pytest.approx(AT_HOME[::-1])
    page = words(browser_of(alice).get(f"/matches/{begun_match.json()['id']}/"))
    assert "charlie has the first-side advantage" in page.lower()
    sides = {"sides": [{"place": 0}, {"place": 1}]}
    ended = server.post(f"/api/v1/matches/{watched.match_id}/report/", sides, format="json")
    assert ended.status_code == 200, ended.content
    gain = Rating.objects.get(player=alice).rating - 1500
    assert gain == pytest.approx(20.4821, abs=1e-4), "an away win is worth more"
    match = Match.objects.get(pk=watched.match_id)
    said = words(browser_of(alice).get(f"/matches/{match.pk}/"))
    assert "First-side advantage -100" in said.replace("−", "-")
    assert match.forecast == pytest.approx(AT_HOME[::-1])


def test_a_server_account_that_plays_itself_cannot_say_so(
    home: Arena, alice: Player, charlie: Player
) -> None:
    started = starts(server_of(user_of(alice)), alice, charlie, first_side=1)
    assert started.status_code == 201, started.content
    assert Match.objects.get().first_side is None


@pytest.mark.parametrize("sent", [2, -1, "home", True, 0.5])
def test_a_first_side_is_the_number_of_a_side(
    home: Arena, alice: Player, charlie: Player, sent: object
) -> None:
    refused = starts(
        server_of(User.objects.create(username="server")), alice, charlie, first_side=sent
    )
    assert refused.status_code == 400
    assert fields_at_fault(refused) == {"first_side"}
    assert not Match.objects.exists()


def test_captains_cannot_say_so_in_a_report(home: Arena, alice: Player, charlie: Player) -> None:
    body = {
        "sides": [side_of(alice, place=0), side_of(charlie, place=1)],
        "played_at": NOW.isoformat(),
        "first_side": 1,
    }
    refused = by_token(alice).post("/api/v1/arenas/home/reports/", body, format="json")
    assert refused.status_code == 400, refused.content
    assert fields_at_fault(refused) == {"first_side"}
    assert not Match.objects.exists()


def test_organisers_say_so_on_the_page_and_in_the_api(
    home: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    form = {
        **result_form("", sides="Alice\nCharlie"),
        "reason": "Seen.",
        "first_side": "0",
    }
    browser = browser_of(olga)
    asked = browser.post("/arenas/home/enter/", {"step": "who", "sides": "Alice\nCharlie"})
    assert "First-side advantage" in words(asked)
    entered = browser.post("/arenas/home/enter/", form)
    assert entered.status_code == 302, words(entered)
    assert Match.objects.get().first_side == 0
    body = {
        "sides": [side_of(alice, place=0), side_of(charlie, place=1)],
        "played_at": NOW.isoformat(),
        "reason": "Seen.",
        "first_side": 1,
    }
    sent = by_token(olga).post("/api/v1/arenas/home/results/", body, format="json")
    assert sent.status_code == 201, sent.content
    assert sent.json()["first_side"] == 1


def test_who_was_first_stays_if_the_sides_of_a_fixture_changed_places(
    home: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    fixture = fixture_of(begun(home, olga, [alice, charlie]), alice, charlie)
    host, guest = (side.player for side in sides_of(fixture))
    match = play(fixture, host)
    assert match.first_side == match.sides.get(captain=host).index
    unlinking.unlink(fixture.pk, match.pk, by=user_of(olga), reason="A rematch.", now=START)
    entered = enter(
        home,
        [side(guest, place=0), side(host, place=1)],
        by=user_of(olga),
        reason="At the guest's.",
        played_at=START,
        now=START,
        link=counting.linking(date_of(fixture)),
        first_side=0,
    )
    assert date_of(fixture).match == entered
    assert Match.objects.get(pk=entered.pk).first_side == 0
    change = entered.events.get(player=guest)
    assert change.rating_after - change.rating_before < 16, "a win at home counts less"


def test_organisers_are_not_asked_where_it_does_not_count(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    asked = browser_of(olga).post("/arenas/duel/enter/", {"step": "who", "sides": "Alice\nCharlie"})
    assert asked.status_code == 200
    assert "First-side advantage" not in words(asked)


def test_a_free_for_all_has_no_first_side(
    melee: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    sides = [side(player, place=place) for place, player in enumerate([alice, bob, charlie])]
    with pytest.raises(Refused, match="Only a match of two sides has a first side"):
        enter(
            melee,
            sides,
            by=user_of(olga),
            reason="Seen.",
            played_at=NOW,
            now=NOW,
            first_side=0,
        )
    assert not Match.objects.exists()
