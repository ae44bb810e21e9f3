"""Records, meetings and compared ratings, as programs read them."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from league.models import Arena, Player
from league.services.privacy.reading import set_privacy
from league.services.results.records.histories import history_of
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import arena
from tests.support.versus_steps import played_arena

__all__ = ["played_arena"]


def read(player: Player, page: str, query: str = "", client: Any = None) -> Any:
    return (client or Client()).get(f"/api/v1/players/{player.pk}/{page}/{query}")


def test_records_are_those_of_the_page(played_arena: Arena, alice: Player, charlie: Player) -> None:
    found = read(alice, "records").json()
    season = played_arena.seasons.get()
    best = history_of(season, alice).best
    assert best
    assert found["season"] == {"id": season.pk, "name": season.name}
    assert (found["best"]["match"], found["best"]["rating"]) == (best.match_id, best.rating)
    assert found["winning"]["matches"] == 3
    assert found["winning"]["first_at"] < found["winning"]["last_at"]
    rival = {
        "player": {"id": charlie.pk, "name": "Charlie"},
        "record": {"wins": 3, "draws": 0, "losses": 1},
    }
    assert found["most_met"] == found["closest"] == [rival]
    sides = next(one for one in found["breakdowns"] if one["kind"] == "side")
    assert sum(part["record"]["wins"] for part in sides["parts"]) == 3
    assert (found["awards"], found["trophies"]) == ([], [])
    upset = read(charlie, "records").json()["upset"]
    assert upset["ahead"] > 0
    met = read(charlie, f"against/{alice.pk}").json()["encounters"]
    assert upset["match"] == met[0]["match"]


def test_records_need_a_season_that_was_played(
    played_arena: Arena, alice: Player, olga: Player
) -> None:
    assert read(olga, "records").status_code == 404
    other = arena("other").seasons.get()
    assert read(alice, "records", f"?season={other.pk}").status_code == 404
    assert read(alice, "records", f"?season={played_arena.seasons.get().pk}").status_code == 200
    assert fields_at_fault(read(alice, "records", "?season=x")) == {"season"}


def test_two_players_are_read_from_either_side(
    played_arena: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    found = read(alice, f"against/{charlie.pk}").json()
    assert found["record"] == {"wins": 3, "draws": 0, "losses": 1}
    assert [one["outcome"] for one in found["encounters"]] == ["loss", "win", "win", "win"]
    assert found["seasons"][0]["arena"]["slug"] == "duel"
    turned = read(charlie, f"against/{alice.pk}").json()
    assert turned["record"] == {"wins": 1, "draws": 0, "losses": 3}
    assert found["chance"] + turned["chance"] == pytest.approx(1)
    never = read(alice, f"against/{eve.pk}").json()
    assert (never["encounters"], never["seasons"]) == ([], [])
    assert 0 < never["chance"] < 1
    assert read(alice, f"against/{olga.pk}").json()["chance"] is None
    assert read(alice, f"against/{alice.pk}").status_code == 400
    assert read(alice, f"against/{10**9}").status_code == 404
    other = arena("other").seasons.get()
    assert read(alice, f"against/{charlie.pk}", f"?season={other.pk}").status_code == 404


def test_addresses_of_merged_players_lead_to_who_stays(
    played_arena: Arena, alice: Player, charlie: Player
) -> None:
    gone = Player.objects.create(name="Gone", merged_into=alice)
    moved = read(gone, f"against/{charlie.pk}")
    assert moved.status_code == 301
    assert moved.headers["Location"].endswith(f"/players/{alice.pk}/against/{charlie.pk}/")
    assert read(charlie, f"against/{gone.pk}").json()["other"]["id"] == alice.pk


def test_ratings_of_several_players_are_compared(
    played_arena: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    found = read(alice, "compare", f"?others={eve.pk},{charlie.pk}, {alice.pk}").json()
    assert [one["player"]["name"] for one in found["curves"]] == ["Alice", "Eve", "Charlie"]
    assert [len(one["points"]) for one in found["curves"]] == [4, 1, 5]
    history = history_of(played_arena.seasons.get(), alice)
    assert [one["rating"] for one in found["curves"][0]["points"]] == [
        point.rating for point in history.points
    ]
    for wrong in ("", "?others=", "?others=Eve", "?others=1,2,3,4,5,6", "?others=0", "?others=²"):
        assert fields_at_fault(read(alice, "compare", wrong)) == {"others"}
    assert fields_at_fault(read(alice, "compare", f"?others={10**9}")) == {"others"}


def test_hidden_histories_are_refused_to_strangers(
    played_arena: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    set_privacy(alice, hides_history=True, is_unlisted=False)
    stranger, hers, his = by_token(eve), by_token(alice), by_token(charlie)
    together, curves = f"against/{alice.pk}", f"?others={alice.pk}"
    for client in (None, stranger):
        assert read(alice, "records", client=client).status_code == 403
        assert read(charlie, together, client=client).status_code == 403
        refused = read(charlie, "compare", curves, client)
        assert refused.json()["code"] == "hidden_history"
        assert read(alice, "compare", f"?others={eve.pk}", client).status_code == 403
    assert read(alice, "records", client=hers).status_code == 200
    assert read(charlie, together, client=his).json()["record"]["losses"] == 3
    assert read(alice, "records", client=his).status_code == 403
    assert read(charlie, "compare", curves, his).status_code == 403
    assert read(charlie, "compare", curves, hers).status_code == 200


@pytest.mark.usefixtures("within_a_minute")
def test_records_count_among_the_costly_pages(
    played_arena: Arena, alice: Player, settings: Settings
) -> None:
    limit = {"address": 9, "account": 9}
    settings.REQUESTS_A_MINUTE = {"api": limit, "costly": {"address": 1, "account": 1}}
    mine = by_token(alice)
    answers = [read(alice, "records", client=mine).status_code for _number in range(3)]
    assert answers[0] == 200
    assert 429 in answers
    settings.REQUESTS_A_MINUTE = {"api": {"address": 1, "account": 1}, "costly": limit}
    refused = [read(alice, "records", client=mine) for _number in range(3)][-1]
    assert (refused.status_code, refused.headers["RateLimit-Limit"]) == (429, "1")
