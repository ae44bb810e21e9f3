"""The permission table of match nights: maps and the board of live matches."""

from datetime import timedelta
from typing import Any

from league.models import FillIn, MapBan, MatchMap, Player
from league.services.core.clock import database_now
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW
from tests.support.permission_objects import in_arena
from tests.support.permission_roles import LOGGED_IN, OPEN, Row, World, form

ALICES_TURN = "login forbidden ok ok forbidden forbidden"
"""Charlie is led back to the match, which says that it is not his turn."""


EVES_SEAT = "login ok forbidden forbidden forbidden forbidden"


def with_a_filled_seat(world: World) -> dict[str, Any]:
    """A live match that Dan has left, and in which Eve filled his seat for a while."""
    if "seat" not in world.extras:
        gil, dan = (Player.objects.create(name=name) for name in ("Gil", "Dan"))
        sides = [StartingSide(player, [player]) for player in (gil, dan)]
        match = world.extras["seat"] = start(world.arena, sides, now=NOW)
        left = match.participants.get(player=dan)
        left.quit, left.live, left.seconds = True, False, 60
        left.save()
        FillIn.objects.create(
            match=match, replaces=left, player=world.eve, joined_at=NOW, left_at=NOW
        )
    return {"pk": world.extras["seat"].pk}


def in_a_veto(world: World) -> dict[str, Any]:
    """A live match in which Charlie has banned a map, and Alice is to ban the next."""
    if "veto" in world.extras:
        return {"pk": world.live.pk}
    now = database_now()
    choice = world.extras["veto"] = MatchMap.objects.create(
        match=world.live,
        maps=["Xyra", "Qorz", "Vuld"],
        seed="0123456789abcdef" * 2,
        turn=timedelta(minutes=5),
        first=1,
        began_at=now,
    )
    MapBan.objects.create(choice=choice, number=1, map="Vuld", side=1, by=world.charlie, at=now)
    return {"pk": world.live.pk}


NIGHT = [
    Row("live", "GET", OPEN),
    Row("arena_live", "GET", OPEN, where=in_arena),
    Row("api:live", "GET", OPEN),
    Row("api:live-matches", "GET", OPEN, where=in_arena),
    *form("match_leave_seat", LOGGED_IN, EVES_SEAT, where=with_a_filled_seat),
    Row("match_maps", "GET", OPEN, where=in_a_veto),
    *form(
        "match_map_ban", LOGGED_IN, ALICES_TURN, where=in_a_veto, data={"map": "Xyra", "turn": "2"}
    ),
    Row("api:match-seat-leave", "POST", EVES_SEAT, where=with_a_filled_seat),
    Row("api:match-maps", "GET", OPEN, where=in_a_veto),
    Row(
        "api:match-map-ban",
        "POST",
        ALICES_TURN.replace("ok ok", "ok refused"),  # it is not Charlie's turn
        where=in_a_veto,
        data={"map": "Xyra", "turn": 2},
    ),
]
