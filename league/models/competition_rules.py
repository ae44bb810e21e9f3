"""The rules of a competition, declared once."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal

from ratings.tunables.kinds import CalendarSpan, Duration, NumberOrInf
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ENTRANTS = 513
"""The most entrants of a competition: 512, and one more to make the number odd."""

_own = partial(parameter, source="Laurel")
_points = partial(_own, unit="points", minimum=0, maximum=100)
_byes = partial(
    parameter, unit="rounds", minimum=0, maximum=30, source="C.04.2 of the FIDE handbook"
)


class EntryRules(Parameters):
    """The rules about entries, check-in and late entries."""

    entrants: int = _own(
        32,
        label="Places",
        description="The most entrants that can play. Others join the waiting list.",
        unit="entrants",
        minimum=2,
        maximum=MOST_ENTRANTS,
    )
    waiting: int = _own(
        16,
        label="Waiting list",
        description="The most entrants that can wait for a place. 0 means that there is no list.",
        unit="entrants",
        minimum=0,
        maximum=MOST_ENTRANTS,
    )
    check_in: Duration = _own(
        "0s",
        label="Time to check in",
        description="How long before the start entrants have to check in. Those who do not lose "
        "their place to the waiting list. 0 means that nobody has to check in.",
        unit="time",
        minimum=0,
        maximum="30d",
    )
    rating_from: float = _own(
        -1_000_000.0,
        label="Lowest rating",
        description="Only players with at least this rating can enter. A roster counts with the "
        "mean rating of its members. Unrated players have the rating of a newcomer.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
    )
    rating_to: NumberOrInf = _own(
        float("inf"),
        label="Highest rating",
        description="Only players with at most this rating can enter. “inf” means no limit.",
        unit="rating points",
        minimum=-1_000_000,
    )
    divisions: str = _own(
        "any",
        label="Divisions",
        description="The divisions of the arena whose players can enter, separated by commas, or "
        "“any”. A roster counts with the mean of its members’ divisions, rounded up.",
    )
    late_until: int = _own(
        0,
        label="Late entries until round",
        description="Entrants can still join a Swiss until this round has been drawn. Rounds "
        "before their entry count as lost without a game. 0 means no late entries.",
        unit="rounds",
        minimum=0,
        maximum=30,
    )

    def clashes(self) -> dict[str, Sentence]:
        if self.rating_to < self.rating_from:
            return {"rating_to": Sentence("must be at least the lowest rating")}
        return {}

    @property
    def division_names(self) -> frozenset[str]:
        """Return the names of the divisions that can enter, none for all."""
        names = frozenset(name.strip().casefold() for name in self.divisions.split(","))
        return frozenset() if "any" in names else names - {""}


class DateRules(Parameters):
    """The times at which rounds are played."""

    round_length: CalendarSpan = _own(
        "7d",
        label="Length of a round",
        description="Every fixture of a round is played within it. Days, weeks and months keep the "
        "hour when clocks change.",
        unit="time",
        minimum="10m",
        maximum="90d",
    )
    default_after: Duration = _own(
        "5d",
        label="Default date",
        description="How long after its round opens a fixture is played, unless the captains agree "
        "on another time.",
        unit="time",
        minimum=0,
        maximum="90d",
    )
    postponements: int = _own(
        2,
        label="Moves of a date",
        description="How often the captains can move the date of a fixture.",
        unit="times",
        minimum=0,
        maximum=20,
    )
    beyond: Duration = _own(
        "0s",
        label="Time after the round",
        description="How long after the end of its round a fixture can still be played. The next "
        "round of a Swiss or a bracket waits for it.",
        unit="time",
        minimum=0,
        maximum="90d",
    )
    unplayed: Literal["staff", "draw", "both-lose"] = _own(
        "staff",
        label="Fixtures that are not played",
        description="What happens to a fixture that is not reported by the end of its round. In a "
        "bracket, staff always decide.",
        choices={
            "staff": "staff decide",
            "draw": "it is a draw",
            "both-lose": "both sides lose",
        },
    )

    def clashes(self) -> dict[str, Sentence]:
        if self.default_after >= float(self.round_length):
            return {"default_after": Sentence("must be shorter than a round")}
        return {}


class PlayRules(Parameters):
    """The rules of play in a competition."""

    legs: int = _own(
        1,
        label="Games of each pair",
        description="How often each pair meets in a table or a group. Home and away alternate.",
        unit="games",
        minimum=1,
        maximum=4,
    )
    groups: int = _own(
        4,
        label="Groups",
        description="The number of groups. Seeds are spread over them. 0 means that groups have "
        "about four entrants.",
        unit="groups",
        minimum=0,
        maximum=64,
    )
    qualify: int = _own(
        2,
        label="Qualify from each group",
        description="How many entrants of each group go on to the bracket.",
        unit="entrants",
        minimum=1,
        maximum=32,
    )
    rounds: int = _own(
        0,
        label="Rounds of a Swiss",
        description="0 means as many as a bracket of this size would have.",
        unit="rounds",
        minimum=0,
        maximum=30,
    )
    pairing: Literal["dutch", "even"] = parameter(
        "dutch",
        label="Pairing of a Swiss",
        description="Who meets whom among entrants with as many points. FIDE pairs the better half "
        "with the other half. Even games are those whose forecast by the ratings is closest.",
        choices={
            "dutch": "FIDE Dutch system",
            "even": "even games by the ratings of the league",
        },
        source="C.04.3 of the FIDE handbook; Laurel",
    )
    apart: bool = _own(
        default=False,
        label="Keep team mates apart",
        description="If enabled, rosters of one team, or players who were in one team at the draw, "
        "do not meet in a Swiss as long as that can be avoided.",
    )
    alternate: bool = parameter(
        default=True,
        label="Alternate home and away",
        description="If enabled, entrants of a Swiss are at home about as often as away. Disable "
        "it only where this makes no difference: then the side that is ahead is at home.",
        source="C.04.3 of the FIDE handbook",
    )
    best_of: int = _own(
        1,
        label="Best of",
        description="The most games in a fixture of a bracket. It ends once one side cannot be "
        "caught. Choose an odd number.",
        unit="games",
        minimum=1,
        maximum=9,
    )
    third_place: bool = _own(
        default=False,
        label="Game for third place",
        description="If enabled, the losers of the semi-finals play each other.",
    )
    second_final: bool = _own(
        default=True,
        label="Second final",
        description="If the winner of the losers’ bracket wins the final of a double elimination, "
        "the two play another one, because each of them has lost once.",
    )
    withdrawal: Literal["forfeit", "annul-early"] = parameter(
        "annul-early",
        label="Withdrawals",
        description="What happens to the fixtures of an entrant who withdraws after the start. "
        "Ratings do not change. In a bracket, the opponent advances.",
        choices={
            "annul-early": "none count if fewer than half were played, else the rest are lost",
            "forfeit": "those played count, and the rest are lost",
        },
        source="Laurel, after C.04.5 of the FIDE handbook",
    )
    comeback: bool = _own(
        default=False,
        label="Come back after a withdrawal",
        description="If enabled, entrants who withdrew can come back on their own, as long as they "
        "have something left to play. Organisers can always bring them back.",
    )
    byes: int = _byes(
        0,
        label="Rounds to sit out",
        description="How many rounds of a Swiss an entrant can sit out on request. Organisers can "
        "let them sit out more.",
    )
    half_byes: int = _byes(
        1,
        label="Byes that count as a draw",
        description="How many of these rounds give the points of a draw. The others give none.",
    )
    half_byes_until: int = _byes(
        0,
        label="Such byes until round",
        description="The last round in which a bye on request can count as a draw. 0 means any.",
    )
    promoted: int = _own(
        0,
        label="Promoted",
        description="How many at the top of the table are proposed for the level above.",
        unit="entrants",
        minimum=0,
        maximum=100,
    )
    relegated: int = _own(
        0,
        label="Relegated",
        description="How many at the bottom of the table are proposed for the level below.",
        unit="entrants",
        minimum=0,
        maximum=100,
    )

    def clashes(self) -> dict[str, Sentence]:
        return (
            {} if self.best_of % 2 else {"best_of": Sentence("must be odd, so that somebody wins")}
        )


class TableRules(Parameters):
    """The points for results in a table, and the tie-breaks."""

    win: float = _points(
        3.0,
        label="Points for a win",
        description="A win by forfeit counts the same.",
    )
    draw: float = _points(
        1.0,
        label="Points for a draw",
        description="For each side of a drawn fixture.",
    )
    loss: float = _points(
        0.0,
        label="Points for a loss",
        description="For a fixture that was played and lost.",
    )
    forfeit: float = _points(
        0.0,
        label="Points for a forfeit",
        description="For the side that did not play. Less than 0 deducts points.",
        minimum=-100,
    )
    bye: float = _points(
        3.0,
        label="Points for a bye",
        description="For a round of a Swiss without an opponent.",
        source="C.04.1 of the FIDE handbook: as many as for a win",
    )
    tie_breaks: str = _own(
        "direct, difference, wins",
        label="Tie-breaks",
        description="What separates entrants with equal points. Write names with commas between "
        "them, the most important first: direct, difference, for, wins, away_wins, away, buchholz, "
        "buchholz_cut_1, median_buchholz, sonneborn_berger, progressive, opponents_rating, "
        "play_off, lots.",
    )
    forfeits_meet: bool = parameter(
        default=False,
        label="Forfeits in a direct encounter",
        description="If enabled, a forfeit counts as a game in a direct encounter. By the rules of "
        "FIDE, the two have not met.",
        source="C.07 of the FIDE handbook",
    )

    def clashes(self) -> dict[str, Sentence]:
        if not self.win >= self.draw >= self.loss:
            return {"draw": Sentence("must be between the points for a loss and a win")}
        return {}

    @property
    def tie_break_names(self) -> tuple[str, ...]:
        return tuple(name.strip().lower() for name in self.tie_breaks.split(",") if name.strip())


@dataclass(frozen=True)
class CompetitionRules:
    """All rules of a competition."""

    entry: EntryRules = field(default_factory=EntryRules)
    dates: DateRules = field(default_factory=DateRules)
    play: PlayRules = field(default_factory=PlayRules)
    table: TableRules = field(default_factory=TableRules)

    def to_json(self) -> dict[str, Any]:
        """Return the rules as JSON data, the inverse of :func:`read_competition_rules`."""
        return {group: getattr(self, group).to_json() for group in COMPETITION_RULES}


COMPETITION_RULES: dict[str, type[Parameters]] = {
    "entry": EntryRules,
    "dates": DateRules,
    "play": PlayRules,
    "table": TableRules,
}
"""The groups of rules, as attributes of ``CompetitionRules`` and keys of their JSON."""


def read_competition_rules(values: Mapping[str, Any]) -> CompetitionRules:
    """Return the rules in a JSON object.

    Raises:
        ParameterError: with a sentence for each wrong value, by ``group.name``.
    """
    problems = {
        name: Sentence("is not a group of rules")
        for name in values
        if name not in COMPETITION_RULES
    }
    parts: dict[str, Any] = {}
    for group, model in COMPETITION_RULES.items():
        try:
            parts[group] = read_parameters(model, values.get(group))
        except ParameterError as error:
            problems |= {f"{group}.{name}": text for name, text in error.problems.items()}
    if problems:
        raise ParameterError(problems)
    return CompetitionRules(**parts)


@lru_cache(maxsize=256)
def competition_rules_from_json(rules: str) -> CompetitionRules:
    """Return rules of a competition from JSON. Cached: they are immutable."""
    return read_competition_rules(json.loads(rules))
