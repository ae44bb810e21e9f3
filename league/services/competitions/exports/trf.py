"""A league table or a Swiss of individuals as a tournament report of FIDE (TRF)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Competition, Fixture
from league.services.competitions.exports import pgn
from ratings.files.trf import ABSENT, Trf, TrfCell, TrfPlayer, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Entrant
    from league.services.competitions.pages import CompetitionPage, FixtureLine

Format = Competition.Format
Result = Fixture.Result
By = Fixture.DecidedBy
TYPES = {Format.TABLE: "Individual: Round-Robin", Format.SWISS: "Individual: Swiss-System"}
BYES = {Result.HOME: "U", Result.DRAW: "H", Result.NEITHER: "Z"}
PLAYED = {Result.HOME: "10", Result.DRAW: "==", Result.AWAY: "01", Result.NEITHER: "--"}
DECIDED = {Result.HOME: "WL", Result.DRAW: "DD", Result.AWAY: "LW", Result.NEITHER: "--"}
"""By staff without a game, which no ratings count."""
FORFEITED = {**DECIDED, Result.HOME: "+-", Result.AWAY: "-+"}
LONGEST_NAME = 33
LARGEST_RATING = 9_999


def is_for(page: CompetitionPage) -> bool:
    """Return whether a competition is one of chess with a table, whose draw is made."""
    one = page.competition
    return one.format in TYPES and one.drawn_at is not None and pgn.is_for(page)


def to_trf(page: CompetitionPage) -> bytes:
    """Return the players in the order of their seeds, with all rounds that are drawn.

    Results of annulled entrants are left out, as they are in the table.
    """
    one = page.competition
    zone = one.season.arena.zone
    places = {line.entrant.pk: line.row for table in page.tables for line in table.lines}
    people = sorted(
        (entrant for entrant in page.entrants if entrant.pk in places),
        key=lambda entrant: entrant.seed or 0,
    )
    numbers = {entrant.pk: number for number, entrant in enumerate(people, start=1)}
    names = short_names(people)
    cells = cells_of(page, numbers)
    days = [each.round.play_at.astimezone(zone).date() for each in page.tabled]
    tournament = Trf(one.name, min(days, default=None), max(days, default=None), days, len(days))
    for entrant in people:
        number, row = numbers[entrant.pk], places[entrant.pk]
        rounds = cells[number]
        tournament.players[number] = TrfPlayer(
            number,
            names[entrant.pk],
            float(row.points),
            row.place,
            [rounds.get(at, ABSENT) for at in range(1, max(rounds, default=0) + 1)],
            rating=rating_of(entrant),
        )
    kind = ("092", TYPES[Format(one.format)])
    absent = absences(page, numbers) if one.format == Format.SWISS else []
    return write(tournament, [kind, *points_of(one), *absent]).encode()


def cells_of(page: CompetitionPage, numbers: Mapping[int, int]) -> dict[int, dict[int, TrfCell]]:
    """Return the rounds of each number that are drawn, by the number of the round."""
    found: dict[int, dict[int, TrfCell]] = {number: {} for number in numbers.values()}
    drawn = [each for each in page.tabled if each.round.opened_at]
    for round_, line in ((each.round.number, line) for each in drawn for line in each.fixtures):
        result, home = Result(line.outcome.result), numbers.get(line.fixture.home_id or 0)
        away = numbers.get(line.fixture.away_id or 0)
        if home is not None and line.fixture.away_id is None:
            found[home][round_] = TrfCell(0, "", BYES.get(result, "Z"))
        elif home is not None and away is not None and result != Result.NONE:
            first, second = codes_of(line)
            found[home][round_] = TrfCell(away, "w", first)
            found[away][round_] = TrfCell(home, "b", second)
    return found


def absences(page: CompetitionPage, numbers: Mapping[int, int]) -> list[tuple[str, str]]:
    """Return the records of those who do not play in the next round, and of half points to come.

    XXZ is the extension that pairing programs read; 240 is of TRF25.
    """
    to_come = [each for each in page.tabled if not each.round.opened_at]
    byes = {
        each.round.number: [
            (numbers[pk], line.outcome.result == Result.DRAW)
            for line in each.fixtures
            if (pk := line.fixture.home_id) is not None and pk in numbers
        ]
        for each in to_come
    }
    out = {numbers[one.pk] for one in page.entrants if one.pk in numbers and has_left(one)}
    out |= {number for number, _half in byes.get(min(byes, default=0), ())}
    halves = {each: [number for number, half in asked if half] for each, asked in byes.items()}
    return [
        *([("XXZ", " ".join(map(str, sorted(out))))] if out else []),
        *(
            ("240", f"H {each:03}  " + " ".join(f"{number:04}" for number in asked))
            for each, asked in halves.items()
            if asked
        ),
    ]


def has_left(entrant: Entrant) -> bool:
    return entrant.state != entrant.State.PLAYING


def codes_of(line: FixtureLine) -> Sequence[str]:
    """Return the codes of both sides, empty for a fixture to come."""
    outcome = line.outcome
    if not outcome.is_decided:
        return "", ""
    codes = {By.GAMES: PLAYED, By.STAFF: DECIDED}.get(By(outcome.by), FORFEITED)
    return codes[Result(outcome.result)]


def short_names(people: Sequence[Entrant]) -> dict[int, str]:
    """Return names that fit into their column. Two that begin alike get a number."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for entrant in people:
        name, number = entrant.name[:LONGEST_NAME].strip(), 1
        while name in taken:
            number += 1
            name = f"{entrant.name[: LONGEST_NAME - 5]} {number}"
        taken.add(name)
        found[entrant.pk] = name
    return found


def rating_of(entrant: Entrant) -> int:
    """Return the rating for the draw, 0 if four digits do not hold it."""
    rating = round(entrant.rating or 0)
    return rating if 0 < rating <= LARGEST_RATING else 0


def points_of(one: Competition) -> list[tuple[str, str]]:
    """Return the record of the points for results, none if they are those of chess."""
    rules = one.ruled_by().table
    values = [rules.win, rules.draw, rules.loss, rules.forfeit, rules.bye]
    if values == [1, 0.5, 0, 0, 1]:
        return []
    parts = [f"{name} {value:>3.1f}" for name, value in zip("WDLAP", values, strict=True)]
    return [("162", " " + "    ".join(parts))]
