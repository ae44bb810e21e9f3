"""The live score of a date or a match: entered by whoever is there, never a result by itself.

Any player enters it until one of the match or an organiser does; then it is theirs. Each score
names the one that its author has seen, so that of two who type at once the second one is told and
decides again. Earlier scores are kept, and anybody who may enter a score can go back to the one
before.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Arrangement, LiveScore, Status
from league.models.arrangement import PLAYED_WITHIN
from league.models.explained import translate
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates.limits import reports_from
from league.services.dates.people import sides_of, takes_part
from league.services.dates.threads import kind_of, lock_meeting
from league.services.eligibility.reasons import refuse_banned
from league.services.results.reports import live
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Match, Player, User

MOST_OF_A_MATCH = 1_000
"""Scores of one match: enough for long ones with some mistakes."""
MOST_IN_AN_HOUR = 300
"""Scores of one author in an hour: one every twelve seconds."""
MOST_SHOWN = 10


def takes_scores(one: Arrangement | Match, now: datetime) -> bool:
    """Return whether a match of two sides is being played, as far as anybody can know."""
    if isinstance(one, Arrangement):
        agreed = one.state == one.State.ACCEPTED
        return agreed and reports_from(one) <= now < one.play_at + PLAYED_WITHIN
    is_played = one.status == Status.LIVE and not live.awaits_server(one, now)
    return is_played and one.sides.count() == 2


def may_enter(one: Arrangement | Match, user: User, player: Player | None) -> bool:
    """Return whether an account may enter the score.

    Players of the match and organisers always may. Anybody else may have come to watch, as long as
    none of them keeps the score.
    """
    if user.has_perm(own_matches.ENTER, one) or takes_part(one, player):
        return True
    return player is not None and not is_kept_by_players(one)


def is_kept_by_players(one: Arrangement | Match) -> bool:
    """Return whether a player of the match, or an organiser who plays nowhere, entered a score."""
    theirs = Q(player__in=set().union(*sides_of(one))) | Q(player=None)
    return bool(scores_of(one).filter(theirs).exists())


def latest(one: Arrangement | Match) -> Sequence[LiveScore]:
    """Return the last scores with the players who entered them, the newest first."""
    return list(scores_of(one).select_related("player").order_by("-number")[:MOST_SHOWN])


def scores_of(one: Arrangement | Match) -> Any:
    return LiveScore.objects.filter(**{kind_of(one): one})


def last_by_captain(one: Arrangement | Match) -> dict[int, float]:
    """Return the last score of each side by its captain's id, empty without one."""
    last = scores_of(one).order_by("-number").first()
    if last is None:
        return {}
    if isinstance(one, Arrangement):
        captains = [one.proposer_id, one.opponent_id]
    else:
        captains = list(one.sides.order_by("index").values_list("captain", flat=True))
    return dict(zip(captains, (last.first, last.second), strict=False))


def enter(
    about: Arrangement | Match,
    first: float,
    second: float,
    *,
    seen: int,
    by: User,
    player: Player | None,
    now: datetime,
) -> LiveScore:
    """Enter the score of a match that is being played. ``seen`` is the number of the last one.

    Raises:
        Forbidden: players of the match keep its score, or the account has no player, or is banned.
        Conflict: the match is not being played, or somebody else has just entered a score.
        Refused: the arena allows no such score.
        LimitReached: the author, or everybody, has entered too many.
    """
    with transaction.atomic():
        one, last = lock_for_score(about, seen, by, player, now)
        return add(one, last, first, second, by, player, now)


def go_back(
    about: Arrangement | Match, *, seen: int, by: User, player: Player | None, now: datetime
) -> LiveScore:
    """Enter the score before the last one once more. Raises as :func:`enter`."""
    with transaction.atomic():
        one, last = lock_for_score(about, seen, by, player, now)
        if last is None:
            raise Conflict("first", _("Nobody has entered a score yet."))
        before = scores_of(one).filter(number=last.number - 1).first()
        first, second = (before.first, before.second) if before else (0.0, 0.0)
        return add(one, last, first, second, by, player, now)


def lock_for_score(
    about: Arrangement | Match, seen: int, by: User, player: Player | None, now: datetime
) -> tuple[Arrangement | Match, LiveScore | None]:
    """Lock a match that takes a score of this account, and return it with its last score."""
    if not may_enter(about, by, player):
        text = _("Players of the match and organisers keep its score. Others need a player name.")
        raise Forbidden("not_there", text)
    if player is not None:
        refuse_banned([], now, by=player)
    one: Any = lock_meeting(about)
    if not takes_scores(one, now):
        raise Conflict("not_played", _("This match is not being played now."))
    last = scores_of(one).select_related("player").order_by("-number").first()
    if seen != (last.number if last else 0):
        raise Conflict(
            "seen",
            _("The score has changed meanwhile: it is %(score)s. Look, and enter yours again.")
            % {"score": last},
        )
    return one, last


def add(
    one: Arrangement | Match,
    last: LiveScore | None,
    first: float,
    second: float,
    by: User,
    player: Player | None,
    now: datetime,
) -> LiveScore:
    """Write a score of a locked match, or return the last one if it is the same."""
    check_scores(one, first, second)
    if last is not None and (last.first, last.second) == (first, second):
        return last
    number = last.number + 1 if last else 1
    if number > MOST_OF_A_MATCH:
        raise LimitReached("scores", _("This match has too many scores. Report its result."))
    check_limit(by, now)
    return LiveScore.objects.create(
        **{kind_of(one): one},
        number=number,
        first=first,
        second=second,
        author=by,
        player=player,
        at=now,
    )


def check_scores(one: Arrangement | Match, first: float, second: float) -> None:
    """Refuse scores that a report could not have."""
    rules = one.arena.result_settings()
    for score in (first, second):
        if problem := rules.problem_of_score(score):
            raise Refused("score", translate(problem), field="score")


def check_limit(author: User, now: datetime) -> None:
    """Refuse another score by an author who has entered very many."""
    hour = timedelta(hours=1)
    recent = LiveScore.objects.filter(author=author, at__gt=now - hour)
    if recent.count() >= MOST_IN_AN_HOUR:
        raise LimitReached(
            "scores",
            _("You have entered %(count)d scores in an hour. Try again later.")
            % {"count": MOST_IN_AN_HOUR},
            wait=int(hour.total_seconds()),
        )
