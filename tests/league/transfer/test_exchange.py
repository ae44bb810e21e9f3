"""Results as other sites write them are imported like any file."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from league.models import Arena, Match, Player, Side, User
from league.services.core.errors import Refused
from league.services.transfer.files.tables import read_table
from tests.support.cast import arena
from tests.support.import_steps import boss, bring, checked, upload

__all__ = ["boss"]

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


def rows(document: Any) -> list[dict[str, str]]:
    """Return the filled cells of each row that a file gives."""
    text = document if isinstance(document, str) else json.dumps(document)
    table = read_table(text.encode())
    assert table.wrong == []
    return [
        {name: cell for name, cell in zip(table.header, cells, strict=True) if cell}
        for _line, cells in table.cells
    ]


def test_a_contest_becomes_an_order_of_finish() -> None:
    one = contest(["Cem", 2, 2], ["Ann", 0, 1], ["Bob", 0, 1], weight=0.5, perf_ceiling=2400)
    assert rows(one) == [
        {
            "Date": "2026-01-02 20:00:00Z",
            "Order": "Ann = Bob > Cem",
            "Weight": "0.5",
            "Event": "Round 1",
        }
    ]
    remarks = read_table(json.dumps([one, contest(["Ann", 0, 0])]).encode()).remarks
    assert any("ceilings are not imported" in each for each in remarks)
    assert any("1 entry without a played result is left out" in each for each in remarks)


def test_a_challonge_tournament_gives_its_played_matches() -> None:
    document = challonge(
        played(11, 12, 12, "1-3"),
        played(12, 13, 13, "3-1,0-3,2-3"),
        played(11, 13, 11, "0-2"),  # scores that name another winner are left out
        played(11, 13, None, "1-1"),
        played(11, 12, 11, "", forfeited=True),
        {"state": "open", "player1_id": 11, "player2_id": None},
    )
    first, series, unclear, draw = rows(document)
    assert first == {
        "Date": "2026-01-02 20:00:00Z",
        "Side 1": "Alice",
        "Side 2": "Bob",
        "Score 1": "1",
        "Score 2": "3",
        "Winning side": "2",
        "Round": "1",
        "Event": "Winter cup",
    }
    assert (series["Score 1"], series["Score 2"], series["Winning side"]) == ("1", "2", "2")
    assert ("Score 1" in unclear, unclear["Winning side"]) == (False, "1")
    assert draw["Winning side"] == "draw"


def test_sets_of_startgg_leave_out_the_disqualified() -> None:
    unscored = a_set(1, (None, None))
    unscored["slots"][0]["standing"] = None
    found = rows(startgg(a_set(2, (1, 3)), a_set(1, (0, -1)), unscored))
    assert [(row["Winning side"], row.get("Score 2")) for row in found] == [("2", "3"), ("1", None)]
    assert found[0]["Round"] == "Final"


def test_games_of_lichess_come_one_on_a_line() -> None:
    lines = [lichess("black"), lichess(None, status="draw"), lichess(None, status="aborted")]
    lines.append(
        lichess("white", players={"white": {"user": {"name": "Al"}}, "black": {"aiLevel": 3}})
    )
    found = rows("\n".join(map(json.dumps, lines)))
    assert [row["Winning side"] for row in found] == ["2", "draw"]
    assert found[0]["Event"] == "lichess.org/q7ZvsdUF"
    assert len(rows(lichess("white"))) == 1


def test_a_tournament_is_imported_and_rated(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    document = challonge(played(11, 12, 12, "1-3"), played(12, 13, None, "2-2"))
    bring(duel, boss, json.dumps(document), name="cup.json")
    assert Match.objects.filter(status="rated").count() == 2
    assert Side.objects.get(captain=bob, place=0, score=3).match.arena == duel


def test_a_contest_is_imported_and_rated(boss: User) -> None:
    race = arena("race", format="free-for-all", sides_min=2, sides_max=10, team_size_max=1)
    names = ["Ann", "Bob R.", "Cem = Co"]
    bad = contest(*([name, at, at] for at, name in enumerate(names)))
    report = checked(upload(race, boss, json.dumps([bad]), name="0.json"))
    assert "cannot be a name in an order of finish" in str(report)
    good = contest(*([name, at, at] for at, name in enumerate(names[:2])))
    bring(race, boss, json.dumps([good]), name="0.json")
    assert [side.captain.name for side in Side.objects.order_by("place")] == ["Ann", "Bob R."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "The file is not valid JSON"),
        ('{"id": 1}\n{"id": 2', "Line 2 is not valid JSON"),
        ('{"a": 1}', "This JSON is in none of the supported formats"),
        ("[]", "This JSON is in none of the supported formats"),
        ("[1, 2]", "This JSON is in none of the supported formats"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tournament": {"matches": 1, "participants": []}}', "none of the supported formats"),
        ('{"data": {"event": null}}', "none of the supported formats"),
    ],
)
def test_other_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        read_table(text.encode())


@pytest.mark.parametrize(
    "wrong",
    [
        contest(["Ann", -1, 0], ["Bob", 1, 1]),
        contest(["Ann", 0, 0], ["Bob", 1, 1], time_seconds=10**30),
        contest(["Ann", 0, 0], ["Bob", 1, 1], weight="NaN"),
        contest("Ann"),  # type: ignore[arg-type]
        {"standings": [["Ann", 0, 0], ["Bob", 1, 1]]},
    ],
)
def test_wrong_contests_are_named(wrong: dict[str, Any]) -> None:
    good = contest(["Ann", 0, 0], ["Bob", 1, 1])
    table = read_table(json.dumps([good, wrong, 7]).encode())
    assert [line for line, _cells in table.cells] == [1]
    assert [line for line, _why in table.wrong] == [2, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        challonge(played(11, 12, 99, "1-0")),
        challonge(played(11, 99, 11, "1-0")),
        challonge(played(11, 12, 11, "1-0", completed_at="yesterday")),
        startgg(a_set(3, (1, 0))),
        startgg(a_set(1, (1, 0), completedAt=-5)),
        lichess("green"),
        lichess("white", createdAt=10**40),
    ],
)
def test_wrong_entries_are_named(wrong: dict[str, Any]) -> None:
    table = read_table(json.dumps(wrong).encode())
    assert (table.cells, [line for line, _why in table.wrong]) == ([], [1])
