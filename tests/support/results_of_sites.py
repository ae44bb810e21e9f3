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


def codeforces(*rows: dict[str, Any], **contest: Any) -> dict[str, Any]:
    given = {"id": 566, "name": "Round 1", "phase": "FINISHED", "frozen": False}
    times = {"startTimeSeconds": AT - 7200, "durationSeconds": 7200}
    return {
        "status": "OK",
        "result": {"contest": {**given, **times, **contest}, "problems": [], "rows": list(rows)},
    }


def ranked(rank: int | None, *handles: str, points: float | None = None, **party: Any) -> Any:
    members = [{"handle": handle} for handle in handles]
    about = {"contestId": 566, "members": members, "participantType": "CONTESTANT", "ghost": False}
    return {"party": {**about, **party}, "rank": rank, "points": points, "penalty": 0}


def rating_change(handle: str, rank: int | None, before: int, contest: int = 566) -> Any:
    return {
        "contestId": contest,
        "contestName": f"Round {contest}",
        "handle": handle,
        "rank": rank,
        "ratingUpdateTimeSeconds": AT + contest,
        "oldRating": before,
        "newRating": before + 10,
    }


def challonge_v2(*matches: dict[str, Any]) -> dict[str, Any]:
    """An answer of version 2.1 with its participants beside it."""
    names = {11: "Alice", 12: "Bob", 13: "Charlie"}
    people = [
        {"id": str(pk), "type": "participant", "attributes": {"name": name, "seed": pk - 10}}
        for pk, name in names.items()
    ]
    return {"data": list(matches), "included": people, "meta": {"count": len(matches)}}


def match_v2(one: int, other: int, winner: int | None, *sets: list[int], **more: Any) -> Any:
    points = [
        {"participant_id": pk, "scores": [each[at] for each in sets]}
        for at, pk in enumerate((one, other))
    ]
    return {
        "id": "8008135",
        "type": "match",
        "attributes": {
            "state": "complete",
            "round": 2,
            "identifier": "A",
            "scores": " , ".join(f"{a} - {b}" for a, b in sets),
            "timestamps": {"started_at": None, "updated_at": "2026-01-02T20:00:00.000Z"},
            "winner_id": winner,
            "tie": winner is None,
            "points_by_participant": points,
            **more,
        },
        "relationships": {
            name: {"data": {"id": str(pk), "type": "participant"}}
            for name, pk in (("player1", one), ("player2", other))
        },
    }


def toornament(*opponents: dict[str, Any], **more: Any) -> dict[str, Any]:
    times = {"scheduled_datetime": None, "played_at": "2026-01-02T21:00:00+01:00"}
    return {"id": "31", "status": "completed", "opponents": list(opponents), **times, **more}


def opponent(name: str | None, result: str | None = None, **more: Any) -> dict[str, Any]:
    participant = None if name is None else {"id": name.lower(), "name": name}
    about = {"rank": None, "score": None, "forfeit": False}
    return {"number": 1, "participant": participant, "result": result, **about, **more}


def ballot(*points: float | None, **more: Any) -> dict[str, Any]:
    """A ballot of Tabbycat: teams by their addresses, opening government first."""
    teams: list[dict[str, Any]] = [
        {"side": side, "team": f"https://tab.example/teams/{at}", "points": point, "speeches": []}
        for at, (side, point) in enumerate(zip(("og", "oo", "cg", "co"), points, strict=False))
    ]
    at = datetime.fromtimestamp(AT, UTC).isoformat()
    return {"result": {"sheets": [{"teams": teams}]}, "confirmed": True, "timestamp": at, **more}


def tabbycat(*ballots: dict[str, Any]) -> dict[str, Any]:
    names = ["Ghent A", "Delft B", "Lund A", "Graz C"]
    teams = [
        {"url": f"https://tab.example/teams/{at}", "short_name": name, "long_name": f"The {name}"}
        for at, name in enumerate(names)
    ]
    return {"teams": teams, "ballots": list(ballots)}
