"""Games of PGN files that are fixtures of competitions: found by pairing and round, and linked.

A game counts for a fixture if the season has exactly one open game between these two players, with
the same colours and in the round that the file names, and the file has no other game like it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from league.models import Arrangement, Competition, Fixture
from league.services.arranging.playing import link
from league.services.core.id_lists import any_of
from league.services.transfer import pgn

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from league.models import Match, Season
    from league.services.transfer.result_plans import SeasonPlan
    from league.services.transfer.tables import Table

ROUND = re.compile(r"([0-9]{1,4})(?:\.[0-9.]*)?\Z")
"""A round, and behind a full stop the number of the board or of the fixture."""


def rounds_of(table: Table) -> dict[int, int]:
    """Return the rounds that a PGN file names, by line. Other files name none."""
    if table.header != pgn.HEADER:
        return {}
    column = pgn.HEADER.index("Round")
    found = ((line, ROUND.match(cells[column].strip())) for line, cells in table.cells)
    return {line: int(round_[1]) for line, round_ in found if round_}


def found_for(one: SeasonPlan, rounds: Mapping[int, int]) -> dict[int, int]:
    """Return which new matches of a plan are fixtures: the ids of their dates, by their place."""
    if not (rounds and one.season.pk):
        return {}
    dates = open_dates(one.season)
    games = defaultdict(list)
    for place, (line, sides) in enumerate(one.new):
        if line.line in rounds and [len(side) for side in sides] == [1, 1]:
            games[sides[0][0], sides[1][0], rounds[line.line]].append(place)
    return {
        places[0]: dates[key][0]
        for key, places in games.items()
        if len(places) == 1 and len(dates.get(key, ())) == 1
    }


def open_dates(season: Season) -> dict[tuple[int, int, int], list[int]]:
    """Return the dates without a result in open rounds, by both players and the round."""
    rows = Arrangement.objects.accepted().filter(
        match=None,
        proposer_roster=None,
        opponent_roster=None,
        game__fixture__competition__season=season,
        game__fixture__competition__state=Competition.State.RUNNING,
        game__fixture__result=Fixture.Result.OPEN,
        game__fixture__round__opened_at__isnull=False,
        game__fixture__round__closed_at=None,
    )
    found: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for pk, *key in rows.values_list("pk", "proposer", "opponent", "game__fixture__round__number"):
        home, away, number = key
        found[home, away, number].append(pk)
    return dict(found)


def link_all(matches: Mapping[int, Match]) -> int:
    """Link new matches to their dates, given by id, in the caller's transaction.

    Return how many were. A date that got a result meanwhile keeps that one.
    """
    waiting = Arrangement.objects.accepted().filter(match=None, pk__in=any_of(matches))
    linked = list(waiting.select_for_update(of=["self"]).order_by("pk"))
    for date in linked:
        link(date, matches[date.pk])
    return len(linked)


def unlink(matches: Iterable[int]) -> int:
    """Take matches from the fixtures of running competitions, which then wait for a result again.

    Return how many dates have changed.
    """
    rows = Arrangement.objects.filter(
        match__in=any_of(matches),
        state=Arrangement.State.PLAYED,
        game__fixture__competition__state=Competition.State.RUNNING,
    )
    dates = list(rows.order_by("pk").values_list("pk", flat=True))
    return Arrangement.objects.filter(pk__in=dates).update(
        match=None, state=Arrangement.State.ACCEPTED
    )
