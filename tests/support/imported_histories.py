"""Import histories of matches, and read the stored ratings back to compare them."""

import json
import math
from collections.abc import Sequence

from hypothesis import strategies as st

from league.models import Arena, RatingEvent, Season
from league.services.core.clock import microseconds
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings.history import History, Match, Participant, Side
from tests.support.cast import NOW, OPENING
from tests.support.rating_histories import PLAYERS, SHAPES
from tests.support.system_properties import properties_of

HOUR = 3_600_000_000
START = microseconds(OPENING)
LATEST = microseconds(NOW) - HOUR


def import_matches(arena: Arena, played: Sequence[Match]) -> None:
    """Import these matches into the arena's season."""
    if played:
        history = History.build(played)
        import_history(arena, ResultFile(history, [{} for _ in played], []), now=NOW)


@st.composite
def played(
    draw: st.DrawFn, system: str, name: str = "", start: int = START, most: int = 8
) -> list[Match]:
    """Draw two to ``most`` matches with ties, weights, quits, professions and, if rated, teams."""
    shapes = [sizes for sizes in SHAPES if properties_of(system).rates(sizes)]
    at, matches = start, []
    for number in range(draw(st.integers(2, most))):
        at = min(at + draw(st.sampled_from([0, HOUR, 150 * HOUR])), LATEST)
        sizes = draw(st.sampled_from(shapes))
        names = iter(draw(st.permutations(PLAYERS)))
        places = [draw(st.integers(0, 2)) for _ in sizes]
        sides = [
            Side(
                place - min(places),
                [
                    Participant(
                        next(names),
                        draw(st.sampled_from([None, 60.0, 600.0])),
                        draw(st.booleans()),
                        draw(st.sampled_from(["", "", "Monk", "Ranger"])),
                    )
                    for _ in range(size)
                ],
            )
            for place, size in zip(places, sizes, strict=True)
        ]
        weight = draw(st.sampled_from([1.0, 0.5, 3.0]))
        matches.append(Match(f"{name}{number}", at, sides, weight))
    return matches


def stored_history(season: Season) -> tuple[list[object], list[object]]:
    """Return every rating and every event in force, to the last bit, without row ids."""
    ratings: list[object] = [
        (player, *hexed(numbers), games, last, hexed(memory))
        for player, *numbers, games, last, memory in season.ratings.order_by(
            "player__name"
        ).values_list(
            "player__name",
            "rating",
            "deviation",
            "volatility",
            "games",
            "last_played_at",
            "memory",
        )
    ]
    events: list[object] = [
        (match, player, games, ignored, last, *hexed(numbers), json.dumps(why, sort_keys=True))
        for match, player, games, ignored, last, why, *numbers in RatingEvent.objects.filter(
            season=season
        )
        .order_by("match__rated_order", "player__name")
        .values_list(
            "match__external_id",
            "player__name",
            "games",
            "ignored",
            "last_played_before",
            "why",
            "rating_before",
            "rating_after",
            "deviation_before",
            "deviation_after",
            "volatility_before",
            "volatility_after",
        )
    ]
    return ratings, events


def hexed(numbers: Sequence[float | None]) -> list[str]:
    return ["" if number is None or math.isnan(number) else number.hex() for number in numbers]
