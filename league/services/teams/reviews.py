"""A team's season in review: the best of it, from the same matches as its page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count

from league.models import Match, Participant, Player, Team
from league.services.results.records.player_records import LEAST_MEETINGS
from league.services.results.records.profiles import Record
from league.services.results.records.reviews import best_win
from league.services.teams.badges import badges_of, ranks_in
from league.services.teams.meetings import Met

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.services.results.records.badges import Badge, Result
    from league.services.teams.pages import SeasonRecord


@dataclass(frozen=True)
class Streak:
    """Consecutive wins."""

    count: int
    first: Result
    last: Result


class Regular(NamedTuple):
    """The player with the most matches for a team."""

    player: Player
    games: int


@dataclass(frozen=True)
class Review:
    """A team's season."""

    played: SeasonRecord
    rank: int | None
    """Among the teams, where the season rates them."""
    winning: Streak | None
    best_win: Result | None
    """The win at the longest odds, if they were against the team."""
    rival: Met | None
    regular: Regular | None
    badges: Sequence[Badge]


def review_of(
    team: Team, played: SeasonRecord, records: Sequence[SeasonRecord], results: Sequence[Result]
) -> Review:
    """Return a team's season in review, from all its records and results.

    The number of statements does not grow with it.
    """
    season = played.season
    own = [one for one in results if one.season_id == season.pk]
    return Review(
        played=played,
        rank=ranks_in(team, [season]).get(season.pk) if played.rating else None,
        winning=longest_wins(own),
        best_win=best_win(own),
        rival=rival_of(own),
        regular=regular_of(team, played),
        badges=[one for one in badges_of(team, results, records) if one.season_id == season.pk],
    )


def longest_wins(results: Sequence[Result]) -> Streak | None:
    """Return the longest run of wins, the first of several."""
    best: list[Result] = []
    run: list[Result] = []
    for one in results:
        run = [*run, one] if one.outcome == "win" else []
        if len(run) > len(best):
            best = run
    return Streak(len(best), best[0], best[-1]) if best else None


def rival_of(results: Sequence[Result]) -> Met | None:
    """Return the team most met, if it was met several times, with the record against it."""
    met = Counter(next(iter(one.opponents)) for one in results if one.is_duel)
    if not met:
        return None
    [(rival, games)] = met.most_common(1)
    if games < LEAST_MEETINGS:
        return None
    outcomes = Counter(one.outcome for one in results if one.opponents == {rival})
    record = Record(outcomes["win"], outcomes["draw"], outcomes["loss"])
    return Met(Team.objects.get(pk=rival), record)


def regular_of(team: Team, played: SeasonRecord) -> Regular | None:
    """Return the player with the most matches for the team, the first of several. Two queries."""
    games = Match.objects.rated().games().filter(season=played.season)
    seats = Participant.objects.filter(side__roster__team=team, match__in=games)
    counted = seats.order_by().values("player").annotate(games=Count("pk"))
    most = counted.order_by("-games", "player").first()
    if most is None or most["games"] < LEAST_MEETINGS:
        return None
    return Regular(Player.ever.get(pk=most["player"]), most["games"])
