"""Tournament report files (TRF) of FIDE, read by their columns, which count from 0 here."""

from __future__ import annotations

import re
from datetime import date

from ratings.files.dates import LONGEST, full_year, in_words
from ratings.files.problems import UnreadableFile
from ratings.files.trf import COUNTS, Trf, TrfCell, TrfPlayer

NAME, RATING, FEDERATION, FIDE_ID = (14, 47), (48, 52), (53, 56), (57, 68)
POINTS, RANK = (80, 84), (85, 89)
CELLS, WIDTH = 91, 10
"""The column of the first round, and the width of each."""
LONGEST_LINE = 2_000
MOST_ROUNDS = 99
SHIFTS = sorted(range(-20, 21), key=abs)
"""Columns by which a name with letters of several bytes moves the rest of its line."""

RECORDS = re.compile(r"\s*(?:\d{3}|[A-Z]{3}|###)(?: |[\r\n])")
PLAYER = re.compile(r"(?:^|(?<=[\r\n]))001 +\d{1,4} ")
BARE_NUMBER = re.compile(r"\d{1,4}")
ASKED = re.compile(r"([FHZfhz]) +(\d{1,3}) ")
NUMBER = re.compile(r"\d{1,3}(?:[.,]\d)?")
DAY = re.compile(r"(\d{4}|\d{1,2})[/.-] ?(\d{1,2})[/.-] ?(\d{4}|\d{1,2})")
VALUE = re.compile(r"([WDLAPX]) *=? *(\d{1,2}(?:[.,]\d{1,2})?)")
TITLES = "W?GM|W?IM|W?FM|W?CM|w?[gifc]m?|w?m"
LOOSE = re.compile(
    rf"001 (\d{{1,4}}) (?:([mwMW]) )?(?:({TITLES}) )?(\D+?) (?:(\d{{1,4}}) )?(?:([A-Z]{{3}}) )?"
    r"(?:\d{1,11} )?(?:\d{4}(?:/\d\d/\d\d)? )?(\d{1,3}[.,]\d) (\d{1,4})"
    r"((?: \d{1,4} [wWbB-] [-+=01wWdDlLhHfFuUzZ])*)"
)
"""A line whose columns were lost, as when spaces are merged."""
BARE = {"+": "F", "1": "F", "W": "F", "=": "H", "D": "H", "-": "Z", "0": "Z", "L": "Z", "": "Z"}
"""Byes as the first version of the format wrote them."""


def is_trf(text: str) -> bool:
    """Return whether a text has records of players."""
    return bool(RECORDS.match(text) and PLAYER.search(text))


def parse(text: str) -> Trf:
    """Return the tournament of a file. Raises ``UnreadableFile``."""
    found = Trf()
    written: list[str] = []
    for line, record in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        tag, rest = record[:3], record[4:].strip()
        if tag == "001":
            add_player(found, line, record)
        elif tag == "012":
            found.name = rest[:200]
        elif tag == "042":
            found.starts = first_day(rest)
        elif tag == "052":
            found.ends = first_day(rest)
        elif tag == "132":
            written += [match.group() for match in DAY.finditer(rest)][:MOST_ROUNDS]
        elif tag in {"142", "XXR"} and rest.isascii() and rest.isdecimal():
            found.rounds = min(int(rest[:4]), MOST_ROUNDS)
        elif tag == "162":
            values = VALUE.findall(rest)
            found.values |= {name: float(value.replace(",", ".")) for name, value in values}
        elif tag == "XXZ":
            found.absent |= {
                int(number) for number in rest.split() if BARE_NUMBER.fullmatch(number)
            }
        elif tag == "240" and (asked := ASKED.match(rest)):
            code, number = asked[1].upper(), int(asked[2])
            players = re.findall(r"\d{1,4}", rest[asked.end() :])
            found.byes += [(number, code, int(player)) for player in players]
        elif tag in {"013", "310"}:
            found.has_teams = True
        elif tag == "299":
            found.corrected |= {int(number) for number in re.findall(r"\d{1,4}", record[22:])}
    found.dates = [day for each in written if (day := day_between(each, found.starts, found.ends))]
    return found


