"""Columns of both sides, whose names differ in one word: home_team_id and visitor_team_id."""

from __future__ import annotations

import re
import unicodedata
from itertools import permutations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
FILLERS = {"a", "the", "of", "der", "des", "de", "du", "del", "la", "le", "l", "your", "final"}
PAIRS = {
    *{("1", "2"), ("a", "b"), ("i", "ii"), ("one", "two"), ("first", "second")},
    *{("home", "away"), ("home", "visitor"), ("home", "visiting"), ("home", "guest")},
    *{("home", "road"), ("h", "a"), ("heim", "gast"), ("heim", "auswarts"), ("local", "visitante")},
    *{("domicile", "exterieur"), ("casa", "fora"), ("casa", "ospite"), ("casa", "trasferta")},
    *{("thuis", "uit"), ("hjemme", "ude"), ("host", "guest")},
    *{("white", "black"), ("wh", "bl"), ("weiss", "schwarz"), ("blancs", "noirs")},
    *{("blancas", "negras"), ("red", "blue"), ("blue", "red"), ("r", "b"), ("b", "r")},
    *{("aff", "neg"), ("gov", "opp"), ("prop", "opp"), ("left", "right")},
    *{("player", "opponent"), ("name", "opponent"), ("team", "opponent"), ("you", "opponent")},
}
"""The words for the first and the second side. The colours of corners can come in any order."""
WINNERS = {("winner", "loser"), ("winning", "losing")}
LETTERS = {("w", "l")}
"""Words that say enough beside a score only."""
COLOURS = [{"red", "r"}, {"blue", "b"}]
HOME = {"home", "heim", "local", "domicile", "casa", "thuis", "hjemme", "host"} | {
    *("white", "wh", "weiss", "blancs", "blancas")
}
"""Words for the first side that make it the side at home."""
NAMES = {"name", "fullname", "nick", "nickname"}
NOUNS = {
    *{"player", "team", "club", "side", "competitor", "participant", "entrant", "contestant", "p"},
    *{"fighter", "boxer", "user", "username", "handle", "school", "corner", "pair", "squad", "t"},
    *{"mannschaft", "verein", "spieler", "equipe", "joueur", "equipo", "jugador", "squadra"},
    *{"giocatore", "time", "jogador", "speler", "ploeg"},
}
NUMBERS = {"id", "code", "abbr", "abbreviation", "slug", "key", "no", "nr"}
"""Words for what programs call a side. Names come before them."""
SCORES = {
    *{"score", "scores", "goal", "goals", "point", "points", "pts", "set", "sets", "run", "runs"},
    *{"game", "games", "frame", "frames", "leg", "legs", "tore", "satze", "punkte", "buts"},
    *{"goles", "puntos", "gols", "reti", "punti", "doelpunten", "g"},
}


def words_of(name: str) -> list[str]:
    """Return the words of a column's name, in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss"))
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return [word.casefold() for word in WORDS.findall(plain)]


def find_sides(
    header: Sequence[str], taken: Iterable[int] = (), *, winners: bool = False
) -> tuple[int, int] | None:
    """Return the columns of the names of both sides, None without such a pair.

    With ``winners``, those of the winner and the loser.
    """
    found = [
        (rank, pair)
        for pair, rest in pairs_in(header, set(taken), WINNERS if winners else PAIRS)
        if rest <= NOUNS | NAMES | NUMBERS
        and (rank := (bool(rest & NUMBERS), not rest & NAMES, not rest, pair))
    ]
    return min(found)[1] if found else None


def find_scores(
    header: Sequence[str], sides: tuple[int, int], taken: Iterable[int] = ()
) -> tuple[int, int] | None:
    """Return the columns of the scores of two sides, None without such a pair.

    Scores with the words of the sides come first.
    """
    own = set().union(*differing(*(words_of(header[at]) for at in sides)))
    found = [
        (own.isdisjoint(words_of(header[pair[0]])), len(rest), pair)
        for pair, rest in pairs_in(header, set(taken), PAIRS | WINNERS | LETTERS)
        if rest & SCORES and rest <= SCORES | NOUNS | {"total", "full", "ft"}
    ]
    return min(found)[2] if found else None


def pairs_in(
    header: Sequence[str], taken: set[int], known: set[tuple[str, str]]
) -> list[tuple[tuple[int, int], set[str]]]:
    """Return pairs of columns whose names differ in one word, with the others of their words."""
    words = {at: words_of(name) for at, name in enumerate(header) if at not in taken}
    found = []
    for one, other in permutations(words, 2):
        if one > other and frozenset(COLOURS[0]) & set(words[one] + words[other]):
            continue  # the corner that comes first is the first side
        differ = differing(words[one], words[other])
        if len(differ[0]) == len(differ[1]) == 1 and (*differ[0], *differ[1]) in known:
            found.append(((one, other), set(words[one]) - differ[0] - FILLERS))
    return found


def differing(one: Sequence[str], other: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the words that each of two names has alone, without fillers where there are others."""
    alone = set(one) - set(other), set(other) - set(one)
    return alone[0] - FILLERS or alone[0], alone[1] - FILLERS or alone[1]


def has_home(name: str) -> bool:
    """Return whether the name of the first side's column says that it is at home, or has White."""
    words = set(words_of(name))
    return bool(words & HOME) and "neutral" not in words


def calls_of(first: str, second: str) -> tuple[set[str], set[str]]:
    """Return what cells can call each side by the name of its column, such as Red or Team A."""
    words = words_of(first), words_of(second)
    calls = []
    for name, own, alone in zip((first, second), words, differing(*words), strict=True):
        colours = {word for known in COLOURS if known & alone for word in known}
        calls.append({" ".join(own), "".join(own), name.casefold()} | alone | colours)
    both = calls[0] & calls[1]
    return calls[0] - both, calls[1] - both
