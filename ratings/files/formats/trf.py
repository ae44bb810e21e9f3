"""Tournament report files of FIDE (TRF): the games of a tournament with colours and ratings.

Byes are no games. Forfeits and games of less than a move, which FIDE does not rate, count as
decided without a game.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import TYPE_CHECKING

from ratings.files import trf_reading
from ratings.files.documents import Format
from ratings.files.problems import Problem, UnreadableFile
from ratings.files.results import Result, ResultSide, StartingRating
from ratings.files.tables import MOST_ROWS
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.files.documents import Document, Found
    from ratings.files.trf import Trf, TrfCell, TrfPlayer

PLACES = {
    ("1", "0"): (0, 1),
    ("=", "="): (0, 0),
    ("0", "1"): (1, 0),
    ("+", "-"): (0, 1),
    ("-", "-"): (0, 0),
    ("-", "+"): (1, 0),
    ("W", "L"): (0, 1),
    ("D", "D"): (0, 0),
    ("L", "W"): (1, 0),
}
"""The places for the codes of both players."""
RATED = {"1", "=", "0"}
FEW = 5
"""Names in a remark."""


def recognises(document: Document) -> bool:
    return trf_reading.is_trf(document.text)


def read(document: Document, found: Found) -> None:
    tournament = trf_reading.parse(document.text)
    check_names(tournament)
    found.ratings += [
        StartingRating(one.line, one.name, float(one.rating))
        for one in tournament.players.values()
        if one.rating
    ]
    for number, game in enumerate(games(tournament), start=1):
        if number > MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s games. Divide it.", most=f"{MOST_ROWS:,}"
            )
        add_game(tournament, number, game, found)
    found.remarks += remarks_on(tournament)


def check_names(tournament: Trf) -> None:
    """Raise ``UnreadableFile`` for a player without a name, or two with one name."""
    lines: dict[str, int] = {}
    for player in tournament.players.values():
        if not player.name:
            raise UnreadableFile("The player on line %(line)s has no name.", line=player.line)
        if (other := lines.setdefault(player.name, player.line)) != player.line:
            raise UnreadableFile(
                "The players on lines %(one)s and %(other)s are both called %(name)s. Give one of "
                "them another name.",
                one=other,
                other=player.line,
                name=player.name,
            )


def games(tournament: Trf) -> Iterator[tuple[int, TrfPlayer, TrfCell]]:
    """Yield the pairings round by round, each once, as the player has it who has White.

    Without White, or with an opponent who knows nothing of it, it is the first player's.
    """
    for at in range(tournament.played):
        paired: set[int] = set()
        cells = [
            (player, player.cells[at])
            for player in tournament.players.values()
            if at < len(player.cells) and player.cells[at].opponent
        ]
        for player, cell in sorted(cells, key=lambda pair: pair[1].colour != "w"):
            if player.number not in paired:
                paired |= {player.number, cell.opponent}
                yield at, player, cell


def add_game(
    tournament: Trf, number: int, game: tuple[int, TrfPlayer, TrfCell], found: Found
) -> None:
    at, player, cell = game
    other = tournament.players.get(cell.opponent)
    back = other.cells[at] if other and at < len(other.cells) else None
    if other is None or back is None or back.opponent != player.number or other is player:
        sentence = Sentence(
            "Round %(round)s of %(name)s: the opponent, number %(number)s, was not paired with "
            "them.",
            round=at + 1,
            name=player.name,
            number=cell.opponent,
        )
        found.problems.append(Problem(number, sentence))
        return
    if not cell.code and not back.code:
        return  # to come
    places = PLACES.get((cell.code, back.code))
    if places is None or (cell.colour and cell.colour == back.colour):
        sentence = Sentence(
            "Round %(round)s: the results or colours of %(one)s and %(other)s do not fit together.",
            round=at + 1,
            one=player.name,
            other=other.name,
        )
        found.problems.append(Problem(number, sentence))
        return
    day = tournament.day_of(at)
    found.results.append(
        Result(
            number,
            [ResultSide([player.name], places[0]), ResultSide([other.name], places[1])],
            datetime.combine(day, time()) if day else None,
            has_hour=False,
            first=0 if cell.colour == "w" else -1,
            forfeit=cell.code not in RATED,
            round=str(at + 1),
            event=tournament.name,
        )
    )


def remarks_on(tournament: Trf) -> Iterator[Sentence]:
    yield Sentence("Line numbers count its games, round by round, from 1.")
    if tournament.has_teams:
        yield Sentence("Its teams are left out. The games of their boards are read.")
    if tournament.starts and len(tournament.dates) < tournament.played:
        yield Sentence("Rounds without a date are on the day of the round before, or the first.")
    if names := wrong_points(tournament):
        listed = ", ".join([*names[:FEW], *(["…"] if len(names) > FEW else [])])
        yield Sentence(
            "The points in the file are not those of its results for: %(names)s.", names=listed
        )


def wrong_points(tournament: Trf) -> list[str]:
    """Return the players whose points are not the sum of their results."""
    return [
        one.name
        for one in tournament.players.values()
        if one.number not in tournament.corrected
        and abs(tournament.points_of(one) - one.points) > 0.01
    ]


FORMAT = Format(
    "trf",
    Sentence("It is a tournament report of FIDE (TRF). Its games are read."),
    recognises,
    read,
    programs="TRF of FIDE (TRF16 and TRF25; `.trf`, `.txt`): Swiss-Manager, Vega, Tornelo, "
    "JaVaFo, bbpPairings, lichess, [a competition](competitions.md#chess)",
    reads="all games with colours, dates of rounds, and ratings of players; lines that end "
    "with CR, and columns that accents have moved",
    leaves_out="byes; forfeits and games of less than a move, which FIDE does not rate; teams",
)