def add_player(found: Trf, line: int, record: str) -> None:
    if len(record) > LONGEST_LINE:
        raise UnreadableFile("Line %(line)s is too long for a player.", line=line)
    player = read_player(line, record)
    if player is None:
        raise UnreadableFile(
            "Line %(line)s is not in the columns of a TRF file. Let the program that wrote the "
            "file write it again.",
            line=line,
        )
    if player.number in found.players:
        raise UnreadableFile(
            "Line %(line)s has the starting number %(number)s again.",
            line=line,
            number=player.number,
        )
    found.players[player.number] = player


def read_player(line: int, record: str) -> TrfPlayer | None:
    """Return the player of a line, None if it is in no columns."""
    for shift in SHIFTS:
        if player := read_columns(line, record, shift):
            return player
    return read_loosely(line, record)


def read_columns(line: int, record: str, shift: int) -> TrfPlayer | None:
    """Return the player of a line whose columns after the name are shifted."""

    def cut(columns: tuple[int, int]) -> str:
        return record[columns[0] + shift : columns[1] + shift].strip()

    number, rating, points, rank = record[4:8].strip(), cut(RATING), cut(POINTS), cut(RANK)
    is_number = all(one.isascii() and one.isdecimal() for one in (number, rating or "0"))
    if not is_number or not NUMBER.fullmatch(points) or not (rank or "0").isdecimal():
        return None
    cells = read_cells(record[CELLS + shift :])
    if cells is None or record[89 + shift : CELLS + shift].strip():
        return None
    return TrfPlayer(
        int(number),
        " ".join(record[NAME[0] : NAME[1] + shift].split()),
        float(points.replace(",", ".")),
        int(rank) if rank else None,
        cells,
        line,
        record[9:10].strip(),
        record[10:13].strip(),
        int(rating or 0),
        cut(FEDERATION),
        cut(FIDE_ID),
    )


def read_cells(text: str) -> list[TrfCell] | None:
    """Return the rounds of a player, None if they are in no columns."""
    text = text.rstrip()
    cells = []
    for at in range(0, len(text), WIDTH):
        part = text[at : at + WIDTH].ljust(WIDTH)
        if part[4] + part[6] + part[8:] != " " * 4:
            return None
        opponent, colour, code = part[:4].strip() or "0", part[5].strip(), part[7].strip()
        if not (opponent.isascii() and opponent.isdecimal()):
            return None
        if colour not in {*"wWbB-", ""} or code.upper() not in {*COUNTS, ""}:
            return None
        cells.append(make_cell(int(opponent), colour, code))
    return cells if len(cells) <= MOST_ROUNDS else None


def make_cell(opponent: int, colour: str, code: str) -> TrfCell:
    colour, code = colour.lower().strip("-"), code.upper()
    if not opponent:
        return TrfCell(0, "", BARE.get(code, code))
    return TrfCell(opponent, colour, code)


def read_loosely(line: int, record: str) -> TrfPlayer | None:
    """Return the player of a line whose spaces were merged. A round without a cell is lost."""
    found = LOOSE.fullmatch(" ".join(record.split()))
    if found is None:
        return None
    number, sex, title, name, rating, federation, points, rank, rounds = found.groups()
    words = rounds.split()
    cells = [
        make_cell(int(opponent), colour, code)
        for opponent, colour, code in zip(words[::3], words[1::3], words[2::3], strict=True)
    ]
    return TrfPlayer(
        int(number),
        name,
        float(points.replace(",", ".")),
        int(rank),
        cells[:MOST_ROUNDS],
        line,
        sex or "",
        title or "",
        int(rating or 0),
        federation or "",
    )


def first_day(text: str) -> date | None:
    """Return the first day in a text, of numbers or with the name of a month (Jun 26, 2020)."""
    if found := DAY.search(text):
        return next(iter(days_of(found)), None)
    try:
        return in_words(" ".join(text.split())[:LONGEST]).at.date()
    except ValueError:
        return None


def days_of(found: re.Match[str]) -> list[date]:
    """Return the days that three numbers can be: year first, as the format has it, or last."""
    one, month, other = found.groups()
    days = []
    for year, day in ((one, other), (other, one)):
        if len(day) > 2:
            continue
        try:
            full = full_year(int(year)) if len(year) <= 2 else int(year)
            days.append(date(full, int(month), int(day)))
        except ValueError:
            continue
    return days


def day_between(text: str, starts: date | None, ends: date | None) -> date | None:
    """Return the day of a round, which is one of the tournament if a reading gives one."""
    found = DAY.fullmatch(text)
    days = days_of(found) if found else []
    within = [day for day in days if (starts or day) <= day <= (ends or day)]
    return next(iter(within or days), None)
