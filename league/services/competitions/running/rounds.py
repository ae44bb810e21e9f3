"""Rounds open, so that fixtures get their dates, and close, so that all fixtures are decided."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Arrangement, Fixture, FixtureGame
from league.services.competitions.outcomes import games_missing, games_of, outcome
from league.services.competitions.running.drawing import DAY, end_of, evening_of, set_window
from league.services.dates import scheduled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Competition, Entrant, Round
    from league.services.competitions.outcomes import Game
    from league.services.dates.scheduled import Captain

LEAD = timedelta(hours=1)
"""The least time between setting a date and the date, so that both sides can read about it."""

UNPLAYED = {"draw": Fixture.Result.DRAW, "both-lose": Fixture.Result.NEITHER}


def open_due(one: Competition, now: datetime, until: datetime | None = None) -> list[Round]:
    """Open the rounds of a locked competition whose time has come, and return them.

    A round of a bracket waits until both sides of all its fixtures are known. ``until`` is a later
    time than ``now``, up to which rounds are opened early.
    """
    unknown = one.fixtures.undecided().filter(Q(home=None) | Q(away=None))
    waiting = one.rounds.filter(opened_at=None, opens_at__lte=until or now).exclude(
        pk__in=unknown.values("round")
    )
    due = list(waiting.order_by("opens_at", "id"))
    for round_ in due:
        open_round(one, round_, now)
    return due


def open_round(one: Competition, round_: Round, now: datetime) -> None:
    """Open a round, maybe before its time, which keeps its dates.

    One that had to wait for others has its whole length from now on, or from the next evening.
    """
    if round_.play_at < now:
        short = one.ruled_by().dates.round_length < DAY.total_seconds()
        set_window(one, round_, now if short else evening_of(one, round_.opens_at, now))
    round_.opened_at, round_.waits_for_staff = now, False
    round_.save()


def set_dates(
    one: Competition,
    fixtures: Iterable[Fixture],
    games: Mapping[int, Sequence[Game]],
    now: datetime,
) -> int:
    """Give fixtures of open rounds that need another game its date. Return how many got one.

    ``games`` are those that they have. A game that is void, or whose date lapsed, is played again.
    """
    count = 0
    for fixture in fixtures:
        mine = games.get(fixture.pk, ())
        if is_to_be_played(fixture) and games_missing(fixture, mine):
            set_date(one, fixture, mine, date_for(one, fixture.round, mine, now), now)
            count += 1
    return count


def is_to_be_played(fixture: Fixture) -> bool:
    """Return whether both sides of a fixture can play, and its round is open."""
    open_ = fixture.round.opened_at is not None and fixture.round.closed_at is None
    return open_ and fixture.result == Fixture.Result.OPEN and has_two_captains(fixture)


def has_two_captains(fixture: Fixture) -> bool:
    """Return whether both sides are known, and nobody leads the rosters of both."""
    both = fixture.home is not None and fixture.away is not None
    return both and side_of(fixture.home)[0] != side_of(fixture.away)[0]


def date_for(one: Competition, round_: Round, games: Sequence[Game], now: datetime) -> datetime:
    """Return when the next game of a fixture is played if the captains agree on nothing else.

    Further games of a fixture follow the one before at once. A date that has passed moves to the
    next evening within the round.
    """
    played = [game for game in games if game.counts and game.match_id is not None]
    if played:
        return max(played[-1].play_at, now - timedelta(minutes=1))
    soonest = now + LEAD
    evening = max(evening_of(one, round_.play_at, soonest), soonest)
    return evening if evening < end_of(one, round_) else max(round_.play_at, soonest)


def set_date(
    one: Competition,
    fixture: Fixture,
    games: Sequence[Game],
    play_at: datetime,
    now: datetime,
) -> FixtureGame:
    """Set the date of another game of a fixture whose sides are known."""
    home, away = side_of(fixture.home), side_of(fixture.away)
    rules = one.ruled_by().dates
    until = end_of(one, fixture.round)
    date = scheduled.schedule(
        one.season.arena,
        home,
        away,
        play_at=play_at.replace(microsecond=0),
        play_until=max(until, play_at + LEAD),
        moves=rules.postponements,
        now=now,
    )
    number = max((game.number for game in games), default=0) + 1
    return FixtureGame.objects.create(fixture=fixture, number=number, arrangement=date)


def side_of(entrant: Entrant | None) -> Captain:
    assert entrant is not None, "only fixtures between two entrants have dates"  # noqa: S101 - for the types
    return entrant.captain, entrant.roster


def close_due(
    one: Competition,
    fixtures: Sequence[Fixture],
    games: Mapping[int, Sequence[Game]],
    now: datetime,
) -> int:
    """Close the rounds of a locked competition that are over. Return their number.

    What was reported in time still counts once it is settled.
    """
    over = one.rounds.filter(opened_at__isnull=False, closed_at=None, closes_at__lte=now)
    due = [round_ for round_ in over if end_of(one, round_) <= now]
    for round_ in due:
        for fixture in fixtures:
            if fixture.round_id == round_.pk:
                end_unplayed(one, fixture, games.get(fixture.pk, ()), now)
        round_.closed_at = now
        round_.save(update_fields=["closed_at"])
    return len(due)


def end_unplayed(one: Competition, fixture: Fixture, games: Sequence[Game], now: datetime) -> None:
    """Decide a fixture that nobody reported in time by the rules, or leave it to staff."""
    if waits_for_nothing(one, fixture, games):
        rule = UNPLAYED.get(one.ruled_by().dates.unplayed)
        claimed = any(game.is_open and game.home_claimed is not None for game in games)
        if rule is None or claimed or fixture.round.is_in_bracket:
            leave_to_staff(fixture)
        else:
            decide(fixture, rule, Fixture.DecidedBy.DEADLINE, now)


def waits_for_nothing(one: Competition, fixture: Fixture, games: Sequence[Game]) -> bool:
    """Return whether two sides of a closed round have neither a result nor a way to one.

    A report that is to be confirmed, and a date that staff set beyond the round, are such ways.
    """
    if fixture.home_id is None or fixture.away_id is None or outcome(fixture, games).is_decided:
        return False
    end = end_of(one, fixture.round)
    return not any(game.is_open and (game.match_id or game.play_at > end) for game in games)


def leave_to_staff(fixture: Fixture) -> None:
    fixture.attention = Fixture.Attention.UNPLAYED
    fixture.save(update_fields=["attention"])


def review(
    one: Competition,
    fixtures: Iterable[Fixture],
    games: Mapping[int, Sequence[Game]],
    now: datetime,
) -> int:
    """Tell staff of fixtures that nothing will decide, and no longer of those that are decided.

    A report may be voided, or a date lapse, after the round has closed. A date that is left once a
    void is undone is cancelled. Return how many changed.
    """
    count = 0
    for fixture in fixtures:
        mine = games.get(fixture.pk, ())
        if outcome(fixture, mine).is_decided and any(game.is_to_come for game in mine):
            cancel_dates([fixture], now)
            count += 1
        if is_settled(fixture, mine):
            fixture.attention = Fixture.Attention.NONE
            fixture.save(update_fields=["attention"])
            count += 1
        elif needs_staff(one, fixture, mine):
            leave_to_staff(fixture)
            count += 1
    return count


def needs_staff(one: Competition, fixture: Fixture, games: Sequence[Game]) -> bool:
    closed = fixture.round.closed_at is not None
    return closed and not fixture.attention and waits_for_nothing(one, fixture, games)


def is_settled(fixture: Fixture, games: Sequence[Game]) -> bool:
    """Return whether a fixture that was unplayed or drawn has the result that it needs."""
    if fixture.attention not in {Fixture.Attention.UNPLAYED, Fixture.Attention.DRAWN}:
        return False
    found = outcome(fixture, games)
    drawn = fixture.round.is_in_bracket and found.result == Fixture.Result.DRAW
    return found.is_decided and not drawn


def decide(fixture: Fixture, result: Fixture.Result, by: Fixture.DecidedBy, now: datetime) -> None:
    """Store what decides a fixture other than its games, and cancel its dates."""
    fixture.result, fixture.decided_by, fixture.decided_at = result, by, now
    fixture.attention = Fixture.Attention.NONE
    fixture.save(update_fields=["result", "decided_by", "decided_at", "attention"])
    cancel_dates([fixture], now)


def reopen(fixture: Fixture) -> None:
    """Leave a fixture to its games again."""
    fixture.result, fixture.decided_by = Fixture.Result.OPEN, Fixture.DecidedBy.GAMES
    fixture.decided_at, fixture.attention = None, Fixture.Attention.NONE
    fixture.save(update_fields=["result", "decided_by", "decided_at", "attention"])


def cancel_dates(fixtures: Iterable[Fixture], now: datetime) -> None:
    """Cancel the dates of fixtures that are still to be played."""
    games = FixtureGame.objects.filter(
        fixture__in=[fixture.pk for fixture in fixtures],
        arrangement__state=Arrangement.State.ACCEPTED,
    )
    for number in games.order_by("arrangement").values_list("arrangement", flat=True):
        scheduled.cancel(number, now)


def state_of(one: Competition) -> tuple[list[Fixture], dict[int, list[Game]]]:
    """Return the fixtures of a competition, with rounds and sides, and their games."""
    return fixtures_of(one, one.entrants.with_people(), one.rounds.all()), games_of([one.pk])


def fixtures_of(
    one: Competition, entrants: Iterable[Entrant], rounds: Iterable[Round]
) -> list[Fixture]:
    """Return the fixtures of a competition, which share these entrants and rounds."""
    fixtures = list(one.fixtures.order_by("number"))
    share(one, fixtures, entrants, rounds)
    return fixtures


def share(
    one: Competition,
    fixtures: Iterable[Fixture],
    entrants: Iterable[Entrant],
    rounds: Iterable[Round],
) -> None:
    """Let the fixtures of a competition share its entrants and rounds."""
    by_id = {entrant.pk: entrant for entrant in entrants}
    by_round = {round_.pk: round_ for round_ in rounds}
    for fixture in fixtures:
        fixture.competition, fixture.round = one, by_round[fixture.round_id]
        fixture.home = by_id[fixture.home_id] if fixture.home_id else None
        fixture.away = by_id[fixture.away_id] if fixture.away_id else None
