"""Answers of version 2.1 of Challonge's API, which follows JSON:API, in the form of version 1."""

from __future__ import annotations

from typing import Any, TypeAlias

Parts: TypeAlias = tuple[str, list[dict[str, Any]], list[dict[str, Any]]]
"""The name, the participants and the matches of a tournament."""


def parts_of(given: dict[str, Any]) -> Parts | None:
    """Return the parts of a tournament, None if it is no answer with matches.

    They are in ``data`` and ``included``, or in two answers below ``matches`` and
    ``participants``.
    """
    answers = [given, given.get("matches"), given.get("participants"), given.get("tournament")]
    resources = [
        one
        for answer in answers
        if isinstance(answer, dict)
        for key in ("data", "included")
        for one in as_list(answer.get(key))
        if isinstance(one, dict) and isinstance(one.get("attributes"), dict)
    ]
    matches = [as_match(one) for one in resources if one.get("type") == "match"]
    if not matches:
        return None
    people = [
        {**one["attributes"], "id": one.get("id")}
        for one in resources
        if one.get("type") == "participant"
    ]
    names = (one["attributes"].get("name") for one in resources if one.get("type") == "tournament")
    return str(next(names, "") or ""), people, matches


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def as_match(resource: dict[str, Any]) -> dict[str, Any]:
    """Return a match as version 1 has it. Ids are texts, as those of participants are."""
    own = resource["attributes"]
    points = [one for one in as_list(own.get("points_by_participant")) if isinstance(one, dict)]
    players = [id_of_related(resource, name) for name in ("player1", "player2")]
    if None in players and len(points) == 2:
        players = [as_text(one.get("participant_id")) for one in points]
    winners = own.get("winner_ids")
    winner = winners[0] if isinstance(winners, list) and len(winners) == 1 else own.get("winner_id")
    times = own.get("timestamps")
    times = times if isinstance(times, dict) else {}
    return {
        "state": own.get("state"),
        "player1_id": players[0],
        "player2_id": players[1],
        "winner_id": as_text(winner),
        "scores_csv": sets_of(own, points, players),
        "round": own.get("round") or 0,
        "completed_at": times.get("completed_at"),
        "updated_at": times.get("updated_at") or times.get("started_at"),
        "forfeited": own.get("forfeited"),
    }


def id_of_related(resource: dict[str, Any], name: str) -> str | None:
    """Return the id of a participant that a match is related to."""
    part: Any = resource.get("relationships")
    for key in (name, "data", "id"):
        part = part.get(key) if isinstance(part, dict) else None
    return as_text(part)


def as_text(number: Any) -> str | None:
    return str(number) if isinstance(number, int | str) and number != "" else None


def sets_of(own: dict[str, Any], points: list[dict[str, Any]], players: list[str | None]) -> str:
    """Return the sets of a match as version 1 writes them, ``3-1,2-3``."""
    by_player = {as_text(one.get("participant_id")): one.get("scores") for one in points}
    scores = [by_player.get(player) for player in players]
    if all(isinstance(one, list) and one for one in scores):
        return ",".join(f"{one}-{other}" for one, other in zip(*scores, strict=False))
    return str(own.get("scores") or "")
