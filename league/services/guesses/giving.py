"""Giving a guess, and the limits that keep it fair.

A guess can be changed until the agreed time. It is closed for good once an agreed time has passed,
even if the date is moved afterwards, and as soon as the two captains play live. Results count only
for guesses from before the match (``records``), so a match that began early drops the late ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, F, OuterRef, Q, Subquery

from league.models import Arrangement, ArrangementStep, Guess, Participant, RosterMember, TeamMember
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.dates.people import takes_part
from league.services.guesses.forecasting import forecasts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player
    from league.models.arrangement import ArrangementQuerySet

Kind = ArrangementStep.Kind
TIMED = (Kind.PROPOSED, Kind.MOVED, Kind.AGREED, Kind.SCHEDULED)
"""Steps after which the match is at the time that they name."""
MOVES = (Kind.AGREED, Kind.SCHEDULED)
READ, MOST_READ = 20, 200
"""Matches are read in parts until there are enough with a forecast, or too many without one."""


def open_dates(now: datetime) -> ArrangementQuerySet:
    """Return the agreed dates that can be guessed now, the next one first."""
    steps = ArrangementStep.objects.filter(arrangement=OuterRef("pk"))
    earlier = ArrangementStep.objects.filter(
        arrangement=OuterRef("arrangement"), pk__lt=OuterRef("pk"), kind__in=TIMED
    )
    moved_late = steps.filter(kind__in=MOVES).annotate(
        before=Subquery(earlier.order_by("-pk").values("play_at")[:1])
    )
    live = Participant.objects.filter(live=True, match=OuterRef("match"))
    plays = Participant.objects.filter(
        live=True, player=OuterRef("proposer"), match__arena=OuterRef("arena")
    )
    both_play = plays.filter(Exists(live.filter(player=OuterRef(OuterRef("opponent")))))
    return (
        Arrangement.objects.accepted()
        .filter(~Exists(moved_late.filter(before__lte=F("at"))), ~Exists(both_play))
        .filter(play_at__gt=now, arena__is_draft=False)
        .order_by("play_at", "id")
    )


def without_own(dates: ArrangementQuerySet, player: Player) -> ArrangementQuerySet:
    """Leave out the matches of a player, their rosters and their teams."""
    rosters = RosterMember.objects.filter(player=player).values("roster")
    teams = TeamMember.objects.current().filter(player=player).values("team")
    own = Q(proposer=player) | Q(opponent=player)
    for side in ("proposer_roster", "opponent_roster"):
        # A match without a roster is not excluded: a condition on null would be neither.
        own |= Q(**{f"{side}__isnull": False, f"{side}__in": rosters})
        own |= Q(**{f"{side}__team__isnull": False, f"{side}__team__in": teams})
    return dates.exclude(pk__in=Arrangement.objects.filter(own).values("pk"))


def is_own(one: Arrangement, player: Player | None) -> bool:
    """Return whether a match is one of the player's, of a roster or of a team of theirs."""
    if player is None:
        return False
    rosters = [one.proposer_roster, one.opponent_roster]
    teams = [roster.team_id for roster in rosters if roster and roster.team_id]
    if teams and TeamMember.objects.current().filter(team__in=teams, player=player).exists():
        return True
    return takes_part(one, player)


def list_open_for(
    player: Player | None, now: datetime, limit: int
) -> list[tuple[Arrangement, float, Guess | None]]:
    """Return coming matches to guess, each with its forecast and the player's guess so far.

    Those without a guess come first, then the next. Matches without a forecast are left out.
    """
    dates = open_dates(now)
    if player:
        guessed = Guess.objects.filter(player=player, arrangement=OuterRef("pk"))
        dates = without_own(dates, player).annotate(guessed=Exists(guessed))
        dates = dates.order_by("guessed", "play_at", "id")
    found: list[tuple[Arrangement, float]] = []
    for start in range(0, MOST_READ, READ):
        rows = list(dates.with_people().select_related("game")[start : start + READ])
        forecasts = forecasts_of(rows, now)
        found += [(one, forecasts[one.pk]) for one in rows if one.pk in forecasts]
        if len(found) >= limit or len(rows) < READ:
            break
    found = found[:limit]
    mine = guesses_of(player, [one for one, _forecast in found])
    return [(one, forecast, mine.get(one.pk)) for one, forecast in found]


def left_to_guess(player: Player, dates: Sequence[int]) -> set[int]:
    """Return which of these open dates the player can guess and has not, in one statement."""
    guessed = Guess.objects.filter(player=player, arrangement=OuterRef("pk"))
    rows = Arrangement.objects.filter(~Exists(guessed), pk__in=dates)
    return set(without_own(rows, player).values_list("pk", flat=True))


def guesses_of(player: Player | None, dates: list[Arrangement]) -> dict[int, Guess]:
    """Return a player's guesses by the id of the date."""
    if player is None or not dates:
        return {}
    found = player.guesses.filter(arrangement__in=dates)
    return {one.arrangement_id: one for one in found}


def give(one: Arrangement, percent: int, *, by: Player, now: datetime) -> Guess:
    """Guess a coming match, or change the guess, beside the forecast of this moment.

    Raises:
        Forbidden: it is a match of ``by``, or of a roster or team of theirs.
        Refused: the guess is not from 0 to 100, or there is no forecast to compare it with.
        Conflict: guesses are closed.
    """
    if is_own(one, by):
        raise Forbidden("own_match", _("You cannot guess a match of your own side."))
    if not 0 <= percent <= 100:
        raise Refused("percent", _("Enter a guess from 0 to 100."), field="percent")
    if not open_dates(now).filter(pk=one.pk).exists():
        raise Conflict("closed", _("Guesses of this match are closed."))
    forecast = forecasts_of([one], now).get(one.pk)
    if forecast is None:
        raise Refused("no_forecast", _("There is no forecast of this match to compare with."))
    values = {"percent": percent, "forecast": forecast, "given_at": now}
    guess, _is_new = Guess.objects.update_or_create(values, player=by, arrangement=one)
    return guess
