"""Results as other sites write them."""

from datetime import UTC, datetime
from typing import Any

AT = int(datetime(2026, 1, 2, 20, tzinfo=UTC).timestamp())


def contest(*standings: list[Any], **more: Any) -> dict[str, Any]:
    return {"name": "Round 1", "time_seconds": AT, "standings": list(standings), **more}


def challonge(*matches: dict[str, Any]) -> dict[str, Any]:
    names = {11: "Alice", 12: "Bob", 13: "Charlie"}
    return {
        "tournament": {
            "name": "Winter cup",
            "participants": [{"participant": {"id": pk, "name": one}} for pk, one in names.items()],
            "matches": [{"match": one} for one in matches],
        }
    }


def played(one: int, other: int, winner: int | None, scores: str, **more: Any) -> dict[str, Any]:
    return {
        "state": "complete",
        "player1_id": one,
        "player2_id": other,
        "winner_id": winner,
        "scores_csv": scores,
        "round": 1,
        "completed_at": "2026-01-02T21:00:00.000+01:00",
        **more,
    }


def startgg(*nodes: dict[str, Any]) -> dict[str, Any]:
    return {"data": {"event": {"name": "Singles", "sets": {"nodes": list(nodes)}}}}


def a_set(winner: int, scores: tuple[float | None, float | None], **more: Any) -> dict[str, Any]:
    slots = [
        {"entrant": {"id": pk, "name": name}, "standing": {"stats": {"score": {"value": score}}}}
        for pk, name, score in ((1, "Alice", scores[0]), (2, "Bob", scores[1]))
    ]
    return {"completedAt": AT, "winnerId": winner, "slots": slots, "fullRoundText": "Final", **more}


def lichess(winner: str | None, **more: Any) -> dict[str, Any]:
    players = {"white": {"user": {"name": "Alice"}}, "black": {"user": {"name": "Bob"}}}
    given = {"id": "q7ZvsdUF", "createdAt": AT * 1000, "status": "mate", "players": players}
    return given | ({"winner": winner} if winner else {}) | more
