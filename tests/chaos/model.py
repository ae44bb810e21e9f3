"""What the site has acknowledged, and whether its database agrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from uuid import UUID

from league.models import (
    Correction,
    CorrectionRequest,
    FinalStanding,
    Match,
    Rating,
    RatingEvent,
    Season,
    Status,
    Ticket,
)

SETTLED = frozenset({Status.RATED, Status.VOID})


@dataclass
class Model:
    """Everything acknowledged. Each entry was answered with a status of success, or a repetition
    of it with the conflict that it had already been done."""

    reports: dict[UUID, int] = field(default_factory=dict)
    """Matches by the client token of their report."""
    rated: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Winner and loser of the matches whose result was confirmed, as it counts now."""
    disputed: set[int] = field(default_factory=set)
    """Matches that were disputed and that staff have not decided."""
    void: set[int] = field(default_factory=set)
    """Matches that staff have made void."""
    corrections: dict[int, int] = field(default_factory=dict)
    """Matches by the number of the correction request."""
    tickets: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)
    """Seasons that are archived."""
    arenas: set[int] = field(default_factory=set)
    """Arenas in which only players known to the model play."""

    def copy(self) -> Model:
        """Return a copy of what has been acknowledged so far, while other threads add more."""
        return Model(
            dict(self.reports),
            dict(self.rated),
            set(self.disputed),
            set(self.void),
            dict(self.corrections),
            set(self.tickets),
            set(self.ended),
            set(self.arenas),
        )

    def missing(self) -> list[str]:
        """Return what was acknowledged before this call and is missing, or has been undone."""
        known = self.copy()
        found = [
            *reports_missing(known.reports),
            *wrong_status(known),
            *corrections_missing(known.corrections),
        ]
        stored = set(Ticket.objects.filter(pk__in=known.tickets).values_list("pk", flat=True))
        found += [f"ticket {ticket} is missing" for ticket in sorted(known.tickets - stored)]
        for season in Season.objects.filter(pk__in=known.ended):
            found += not_archived(season)
        return found

    def counted_wrong(self) -> list[str]:
        """Return the matches that do not count exactly once for each player.

        Call it when nothing is under way.
        """
        found = rated_wrong(self.rated, self.void)
        expected: Counter[tuple[int, int]] = Counter()
        wins: Counter[tuple[int, int]] = Counter()
        seasons = dict(Match.objects.filter(pk__in=self.rated).values_list("pk", "season"))
        for match, (winner, loser) in self.rated.items():
            if match in self.void or match not in seasons:
                continue
            expected[seasons[match], winner] += 1
            expected[seasons[match], loser] += 1
            wins[seasons[match], winner] += 1
        ratings = Rating.objects.filter(season__arena__in=self.arenas, games__gt=0)
        for season, player, games, won in ratings.values_list("season", "player", "games", "wins"):
            wanted = expected.pop((season, player), 0), wins[season, player]
            if (games, won) != wanted:
                found.append(
                    f"player {player} has {games} games and {won} wins instead of {wanted}"
                )
        found += [f"player {player} has no rating" for _season, player in expected]
        return found


def reports_missing(reports: dict[UUID, int]) -> list[str]:
    stored = Counter(
        Match.objects.filter(client_token__in=reports).values_list("client_token", "pk")
    )
    times = Counter(token for token, _match in stored.elements())
    return [
        f"report {token} of match {match} is stored {times[token]} times"
        for token, match in reports.items()
        if times[token] != 1 or (token, match) not in stored
    ]


def wrong_status(known: Model) -> list[str]:
    wanted = {
        **dict.fromkeys(known.disputed, frozenset({Status.DISPUTED, *SETTLED})),
        **dict.fromkeys(known.rated, SETTLED),
        **dict.fromkeys(known.void, frozenset({Status.VOID})),
    }
    stored = dict(Match.objects.filter(pk__in=wanted).values_list("pk", "status"))
    return [
        f"match {match} is {stored.get(match, 'missing')}, not {' or '.join(sorted(statuses))}"
        for match, statuses in wanted.items()
        if stored.get(match) not in statuses
    ]


def corrections_missing(corrections: dict[int, int]) -> list[str]:
    stored = CorrectionRequest.objects.filter(pk__in=corrections).select_related("correction")
    by_id = {request.pk: request for request in stored}
    made = Counter(
        Correction.objects.filter(match__in=corrections.values()).values_list("match", flat=True)
    )
    found = [f"correction {pk} is missing" for pk in corrections.keys() - by_id.keys()]
    asked = Counter(corrections.values())
    found += [
        f"match {match} was corrected {made[match]} times, asked {asked[match]} times"
        for match in made
        if made[match] > asked[match]
    ]
    return found


def not_archived(season: Season) -> list[str]:
    listed = FinalStanding.objects.filter(season=season).count()
    rated = Rating.objects.filter(season=season, games__gt=0).count()
    if season.archived_at is None or listed != rated:
        return [f"{season} lists {listed} of {rated} players"]
    return []


def rated_wrong(rated: dict[int, tuple[int, int]], void: set[int]) -> list[str]:
    """Return the matches that do not have one event that counts for each player."""
    events = RatingEvent.objects.filter(match__in=rated, superseded_by=None)
    counted = Counter(events.values_list("match", "player"))
    times = Counter(match for match, _player in counted.elements())
    found = []
    for match, players in rated.items():
        wanted = 0 if match in void else len(players)
        if times[match] != wanted or any(
            counted[match, player] != 1 for player in (players if wanted else ())
        ):
            found.append(f"match {match} counts {times[match]} times, not {wanted}")
    return found
