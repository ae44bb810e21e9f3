"""The games of a round as PGN, which programs for chess read. It has results, no moves."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from league.models import Competition
    from league.services.competitions.outcomes import Game
    from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines


def is_for(page: CompetitionPage) -> bool:
    """Return whether a competition is played like chess."""
    return page.is_like_chess


def to_pgn(
    one: Competition, round_: RoundLines, address: Callable[[str], str], *, stage: str = ""
) -> bytes:
    """Return a round's games, those to come with the result ``*``.

    Fixtures that were decided without a game are left out.

    Args:
        stage: the name of a round of a bracket.
    """
    parts = [
        part
        for line in round_.fixtures
        for game in games_of(line)
        for part in tags_of(one, round_, line, game, address, stage)
    ]
    return "\n".join(parts).encode()


def games_of(line: FixtureLine) -> list[Game]:
    """Return the games of a fixture that were played or are to be played."""
    if line.without_game:
        return []
    return [game for game in line.outcome.games if game.counts and not game.is_forfeit]


def tags_of(
    one: Competition,
    round_: RoundLines,
    line: FixtureLine,
    game: Game,
    address: Callable[[str], str],
    stage: str,
) -> Iterator[str]:
    played_at, fixture = (game.played_at or game.play_at).astimezone(UTC), line.fixture
    result = result_of(game)
    series = f".{game.number}" if fixture.best_of > 1 else ""
    tags = {
        "Event": one.name,
        "Site": address(fixture.get_absolute_url()),
        "Date": f"{played_at:%Y.%m.%d}",
        "Round": f"{round_.round.number}.{fixture.number}{series}",
        **({"Stage": stage} if stage else {}),
        "White": str(fixture.home),
        "Black": str(fixture.away),
        "Result": result,
        "UTCDate": f"{played_at:%Y.%m.%d}",
        "UTCTime": f"{played_at:%H:%M:%S}",
    }
    for name, value in tags.items():
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        yield f'[{name} "{escaped}"]'
    yield f"\n{result}\n"


def result_of(game: Game) -> str:
    """Return 1-0, 0-1, 1/2-1/2, or * before the result is settled."""
    if game.is_open or game.home_place is None or game.away_place is None:
        return "*"
    if game.home_place == game.away_place:
        return "1/2-1/2"
    return "1-0" if game.home_place < game.away_place else "0-1"
