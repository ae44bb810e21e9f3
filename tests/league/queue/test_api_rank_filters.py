"""Programs set rank filters."""

from league.models import Arena, ArenaQueue, Player
from league.services.queue.rank_filters import filters_of
from matchmaking.rank_filter import RankFilter
from tests.support.api_steps import by_token, fields_at_fault


def test_a_rank_filter_is_set_read_and_removed(duel: Arena, alice: Player, bob: Player) -> None:
    ArenaQueue.objects.create(arena=duel)
    queue = f"/api/v1/arenas/{duel.slug}/queue/"
    address, mine = f"{queue}filter/", by_token(alice)
    assert mine.get(queue).json()["my_filter"] is None
    saved = mine.put(address, {"percentiles": 12.5, "strict": True}, format="json")
    assert saved.status_code == 200
    assert saved.json()["my_filter"] == {"percentiles": 12.5, "strict": True}
    assert filters_of(duel, [alice.pk]) == {alice.pk: RankFilter(12.5, strict=True)}
    assert by_token(bob).get(queue).json()["my_filter"] is None
    for wrong in (0, -1, 101, "10"):
        refused = mine.put(address, {"percentiles": wrong}, format="json")
        assert refused.status_code == 400
    assert fields_at_fault(mine.put(address, {}, format="json")) == {"percentiles"}
    for everyone in (None, 100):
        mine.put(address, {"percentiles": 12.5}, format="json")
        cleared = mine.put(address, {"percentiles": everyone}, format="json")
        assert cleared.json()["my_filter"] is None


def test_an_arena_without_a_queue_has_no_filter(duel: Arena, alice: Player) -> None:
    address = f"/api/v1/arenas/{duel.slug}/queue/filter/"
    assert by_token(alice).put(address, {"percentiles": 9}, format="json").status_code == 404
