"""Results of the fixtures of a competition, which an organiser types game by game."""

from __future__ import annotations

from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Arrangement, Competition, Fixture
from league.models.own_words import own_words
from league.services.competitions import counting, decisions, line_ups, progress
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.line_ups import Change, Substitution
from league.services.competitions.locking import check_may_run, check_state, lock
from league.services.competitions.outcomes import Game, games_of, outcome
from league.services.competitions.running import rounds
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.types import ReportedSide
from league.services.results.rules import written
from league.services.results.staff import entering
from league.services.transfer.evenings.evenings import hold, patiently
from ratings.files import scores

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import User

Result = Fixture.Result
RESULTS = {
    scores.FIRST: Result.HOME,
    scores.SECOND: Result.AWAY,
    scores.DRAW: Result.DRAW,
    scores.NEITHER: Result.NEITHER,
}


@dataclass(frozen=True)
class Typed:
    """The result of a fixture as it was typed."""

    fixture: int
    text: str
    after: int = 0
    """The number of its games that had a result when the page was shown."""
    changes: tuple[Change, ...] | None = None
    """The changes of the line-up of its next game, ``None`` for those that were planned."""
    add_players: bool = False
    """Whether substitutes whose names nobody has become players without an account."""


@dataclass(frozen=True)
class Played:
    """A game to enter: its result, and its score if one was written."""

    result: Result
    score: tuple[float, float] | None = None


@dataclass(frozen=True)
class LineUp:
    """Those who play a game."""

    sides: list[ReportedSide]
    substitutions: list[Substitution] = field(default_factory=list)


@dataclass
class Entered:
    """The effect of what was typed."""

    saved: int = 0
    """The number of fixtures that got a result."""
    errors: dict[int, str] | None = None
    """The problem of each fixture that got none, by its id."""


def enter(competition_id: int, typed: Sequence[Typed], *, by: User, now: datetime) -> Entered:
    """Enter results of open fixtures, which count at once. Those with an error change nothing.

    A forfeit decides the fixture. What was entered before, by the same form sent again for example,
    is left as it is.

    Raises:
        Forbidden: ``by`` may not enter results or run the competition, or plays in it.
        Conflict: it does not run, or other results of its players are in the way.
    """
    done = Entered(errors={})
    assert done.errors is not None  # noqa: S101 - for the types
    with patiently(), committing("results of a round"):
        one = lock(competition_id)
        check_may_run(by, one)
        check_state(one, Competition.State.RUNNING)
        sentence = _("You play in this competition. Ask another organiser to enter its results.")
        refuse_own_competition(one, by, sentence)
        fixtures = {fixture.pk: fixture for fixture in rounds.state_of(one)[0]}
        known = [each for each in typed if each.fixture in fixtures]
        sides, problems = {}, {}
        for each in known:
            fixture = fixtures[each.fixture]
            try:
                sides[each.fixture] = line_up_of(fixture, each, now)
            except Refused as refusal:
                sides[each.fixture] = LineUp(line_ups.sides_of(fixture))
                problems[each.fixture] = refusal
        hold(one.season.arena, [line_up.sides for line_up in sides.values()], now, now)
        for each in known:
            try:
                with transaction.atomic():
                    if problem := problems.get(each.fixture):
                        raise problem
                    line_up = sides[each.fixture]
                    done.saved += enter_one(
                        one, fixtures[each.fixture], each, line_up, by=by, now=now
                    )
            except Forbidden:
                raise
            except Refused as refusal:
                done.errors[each.fixture] = refusal.message
        if done.saved:
            progress.advance(one, now)
    return done


def line_up_of(fixture: Fixture, typed: Typed, now: datetime) -> LineUp:
    """Return those who play the next game of a fixture, with players who are new if asked."""
    sides = line_ups.sides_of(fixture)
    if typed.changes is None:
        substitutes = line_ups.find_planned(fixture)
    else:
        substitutes = line_ups.find_substitutes(typed.changes, add_players=typed.add_players)
    if not substitutes:
        return LineUp(sides)
    return LineUp(*line_ups.change_line_up(fixture, sides, substitutes, now))


def enter_one(
    one: Competition, fixture: Fixture, typed: Typed, line_up: LineUp, *, by: User, now: datetime
) -> bool:
    """Enter what was typed for a fixture. Return whether it is new."""
    lower_wins = one.season.arena.result_settings().scores == "lower"
    read = written.read(typed.text, lower_wins=lower_wins)
    games = games_of([one.pk]).get(fixture.pk, [])
    if is_there(fixture, games, read, typed.after, lower_wins=lower_wins):
        return False
    check_open(fixture, games, typed.after)
    if read.forfeit:
        why = own_words("no game", result=typed.text.strip())
        result = RESULTS[read.winner]
        decisions.decide(fixture.pk, result, by=by, reason=why, now=now, forfeit=True)
        return True
    for played in played_games(fixture, read, typed.after, lower_wins=lower_wins):
        games = games_of([one.pk]).get(fixture.pk, [])
        if outcome(fixture, games).is_decided:
            raise Refused("games", _("More games than the series has."))
        enter_game(one, fixture, games, played, line_up, by=by, now=now)
    if fixture.line_up:
        Fixture.objects.filter(pk=fixture.pk).update(line_up=[])
    return True


