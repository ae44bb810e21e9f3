"""Programs offer to stand in."""

from league.models import Arena, Player, Scope, StandIn
from tests.support.api_steps import by_token


def test_an_offer_to_stand_in_is_made_and_withdrawn(teams: Arena, alice: Player) -> None:
    mine, address = by_token(alice), f"/api/v1/arenas/{teams.slug}/stand-in/"
    for _twice in range(2):
        assert mine.put(address).status_code == 204
    assert [offer.player for offer in StandIn.objects.filter(arena=teams)] == [alice]
    for _twice in range(2):
        assert mine.delete(address).status_code == 204
    assert not StandIn.objects.exists()


def test_offers_need_an_arena_and_a_scope(teams: Arena, alice: Player) -> None:
    assert by_token(alice).put("/api/v1/arenas/nowhere/stand-in/").status_code == 404
    teams.is_draft = True
    teams.save()
    address = f"/api/v1/arenas/{teams.slug}/stand-in/"
    assert by_token(alice).put(address).status_code == 404
    assert by_token(alice, Scope.QUEUE).put(address).status_code == 403
