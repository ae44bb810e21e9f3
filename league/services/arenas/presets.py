"""Arenas to start from: well-known competitions with all of their settings and their sources.

A preset names what differs from the defaults of an arena and of its rules. Nothing here has a date,
so that a preset does not age.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import ArenaQueue, Format, MapChoice
from matchmaking.prediction import AS_PUBLISHED
from ratings.points import tables
from ratings.points.rules import CONQUEST, STRONGHOLD
from ratings.registry import read_name

KREIMEIER = "B. Kreimeier, “Rising from the Ranks: Rating for Multiplayer Games”, Gamasutra 2000"
GW2 = "“PvP Matchmaking Algorithm”, Guild Wars 2 Wiki"
ELO_MMR = "A. Ebtekar and P. Liu, “Elo-MMR: A Rating System for Massive Multiplayer Competitions”"
TEAM_RANK = "“Ranking in Team-Based Competitive Games”"
ELO = "A. E. Elo, “The Rating of Chessplayers”, 1978"
FOOTBALL_ELO = "World Football Elo Ratings, eloratings.net: K = 30, 100 points for the home side"
TTR = "The ratings of German table tennis (TTR): a spread of 150 points and a factor of 16"


@dataclass(frozen=True)
class Preset:
    """An arena to start from.

    ``arena`` has the fields that differ from a new arena's, ``queue`` the name of the queue's rules
    in :mod:`matchmaking.presets`, empty for no queue, and ``of_queue`` the queue's other fields.
    """

    label: Promise
    about: Promise
    source: str
    arena: Mapping[str, Any]
    queue: str = ""
    of_queue: Mapping[str, Any] = field(default_factory=dict)


def as_published(name: str, **more: Any) -> dict[str, Any]:
    """Return a rating system with published parameters, and ``more`` of them."""
    system, parameters = read_name(name)
    return {"rating_system": system, "rating_parameters": {**parameters, **more}}


def _calendar(length: str) -> dict[str, Any]:
    return {"length": length, "follows": True}


TWO_PLAYERS = {"format": Format.TEAMS, "team_size_min": 1, "team_size_max": 1}
KEPT = {"placement": "carry-over"}
"""Ratings carry over to the next season."""
AS_RATED = {"fair_play": {"repeat_factor": 1, "same_opponents": 0}}
"""Every match counts fully, as the source of the preset has it, whoever met before."""
SAME_FIELD = {
    "fair_play": {**AS_RATED["fair_play"], "per_day": 0, "per_week": 0},
    "ranked": {"placement_matches": 3, "returning_matches": 1, "opponents": 0},
}
"""The same people meet in every match, several times on a day, and few times in a season."""

GW2_RESETS = {
    "full_reset_before": "2013-11-26T08:00:00-08:00",
    "partial_reset_before": "2015-01-27T16:30:00-08:00",
}
PUBLISHED_MODES = [replace(CONQUEST, mode="Conquest"), replace(STRONGHOLD, mode="Stronghold")]
GW2_MODES: dict[str, Any] = {
    "modes": [table.mode for table in PUBLISHED_MODES],
    **as_published("glicko-2:gw2"),
    "format": Format.TEAMS,
    "team_size_min": 5,
    "team_size_max": 5,
}
GW2_POINTS = {
    "points": {"counts": True},
    "mode_points": tables.mode_tables_as_json(PUBLISHED_MODES),
}
AS_PUBLISHED_QUEUE = {"prediction": AS_PUBLISHED.model_dump(mode="json")}

PRESETS: dict[str, Preset] = {
    "ladder": Preset(
        _("1v1 ladder"),
        _(
            "Players challenge somebody above them and take their rank by winning. A season lasts "
            "a month, and ranks are kept. There are no divisions, because the rank says it all."
        ),
        f"{KREIMEIER}: Jacob’s Ladder. Seasons of a month: Laurel",
        {
            **TWO_PLAYERS,
            "rating_system": "ladder",
            "season_rules": {
                "start": KEPT,
                "calendar": _calendar("1 month"),
                "divisions": [],
            },
        },
    ),
    "chess-club": Preset(
        _("Chess club"),
        _(
            "Elo ratings that everybody can check by hand, with draws. A season lasts three "
            "months, and ratings are kept."
        ),
        f"{ELO}: K = 32, 400 points for ten to one. Seasons of three months: Laurel",
        {
            **TWO_PLAYERS,
            "rating_system": "elo",
            "result_rules": {"highest_score": 1},
            "season_rules": {**AS_RATED, "start": KEPT, "calendar": _calendar("3 months")},
        },
    ),
    "gw2-ranked": Preset(
        _("5v5 ranked, as published for Guild Wars 2"),
        _(
            "Glicko-2 with decay, ladder points for two game modes, and a queue for rosters of one "
            "or two players from rank 20. It needs 21 waiting players to make a match."
        ),
        f"{GW2}: <Ratings type=“Ranked”>, <Arena name=“Ranked Arena”>. Seasons of 55 days as that "
        "of March to May 2015",
        {
            **GW2_MODES,
            "season_rules": {
                **AS_RATED,
                "start": {"placement": "linear-scale", "center": 1200, "ratio": 0.5, **GW2_RESETS},
                "decay": {
                    "points": 700,
                    "grace_period": "3d",
                    "decay_period": "1w",
                    "recover_per_game": "1d",
                },
                "calendar": _calendar("55 days"),
                **GW2_POINTS,
            },
        },
        queue="gw2-ranked",
        of_queue=AS_PUBLISHED_QUEUE,
    ),
    "gw2-unranked": Preset(
        _("5v5 unranked, as published for Guild Wars 2"),
        _(
            "Glicko-2 without decay and a queue for rosters of up to five players of any rank. Its "
            "ratings go on without seasons."
        ),
        f"{GW2}: <Ratings type=“Unranked”>, <Arena name=“Unranked Arena”>",
        {**GW2_MODES, "season_rules": {**AS_RATED, "start": {**KEPT, **GW2_RESETS}, **GW2_POINTS}},
        queue="gw2-unranked",
        of_queue=AS_PUBLISHED_QUEUE,
    ),
    "map-veto": Preset(
        _("5v5 with a map veto"),
        _(
            "Glicko-2 and a queue for several hundred players, in which rosters and lone players "
            "do not meet. Captains ban maps in turn until one of seven is left, and a season lasts "
            "three months."
        ),
        "Seven maps and alternating bans: the majors of Counter-Strike. Pools, seats and seasons: "
        "Laurel",
        {
            "format": Format.TEAMS,
            "team_size_min": 5,
            "team_size_max": 5,
            "draws_allowed": False,
            "maps": ["Ancient", "Anubis", "Dust II", "Inferno", "Mirage", "Nuke", "Train"],
            "map_choice": MapChoice.VETO,
            "rating_system": "glicko-2",
            "season_rules": {"start": KEPT, "calendar": _calendar("3 months")},
        },
        queue="recommended",
        of_queue={"pools": ArenaQueue.Pools.APART, "fills_seats": True},
    ),
    "racing": Preset(
        _("Free-for-all racing"),
        _(
            "Races of three to 24 drivers, rated by their places with Elo-MMR. The first ten get "
            "25, 18, 15, 12, 10, 8, 6, 4, 2 and 1 points for the table of the season, which lasts "
            "three months. Everybody’s laps can be noted."
        ),
        f"{ELO_MMR}: β = 200, γ = 35. Number of drivers, points and seasons: Laurel",
        {
            "format": Format.FREE_FOR_ALL,
            "sides_min": 3,
            "sides_max": 24,
            "figures": ["laps"],
            "rating_system": "elo-mmr",
            "season_rules": {
                "start": KEPT,
                "calendar": _calendar("3 months"),
                "points": {"counts": True, "table": tables.BY_PLACE, "leaderboard_points": 0},
                **SAME_FIELD,
            },
        },
    ),
    "contests": Preset(
        _("Elo-MMR contests"),
        _(
            "Contests of up to 10,000 entrants, such as programming or puzzles. Organisers enter "
            "the results, and ratings go on without seasons."
        ),
        f"{ELO_MMR}: β = 200, γ = 35, newcomers at 1500 ± 350",
        {
            "format": Format.FREE_FOR_ALL,
            "sides_min": 2,
            "sides_max": 10_000,
            "rating_system": "elo-mmr",
            "result_rules": {"reporters": "organisers"},
            "season_rules": {**AS_RATED, "start": KEPT},
        },
    ),
    "kreimeier-duel": Preset(
        _("Kreimeier’s duels"),
        _(
            "One against one with the Fermi rating: everybody starts at 0, and as much is lost as "
            "won. Ratings keep their sum, and go on without seasons."
        ),
        f"{KREIMEIER}: Estimation 101, with T = 1 and a largest gain of 1",
        {
            **TWO_PLAYERS,
            **as_published("fermi:kreimeier"),
            "season_rules": {**AS_RATED, "start": KEPT},
        },
    ),
    "kreimeier-deathmatch": Preset(
        _("Kreimeier’s deathmatch"),
        _(
            "A free-for-all of two to 16 players with the Fermi rating. A game server can send "
            "each frag, and every one of them is rated as a duel."
        ),
        f"{KREIMEIER}: Free For All. Number of players: Laurel",
        {
            "format": Format.FREE_FOR_ALL,
            "sides_min": 2,
            "sides_max": 16,
            "figures": ["frags"],
            **as_published("fermi:kreimeier", rate_events=True),
            "season_rules": {**AS_RATED, "start": KEPT},
        },
    ),
    "team-wager": Preset(
        _("6v6 for a wager"),
        _(
            "Two teams of six with the wager rating: everybody stakes a twentieth of their rank, "
            "and leaving a match early costs at least that. Ranks go on without seasons."
        ),
        f"{TEAM_RANK}: Equation, In-Depth Example. Start at 1, divisor 20",
        {
            "format": Format.TEAMS,
            "team_size_min": 6,
            "team_size_max": 6,
            "rating_system": "wager",
            "season_rules": {"start": KEPT},
        },
    ),
    "football": Preset(
        _("Football"),
        _(
            "Clubs play at home and away, with draws and goals. Enter each club as a player. The "
            "side named first is at home, and a clear win moves ratings further. A season lasts a "
            "year, and ratings are kept."
        ),
        f"{FOOTBALL_ELO}. Seasons of a year: Laurel",
        {
            **TWO_PLAYERS,
            "rating_system": "elo",
            "rating_parameters": {"max_gain": 30, "first_side": 100, "margin": "goals"},
            "result_rules": {"score_steps": "whole"},
            "season_rules": {**AS_RATED, "start": KEPT, "calendar": _calendar("12 months")},
        },
    ),
    "table-tennis": Preset(
        _("Table tennis"),
        _(
            "One against one without draws, with the formula of the German TTR: a lead of 150 "
            "points wins ten to one, and a match moves at most 16. Seasons last three months."
        ),
        f"{TTR}. Start at 1000 and seasons of three months: Laurel",
        {
            **TWO_PLAYERS,
            "draws_allowed": False,
            "rating_system": "elo",
            "rating_parameters": {"T": 150 / math.log(10), "max_gain": 16, "mean": 1000},
            "season_rules": {**AS_RATED, "start": KEPT, "calendar": _calendar("3 months")},
        },
    ),
}