def played_games(
    fixture: Fixture, read: scores.Written, after: int, *, lower_wins: bool
) -> list[Played]:
    """Return the games of a written result: each score is one in a series, and a set otherwise.

    A score of games won that ends a whole series, such as 2-1 in a best of three, stands for its
    games.
    """
    if after == 0 and is_whole_series(fixture.best_of, read.games):
        home, away = map(int, read.games[0])
        order = [Result.AWAY, Result.HOME] if home > away else [Result.HOME, Result.AWAY]
        counts = sorted((home, away))
        return [Played(order[0])] * counts[0] + [Played(order[1])] * counts[1]
    if fixture.best_of > 1 and len(read.games) > 1:
        return [
            Played(RESULTS[scores.winner_of(score, lower_wins=lower_wins)], score)
            for score in read.games
        ]
    if fixture.best_of == 1 and fixture.round.is_in_bracket and read.winner == scores.DRAW:
        raise Refused("draw", _("Somebody has to advance, so this cannot be a draw."))
    return [Played(RESULTS[read.winner], read.score)]


def is_whole_series(best_of: int, scores: Sequence[tuple[float, float]]) -> bool:
    """Return whether a single score has the games won by both sides at the end of a series."""
    if best_of == 1 or len(scores) != 1:
        return False
    lost, won = sorted(scores[0])
    return won == best_of // 2 + 1 and lost < won and lost.is_integer()


def is_there(
    fixture: Fixture,
    games: Sequence[Game],
    read: scores.Written,
    after: int,
    *,
    lower_wins: bool,
) -> bool:
    """Return whether a fixture has this very result already."""
    if read.forfeit:
        forfeited = fixture.decided_by == Fixture.DecidedBy.FORFEIT
        return forfeited and fixture.result == RESULTS[read.winner]
    if fixture.result != Result.OPEN:
        return False
    wanted = played_games(fixture, read, after, lower_wins=lower_wins)
    there = with_result(games)[after : after + len(wanted)]
    return len(there) == len(wanted) and all(
        game.result == played.result
        and (played.score is None or (game.home_score, game.away_score) == played.score)
        for game, played in zip(there, wanted, strict=True)
    )


def with_result(games: Sequence[Game]) -> list[Game]:
    return [game for game in games if game.counts and game.result != Result.OPEN]


def check_open(fixture: Fixture, games: Sequence[Game], after: int) -> None:
    """Refuse a result for a fixture that takes none now."""
    if fixture.home is None or fixture.away is None:
        raise Conflict("sides", _("The sides of this fixture are not known yet."))
    if fixture.round.opened_at is None:
        raise Conflict("not_open", _("The round of this game is not open yet."))
    if outcome(fixture, games).is_decided or len(with_result(games)) > after:
        raise Conflict("decided", _("This game has another result already. Correct that one."))
    if any(game.is_open and game.match_id is not None for game in games):
        raise Conflict(
            "reported", _("A captain has reported this game. Decide that report instead.")
        )


def enter_game(
    one: Competition,
    fixture: Fixture,
    games: Sequence[Game],
    played: Played,
    line_up: LineUp,
    *,
    by: User,
    now: datetime,
) -> None:
    """Enter a game of an open fixture, rate it and count it for the fixture."""
    if not rounds.has_two_captains(fixture):
        raise Conflict("captain", _("One player leads both sides, so they cannot play."))
    waiting = [game.date_id for game in games if game.is_to_come]
    if not waiting:
        play_at = rounds.date_for(one, fixture.round, games, now)
        waiting = [rounds.set_date(one, fixture, games, play_at, now).arrangement_id]
    date = Arrangement.objects.get(pk=waiting[0])
    places = {Result.HOME: (0, 1), Result.AWAY: (1, 0)}.get(played.result, (0, 0))
    scores = played.score or (None, None)
    sides = [
        ReportedSide(side.captain, side.participants, place, score, side.roster)
        for side, place, score in zip(line_up.sides, places, scores, strict=True)
    ]
    why, details = own_words("result", competition=one), {}
    if line_up.substitutions:
        names = list(line_up.substitutions)
        why = own_words("result with substitutes", competition=one, names=names)
        details["substitutes"] = [list(astuple(each)) for each in line_up.substitutions]
    entering.enter(
        one.season.arena,
        sides,
        by=by,
        reason=why.text,
        details={**details, **why.details},
        played_at=min(date.play_at, now),
        now=now,
        link=counting.linking(date),
        first_side=0,
    )
