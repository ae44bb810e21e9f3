"""Read what the pages of competitions show, in a constant number of statements."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Count, Q
from django.utils.translation import ngettext

from league.models import Competition, Entrant, Fixture, FixtureGame, Format, Round
from league.services.competitions import line_ups
from league.services.competitions.bracket_columns import columns_of
from league.services.competitions.chances import chances_of
from league.services.competitions.crosstables import crosstables_of
from league.services.competitions.outcomes import Outcome, games_of, outcome, outcomes
from league.services.competitions.running import bracket_names, bracket_plan, entering
from league.services.competitions.running.rounds import share
from league.services.competitions.standings import promotions
from league.services.competitions.standings.competition_tables import letter, tables_of
from league.services.competitions.standings.tie_breaks import TIE_BREAKS
from league.services.core.durations import seconds_in_words
from league.services.core.numbers import write_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena
    from league.models.competition import CompetitionQuerySet
    from league.services.competitions.bracket_columns import Column
    from league.services.competitions.chances import Chances
    from league.services.competitions.crosstables import Crosstable
    from league.services.competitions.outcomes import Game
    from league.services.competitions.standings.competition_tables import CompetitionTable
    from league.services.competitions.standings.tie_breaks import TieBreak

Row = TypeVar("Row", Entrant, Round, Fixture)
Result = Fixture.Result
OF_CHESS = {(None, None), (1, 0), (0.5, 0.5), (0, 1)}
MOST_CHANCES = 20
"""The most entrants whose chances a page shows in full."""


WITHOUT_GAME = {Result.HOME: "+:−", Result.AWAY: "−:+", Result.NEITHER: "−:−"}
"""The result of a forfeit, which is no score and counts for none."""


@dataclass(frozen=True)
class FixtureLine:
    """A fixture in a list, with its outcome."""

    fixture: Fixture
    outcome: Outcome
    board: int | None = None
    """The number of its board or table in the round, ``None`` for a bye."""
    planned: Sequence[str] = ()
    """The substitutes who are named for its next game."""

    @property
    def home_won(self) -> bool:
        return self.outcome.result == Result.HOME

    @property
    def away_won(self) -> bool:
        return self.outcome.result == Result.AWAY

    @property
    def score(self) -> str:
        """Return the score or its substitute, empty before the end."""
        if self.outcome.by in {Fixture.DecidedBy.FORFEIT, Fixture.DecidedBy.WITHDRAWAL}:
            return WITHOUT_GAME.get(Result(self.outcome.result), "")
        if self.outcome.home == self.outcome.away == 0.5:
            return "½–½"
        if self.outcome.home is not None and self.outcome.away is not None:
            return f"{write_score(self.outcome.home)}–{write_score(self.outcome.away)}"
        return {Result.HOME: "1–0", Result.AWAY: "0–1", Result.DRAW: "½–½"}.get(
            Result(self.outcome.result), ""
        )

    @property
    def play_at(self) -> datetime | None:
        """Return when it is or was played, ``None`` without a date."""
        counted = [game for game in self.outcome.games if game.counts]
        if not counted:
            return None
        return counted[-1].played_at or counted[-1].play_at

    @property
    def waits(self) -> bool:
        """Return whether a report waits for its confirmation."""
        return self.outcome.waits

    @property
    def group(self) -> str:
        home = self.fixture.home
        if home is None or home.group is None or self.fixture.round.is_in_bracket:
            return ""
        return letter(home.group)

    @property
    def is_planned(self) -> bool:
        """Return whether it follows groups that are not decided, so that it has no page yet."""
        return self.fixture.pk is None

    @property
    def is_bye(self) -> bool:
        return self.outcome.by == Fixture.DecidedBy.BYE

    @property
    def is_needless(self) -> bool:
        """Return whether it is a second final that is not played."""
        is_none = self.is_bye and self.outcome.result == Result.NONE
        return is_none and self.fixture.round.is_second_final

    @property
    def without_game(self) -> bool:
        """Return whether it was decided without a game."""
        return self.outcome.is_decided and self.outcome.by != Fixture.DecidedBy.GAMES


@dataclass(frozen=True)
class RoundLines:
    """A round with its fixtures."""

    round: Round
    fixtures: Sequence[FixtureLine]
    name: str = ""
    """Of a round in a bracket."""

    @property
    def is_open(self) -> bool:
        return self.round.opened_at is not None and not self.is_closed

    @property
    def is_closed(self) -> bool:
        return self.round.closed_at is not None

    @property
    def is_played(self) -> bool:
        """Return whether it is open, and a game of it has no result."""
        return self.is_open and self.has_open_game

    @property
    def has_open_game(self) -> bool:
        return any(not line.outcome.is_decided for line in self.fixtures)


@dataclass(frozen=True)
class CompetitionPage:
    """Everything about one competition."""

    competition: Competition
    entrants: Sequence[Entrant]
    fixtures: Sequence[Fixture]
    rounds: Sequence[Round]
    ended: dict[int, Outcome]

    @property
    def round_length(self) -> str:
        """Return how long a round lasts, in words."""
        length = self.competition.ruled_by().dates.round_length
        months = length.months
        if months:
            return ngettext("%(count)d month", "%(count)d months", months) % {"count": months}
        return seconds_in_words(float(length))

    @property
    def tie_breaks(self) -> list[TieBreak]:
        """Return the tie-breaks of a table, the most important first."""
        if not self.competition.has_table:
            return []
        names = self.competition.ruled_by().table.tie_break_names
        return [TIE_BREAKS[name] for name in names if name in TIE_BREAKS]

    @property
    def table_rounds(self) -> int:
        """Return how many rounds of a table are planned, or will be by the rules. 0 if unknown."""
        if self.tabled:
            return len(self.tabled)
        is_swiss = self.competition.format == Competition.Format.SWISS
        return self.competition.ruled_by().play.rounds if is_swiss else 0

    @property
    def has_second_final(self) -> bool:
        """Return whether there may be a second final: by its rounds once the bracket is drawn."""
        drawn = [each for each in self.rounds if each.is_in_bracket]
        if not drawn:
            return self.competition.ruled_by().play.second_final
        return any(each.is_second_final for each in drawn)

    @cached_property
    def tables(self) -> list[CompetitionTable]:
        return tables_of(self.competition, self.entrants, self.rounds, self.fixtures, self.ended)

    @property
    def has_series(self) -> bool:
        return any(fixture.best_of > 1 for fixture in self.fixtures)

    @cached_property
    def has_goals(self) -> bool:
        """Return whether a game has a score that is none of a game of chess."""
        return any(
            (outcome.home, outcome.away) not in OF_CHESS
            for outcome in self.ended.values()
            if len(outcome.games) == 1  # a series has the number of games won as its score
        )

    @property
    def is_like_chess(self) -> bool:
        """Return whether its games are those of two players who share a point: 1, ½ or 0.

        An arena says so by its highest score, a competition by half a point for a draw.
        """
        arena = self.competition.season.arena
        rules = arena.result_settings()
        points = self.competition.ruled_by().table
        counts_goals = (
            rules.score_steps == "whole"
            or arena.rating_parameters.get("margin") == "goals"
            or self.has_goals
        )
        shares_a_point = rules.highest_score <= 1 or (
            self.competition.has_table and points.win == 2 * points.draw
        )
        is_of_two = arena.format == Format.TEAMS and arena.team_size_max == 1
        return is_of_two and arena.draws_allowed and shares_a_point and not counts_goals

    @property
    def crosstables(self) -> list[Crosstable]:
        return crosstables_of(self)

    @cached_property
    def chances(self) -> Chances:
        """Return the chances of everybody, empty if they are not known."""
        return chances_of(self.competition)

    @cached_property
    def chance_lines(self) -> list[tuple[Entrant, Sequence[float]]]:
        """Return the likeliest entrants with their chances, the likeliest winner first."""
        rows = self.chances.rows
        known = [(one, rows[one.pk]) for one in self.entrants if one.pk in rows]
        step = -1 if self.competition.has_bracket else 1  # its last column is the best place
        ordered = sorted(known, key=lambda line: [-chance for chance in line[1][::step]])
        return ordered[:MOST_CHANCES]

    @cached_property
    def promoted(self) -> set[int]:
        """Return the ids of the entrants promoted as the table stands."""
        return {pk for pk, change in self.moves.items() if change == promotions.UP}

    @cached_property
    def relegated(self) -> set[int]:
        return {pk for pk, change in self.moves.items() if change == promotions.DOWN}

    @cached_property
    def moves(self) -> dict[int, int]:
        return promotions.moves(self.competition, self.tables)

    @cached_property
    def lines(self) -> dict[int, list[FixtureLine]]:
        """Return the fixtures by round id."""
        found: dict[int, list[FixtureLine]] = {}
        boards: dict[int, int] = {}
        planned = line_ups.planned_in_words(self.fixtures)
        for fixture in self.fixtures:
            ended, number = self.ended[fixture.pk], None
            if ended.by != Fixture.DecidedBy.BYE:
                number = boards[fixture.round_id] = boards.get(fixture.round_id, 0) + 1
            names = () if ended.is_decided else planned.get(fixture.pk, ())
            line = FixtureLine(fixture, ended, number, names)
            found.setdefault(fixture.round_id, []).append(line)
        return found

    @property
    def tabled(self) -> list[RoundLines]:
        """Return the rounds that count for a table."""
        return [
            RoundLines(each, self.lines.get(each.pk, []))
            for each in self.rounds
            if not each.is_in_bracket
        ]

    @cached_property
    def bracket(self) -> list[RoundLines]:
        """Return the rounds of the bracket in the order in which they are played."""
        names = bracket_names.names_of(self.competition, self.rounds, short=True)
        return [
            RoundLines(each, self.lines.get(each.pk, []), names[each.pk])
            for each in self.rounds
            if each.is_in_bracket
        ]

    def knocked_out_in(self, one: Entrant) -> RoundLines | None:
        """Return the round of the bracket that an entrant lost, if nothing is left to play."""
        lines = [(each, line) for each in self.bracket for line in each.fixtures]
        own = [
            (each, line)
            for each, line in lines
            if one.pk in (line.fixture.home_id, line.fixture.away_id)
        ]
        if not own or not all(line.outcome.is_decided for _each, line in own):
            return None
        found, last = own[-1]
        if last.home_won if one.pk == last.fixture.home_id else last.away_won:
            return None
        goes_on = (Fixture.Source.LOSER, last.fixture.number)
        for _each, line in lines:
            next_one = line.fixture
            sources = (
                (next_one.home_source, next_one.home_source_number),
                (next_one.away_source, next_one.away_source_number),
            )
            if goes_on in sources and not line.outcome.is_decided:
                return None
        return found

    @cached_property
    def bracket_plan(self) -> list[RoundLines]:
        """Return the rounds of the bracket after the groups as long as it is not drawn."""
        one = self.competition
        is_grouped = one.format == Competition.Format.GROUPS_KNOCKOUT
        if not is_grouped or not self.rounds or self.bracket or one.state != one.State.RUNNING:
            return []
        rounds, fixtures = bracket_plan.plan(one, self.entrants, len(self.fixtures), self.rounds)
        ordered = sorted(rounds, key=lambda each: each.opens_at)
        for number, each in enumerate(ordered, start=1):
            each.pk = -number  # tells them apart, and is not saved
        names = bracket_names.names_of(one, ordered, short=True)
        return [
            RoundLines(
                each,
                [
                    FixtureLine(fixture, Outcome(Result.OPEN), fixture.number)
                    for fixture in fixtures
                    if fixture.round is each
                ],
                names[each.pk],
            )
            for each in ordered
        ]

    @cached_property
    def bracket_parts(self) -> list[tuple[str, list[Column]]]:
        """Return the bracket in parts, with their headings: winners and losers apart."""
        bracket = self.bracket or self.bracket_plan
        return [
            (heading, columns_of([each for each in bracket if each.round.stage in stages]))
            for heading, stages in bracket_names.parts_of(self.competition)
            if bracket
        ]

    def round_to_show(self, number: int | None) -> RoundLines | None:
        """Return the round with a number, by default the first with an open game, else the last.

        A round that is not drawn is shown if there is no other.
        """
        rounds = self.tabled
        chosen = next((each for each in rounds if each.round.number == number), None)
        current = next((each for each in rounds if not each.is_closed and each.has_open_game), None)
        drawn = [each for each in rounds if each.fixtures] or rounds[:1]
        return chosen or current or (drawn[-1] if drawn else None)

    def with_state(self, *states: Entrant.State) -> list[Entrant]:
        return [one for one in self.entrants if one.state in states]

    @property
    def placed(self) -> list[Entrant]:
        return self.with_state(*entering.PLACED)

    @property
    def waiting(self) -> list[Entrant]:
        return sorted(self.with_state(Entrant.State.WAITING), key=lambda one: one.entered_at)

    @property
    def withdrawn(self) -> list[Entrant]:
        return self.with_state(Entrant.State.WITHDRAWN)

    @property
    def places(self) -> list[tuple[str, list[Entrant]]]:
        """Return the final places of a bracket, such as “3–4” where two share it."""
        found: dict[int, list[Entrant]] = {}
        for one in self.entrants if self.competition.has_bracket else ():
            if one.place is not None:
                found.setdefault(one.place, []).append(one)
        return [(place_of(first, len(those)), those) for first, those in sorted(found.items())]

    @property
    def winner(self) -> Entrant | None:
        """Return who won the final of a bracket, or leads the final table."""
        if self.competition.state != Competition.State.OVER:
            return None
        if self.competition.has_bracket:
            return self.winner_of_bracket()
        first = [line for table in self.tables[:1] for line in table.lines[:1]]
        alone = len(self.tables) == 1 and first and not first[0].row.tied_with_next
        return first[0].entrant if alone else None

    def winner_of_bracket(self) -> Entrant | None:
        finals = [line for each in self.bracket if each.round.is_final for line in each.fixtures]
        for line in reversed(finals):
            if line.home_won or line.away_won:
                return line.fixture.home if line.home_won else line.fixture.away
        return None


def place_of(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"


def load(one: Competition) -> CompetitionPage:
    """Read everything about a competition in four statements."""
    return load_all([one])[0]


def load_all(ones: Sequence[Competition]) -> list[CompetitionPage]:
    """Read everything about some competitions in four statements."""
    wanted = Q(competition__in=ones)
    entrants = by_competition(ones, Entrant.objects.filter(wanted).with_people())
    rounds = by_competition(ones, Round.objects.filter(wanted).order_by("opens_at", "id"))
    fixtures = by_competition(ones, Fixture.objects.filter(wanted).order_by("number"))
    games = games_of([one.pk for one in ones])
    for one in ones:
        share(one, fixtures[one.pk], entrants[one.pk], rounds[one.pk])
    return [
        CompetitionPage(
            one,
            entrants[one.pk],
            fixtures[one.pk],
            rounds[one.pk],
            outcomes(fixtures[one.pk], games),
        )
        for one in ones
    ]


def by_competition(ones: Iterable[Competition], rows: Iterable[Row]) -> dict[int, list[Row]]:
    """Return rows by the id of their competition, which they share."""
    shared = {one.pk: one for one in ones}
    found: dict[int, list[Row]] = {pk: [] for pk in shared}
    for row in rows:
        row.competition = shared[row.competition_id]
        found[row.competition_id].append(row)
    return found


def line_of(fixture: Fixture, games: Sequence[Game]) -> FixtureLine:
    """Return a fixture with its outcome, and the line-up of its next game."""
    ended = outcome(fixture, games)
    planned = () if ended.is_decided else line_ups.planned_in_words([fixture]).get(fixture.pk, ())
    return FixtureLine(fixture, ended, planned=planned)


def lines_of(one: Competition, fixtures: Sequence[Fixture]) -> list[FixtureLine]:
    """Return some fixtures of a competition with their outcomes, in one statement."""
    for fixture in fixtures:
        fixture.competition = one
    ended = outcomes(fixtures, games_of([one.pk]))
    return [FixtureLine(fixture, ended[fixture.pk]) for fixture in fixtures]


def competitions_of(arena: Arena) -> QuerySet[Competition]:
    """Return an arena's published competitions, with their numbers of entrants."""
    rows = Competition.objects.published().filter(season__arena=arena)
    return with_entered(rows).select_related("season__arena")


def with_entered(rows: CompetitionQuerySet) -> CompetitionQuerySet:
    """Return competitions with their numbers of entrants, as ``entered``."""
    entered = Count("entrants", filter=~Q(entrants__state__in=["waiting", "withdrawn"]))
    return rows.annotate(entered=entered)


def fixture_of_date(date_id: int) -> Fixture | None:
    """Return the fixture that a date belongs to, with its competition and arena."""
    rows = Fixture.objects.filter(games__arrangement=date_id)
    return rows.select_related("competition__season__arena").first()


def fixture_of_claim(match_id: int) -> Fixture | None:
    """Return the fixture of a match that is a no-show, which one side claims."""
    rows = Fixture.objects.select_related("competition__season__arena", "home", "away")
    claims = FixtureGame.objects.filter(arrangement__match=match_id)
    return rows.filter(games__in=claims.filter(arrangement__claimed_by__isnull=False)).first()
