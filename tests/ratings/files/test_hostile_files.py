"""Files that are cut off, damaged or made to harm are read or refused, never worse."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from tests.support import results_of_sites as sites
from tests.support.trf_files import TRF

PGN = '[Event "Cup"]\n[Date "2026.01.02"]\n[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n'
TEXTS = {
    "pgn": PGN * 2,
    "trf": TRF + "240 H 004  0002\r\nXXZ 5 1\r\n162  W 1.0    D 0.5\r\n",
    "table of a page": "<html><body><table><tr><th>Date<th>Home<th>Away<th>Score<tr><td>"
    "2024-05-01<td rowspan=2>Ann<td>Bob<td>3&ndash;1<tr><td>2024-05-02<td>Cid<td>1-0</table>",
    "table of debates": "round,room,team,points\n1,A,Ghent,3\n1,A,Lund,0\n1,A,Oslo,1\n",
    "table": "date,home,away,score\n2026-01-02,Ann,Bob,3-1\n2026-01-03,Bob,Ann,½-½\n",
    "table of winners": "date,winner,loser,score,round\n31-May-23,Ann,Bob,7-6(4) 6-3,F\n30/5/23,"
    "Bob,Cid,6-4 2-0 RET,SF\n",
    "table of teams": "date,A1,A2,B1,B2,score1,score2\n2026-01-02,Ann,Bob,Cid,Dan,3,1\n",
    "table of orders": "date,order\n2026-01-02,Ann > Bob = Cid\n3. März 2026,Bob>Ann\n",
    "table of races": "race,date,driver,position\n1,2026-01-02,Ann,1\n1,2026-01-02,Bob,R\n",
    "table across": "Name,Ann,Bob,Cid\nAnn,X,1½,0 1\nBob,½0,X,2:1\nCid,10,1:2,X\n",
}
DOCUMENTS: dict[str, Any] = {
    "elo-mmr": [sites.contest(["Ann", 0, 0], ["Bob", 1, 1])],
    "challonge": sites.challonge(
        sites.played(11, 12, 12, "1-3"), sites.played(12, 13, None, "2-2")
    ),
    "startgg": sites.startgg(sites.a_set(1, (3, 1)), sites.a_set(2, (None, None))),
    "codeforces": sites.codeforces(sites.ranked(1, "Ann", points=3.0), sites.ranked(2, "Bob")),
    "codeforces ratings": [sites.rating_change("Ann", 1, 9), sites.rating_change("Bob", 2, 9)],
    "challonge 2": sites.challonge_v2(sites.match_v2(11, 12, 11, [2, 1])),
    "toornament": [sites.toornament(sites.opponent("A", "win"), sites.opponent("B", "loss"))],
    "table of objects": [
        {
            "date": "2024-01-01",
            "home": {"name": "Ann"},
            "away": {"name": "Bob"},
            "score": {"home": 3, "away": 1},
            "players": ["x"],
            "odds": [1],
        }
    ],
    "debates": sites.tabbycat(sites.ballot(3, 1, 0, 2)),
    "lichess": [sites.lichess("white"), sites.lichess(None)],
    "lichess results": [{"rank": at, "score": 9, "username": f"P{at}"} for at in (1, 2)],
}
VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    10**400,
    1e308,
    "",
    "x",
    "\ud800",
    [],
    {},
    [[]],
    [None],
    {"a": {}},
]
"""Values that a place in a document should not have. The string is half of a character."""
ROUNDS = 400


@pytest.mark.parametrize("name", [*TEXTS, *DOCUMENTS])
def test_a_whole_sample_is_read(name: str) -> None:
    found = read(sample(name))
    assert found.format == ("" if name.startswith("table") else name.partition(" ")[0])
    assert found.results
    assert found.problems == []


@pytest.mark.parametrize("name", [*TEXTS, *DOCUMENTS])
def test_files_that_are_cut_off_are_read_or_refused(name: str) -> None:
    content = sample(name)
    for end in range(len(content)):
        check(content[:end])


@pytest.mark.parametrize("name", [*TEXTS, *DOCUMENTS])
def test_damaged_files_are_read_or_refused(name: str) -> None:
    chance = random.Random(name)  # noqa: S311 - damage that can be repeated
    for _round in range(ROUNDS):
        content = bytearray(sample(name))
        for _byte in range(chance.randint(1, 8)):
            at = chance.randrange(len(content))
            content[at : at + chance.choice((0, 1, 1, 5))] = chance.choice(
                (b"", b"\0", b"\r", b"\n", b" ", b"9" * 30, b"\xff", b'"', bytes([content[at]] * 2))
            )
        check(bytes(content))


@pytest.mark.parametrize("name", [*DOCUMENTS])
def test_documents_with_wrong_values_anywhere_are_read_or_refused(name: str) -> None:
    whole = DOCUMENTS[name]
    for path in paths(whole):
        for value in VALUES:
            check(json.dumps(with_value(whole, path, value)).encode())


def sample(name: str) -> bytes:
    return (TEXTS[name] if name in TEXTS else json.dumps(DOCUMENTS[name])).encode()


def check(content: bytes) -> None:
    """Read a file, and say everything that there is to say about it."""
    try:
        found = read(content)
    except UnreadableFile:
        return
    assert isinstance(found, Found)
    for problem in found.problems:
        assert str(problem.sentence)
    for result in found.results:
        assert all(isinstance(name, str) for side in result.sides for name in side.names)
        assert len(result.sides) > 1
        assert min(side.place for side in result.sides) == 0


def paths(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each value in a document, the whole first."""
    yield path
    steps = (
        part.items() if isinstance(part, dict) else enumerate(part if type(part) is list else ())
    )
    for step, below in steps:
        yield from paths(below, (*path, step))


def with_value(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = deepcopy(whole)
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed
