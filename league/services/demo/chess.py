"""The demo's chess club: a finished season, and in the next one the last round of a Swiss and the
semi-finals of a cup."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from league.models import Competition, Player
from league.services.core.clock import microseconds
from league.services.demo.building import make_arena
from league.services.demo.fixtures import DATES, DAY, Form, enter_all, play_all
from league.services.demo.names import invent_names
from league.services.seasons import ending
from league.services.seasons.opening import open_season
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings.history import History, Match, Participant, Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena

NAME = "Chess club"
CLUB = 64
EVENINGS, BOARDS = 8, 24
"""Casual evenings of the first season, and the boards on each."""
FIRST_LEAGUE, CUP = 8, 13
SWISS_ROUNDS = 5
"""Four have been played, as a week has each."""
FIRST, SECOND = timedelta(days=150), timedelta(days=45)
"""The time since the seasons began."""
POINTS = {"win": 1, "draw": 0.5, "bye": 1}
TIE_BREAKS = "buchholz_cut_1, buchholz, direct, wins"


def seed_chess(now: datetime, captains: Sequence[str]) -> None:
    """Create the club. The captains are members."""
    day = now.replace(hour=18, minute=0, second=0, microsecond=0) - DAY
    club = make_arena(
        slug="chess",
        name=NAME,
        description="A chess club: a league last season, and now a Swiss of 64 and a knock-out "
        "cup. Members and results are invented.",
        rating_system="glicko-2",
        result_rules={"highest_score": 1},
        season_rules={"ranked": {"placement_matches": 4}},
        starts_at=day - FIRST,
    )
    chance = np.random.default_rng(64)
    names = [*captains, *invent_names(CLUB - len(captains), chance)]
    strength = dict(zip(names, chance.normal(size=CLUB).tolist(), strict=True))
    form = Form(strength, 0.45, chance)
    import_history(club, casual_results(form, day - FIRST), now=now)
    members = {player.name: player for player in Player.objects.filter(name__in=names)}
    in_order = [members[name] for name in names]
    finish_a_season(club, form, in_order, day)
    open_season(club, starts_at=day - SECOND, name="Season 2")
    begin_the_next(club, form, in_order, day)


def casual_results(form: Form, begins_at: datetime) -> ResultFile:
    """Return evenings on which members were paired at random."""
    names = [*form.strength]
    matches = []
    for evening in range(EVENINGS):
        drawn = form.chance.permutation(len(names))[: 2 * BOARDS].tolist()
        played_at = begins_at + (1 + evening) * DAY
        for board, (home, away) in enumerate(zip(drawn[::2], drawn[1::2], strict=True)):
            pair = names[home], names[away]
            scores = form.scores(*pair, needs_winner=False)
            matches.append(
                Match(
                    match_id=f"evening-{evening + 1}-{board + 1}",
                    played_at_us=microseconds(played_at),
                    sides=[
                        Side(
                            place=0 if score >= max(scores) else 1,
                            score=score,
                            participants=[Participant(name)],
                        )
                        for name, score in zip(pair, scores, strict=True)
                    ],
                )
            )
    return ResultFile(History.build(matches), [{} for _ in matches])


def finish_a_season(club: Arena, form: Form, members: Sequence[Player], day: datetime) -> None:
    """Play a league to its end, end its season and archive it."""
    season = club.seasons.get()
    begins_at, over_at = day - FIRST + 14 * DAY, day - SECOND - DAY
    enter_all(
        season,
        "First league",
        Competition.Format.TABLE,
        members[:FIRST_LEAGUE],
        starts_at=begins_at,
        seed=8,
        dates=DATES,
        table=POINTS | {"tie_breaks": "direct, sonneborn_berger, wins"},
    )
    play_all(club, form, begins_at, over_at)
    ending.end(season.pk, now=over_at)
    ending.freeze_early(season.pk, now=over_at)


def begin_the_next(club: Arena, form: Form, members: Sequence[Player], day: datetime) -> None:
    """Begin a Swiss and a cup, of which some rounds have been played."""
    season = club.seasons.get(name="Season 2")
    begins_at = day - timedelta(days=31)
    enter_all(
        season,
        "Club championship",
        Competition.Format.SWISS,
        members,
        starts_at=begins_at,
        seed=64,
        dates=DATES,
        table=POINTS | {"tie_breaks": TIE_BREAKS},
        entry={"entrants": CLUB},
        play={"rounds": SWISS_ROUNDS},
    )
    enter_all(
        season,
        "Knock-out cup",
        Competition.Format.SINGLE,
        members[:CUP],
        starts_at=begins_at + 14 * DAY,
        seed=13,
        dates=DATES,
    )
    play_all(club, form, begins_at, day)
