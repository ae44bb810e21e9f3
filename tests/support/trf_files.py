"""A small tournament in the exact columns of TRF, and a peer's reader."""

from pathlib import Path

from py4swiss.trf import ParsedTrf, TrfParser

HEAD = [
    "012 Winter open",
    "022 Ghent",
    "032 BEL",
    "042 2026/01/09",
    "052 2026/01/11",
    "062 5",
    "072 4",
    "092 Individual: Swiss-System",
    "102 Ada Judge",
    "122 90 minutes + 30 seconds",
    "132" + " " * 88 + "26/01/09  26/01/10  26/01/11",
    "XXR 5",
]
STATIC = [
    "001    1 wGM  Ames, Ann                         2500 BEL      200001 1990/01/02  2.0    1",
    "001    2 m    Berg, Bob                         2100 GER    12200002             1.5    3",
    "001    3 m FM Cole, Cem                         1800 TUR                         1.0    4",
    "001    4      Dorn, Dora                        1500                             2.0    1",
    "001    5      Ende, Eve                                                          1.0    4",
]
ROUNDS = [
    "     3 w 1     2 b 1  0000 - Z",
    "     4 b =     1 w 0     3 b +",
    "     1 b 0  0000 - U     2 w -",
    "     2 w =     5 w +  0000 - H",
    "  0000 - H     4 b -  0000 - H",
]
"""Ann had 1-0 and 1-0 and missed the last round; Cem had the bye of round 2; two forfeits."""
PLAYERS = [one + rounds for one, rounds in zip(STATIC, ROUNDS, strict=True)]
TRF = "".join(f"{line}\r\n" for line in [*HEAD, *PLAYERS])
POINTS = {"Ames, Ann": 2.0, "Berg, Bob": 1.5, "Cole, Cem": 1.0, "Dorn, Dora": 2.0, "Ende, Eve": 1.0}


def by_py4swiss(text: str, folder: Path) -> ParsedTrf:
    """Return what py4swiss reads and finds valid.

    It expects dates of rounds in other columns than the handbook has, and knows no records of
    TRF25, so those are left out.
    """
    path = folder / "open.trf"
    lines = [line for line in text.splitlines() if line[:3] not in {"132", "240"}]
    path.write_text("\n".join(lines), encoding="utf-8")
    parsed = TrfParser.parse(path)
    parsed.validate_contents()
    return parsed
