"""The sides that have confirmed a report, and the number that have to.

Between two sides, the other captain decides. With more, a report counts once every side that can
lose by it has confirmed it. While one of them is silent, a quorum of the arena's rules counts only
at the deadline, so that it can still dispute the report. If the silent side has a ranked player, a
quorum needs captains who are ranked, too, and who are not known to share an address with others who
vouch: fresh accounts cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Confirmation, Flag, Participant, Rating, Side
from league.services.core.errors import Conflict
from league.services.standings.connections import opponents_needed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from league.models import Match, Player
    from league.models.result_rules import ResultRules


@dataclass(frozen=True)
class Tally:
    """The sides other than the reporting one, and how many of them confirmed the report."""

    others: int
    confirmed: int
    harmed: int
    """Sides that can lose by the result."""
    harmed_confirmed: int
    worse: int
    """Sides placed below the reporting one."""
    worse_confirmed: int

    @property
    def is_agreed(self) -> bool:
        """Whether every side that can lose by the report has confirmed it."""
        return 0 < self.harmed == self.harmed_confirmed or 0 < self.others == self.confirmed

    def has_quorum(self, rules: ResultRules) -> bool:
        """Return whether enough sides have confirmed the report."""
        enough = 0 < self.confirmed >= self.sides_needed(rules)
        return enough and not self.lacks_a_worse_side

    def sides_needed(self, rules: ResultRules) -> int:
        """Return how many sides have to confirm."""
        return 1 if self.others == 1 else rules.quorum(self.others)

    @property
    def lacks_a_worse_side(self) -> bool:
        """Whether a side placed below the reporting one still has to confirm."""
        return self.worse > 0 and not self.worse_confirmed


def tally(match_id: int, *, silence: bool = False) -> Tally:
    """Return how many sides confirmed a report.

    With ``silence``, sides count too that agreed to the match and were notified of the report, if
    their captain can still log in to answer.
    """
    rows = Side.objects.filter(match=match_id)
    sides = list(rows.select_related("match", "captain__user", "confirmation"))
    reporting = next(side for side in sides if side.index == side.match.reported_by_side)
    others = [side for side in sides if side != reporting]
    shared = sum(side.place == 0 for side in sides) > 1
    said = [side for side in others if confirms(side, silence=silence)]

    def is_harmed(side: Side) -> bool:
        """Return whether a side can lose by the result: it does not win alone."""
        return bool(side.place) or shared

    def is_worse(side: Side) -> bool:
        return (side.place or 0) > (reporting.place or 0)

    return Tally(
        len(others),
        len(said),
        sum(map(is_harmed, others)),
        sum(map(is_harmed, said)),
        sum(map(is_worse, others)),
        sum(map(is_worse, said)),
    )


def confirms(side: Side, *, silence: bool) -> bool:
    """Return whether a side has confirmed a report, or with ``silence`` agrees by not answering."""
    if hasattr(side, "confirmation"):
        return True
    account = side.captain.user
    asked = side.agreed_at is not None and side.notified_at is not None
    return silence and asked and account is not None and account.is_active


def counts_at_deadline(match: Match, *, silence: bool = False) -> bool:
    """Return whether a report counts if nobody answers any more. ``silence`` as :func:`tally`."""
    count = tally(match.pk, silence=silence)
    if count.is_agreed:
        return True
    return count.has_quorum(match.arena.result_settings()) and (
        not silent_ranked(match, silence=silence) or has_quorum_of_ranked(match)
    )


def silent_ranked(match: Match, *, silence: bool = False) -> list[int]:
    """Return the ranked players of sides that can lose by a report and have not confirmed it.

    With ``silence``, those of sides that agreed to the match are left out.
    """
    sides = match.sides.exclude(index=match.reported_by_side or 0).filter(confirmation=None)
    if silence:
        sides = sides.exclude(agreed_at__isnull=False, notified_at__isnull=False)
    if match.sides.filter(place=0).count() == 1:
        sides = sides.exclude(place=0)
    players = Participant.objects.filter(side__in=sides).values_list("player", flat=True)
    return sorted(ranked_of(match, players))


def has_quorum_of_ranked(match: Match) -> bool:
    """Return whether a quorum of captains confirmed a report whose word counts against a ranked
    player."""
    said = list(match.confirmations.select_related("side").order_by("at", "id"))
    ranked = ranked_of(match, [one.player_id for one in said])
    flags = Flag.objects.open().filter(kind=Flag.Kind.ONE_ADDRESS, season=match.season_id)
    known = set(flags.values_list("player", "other")) | set(flags.values_list("other", "player"))
    vouching, addresses, sides = {match.reported_by_id}, {match.reported_from}, []
    for one in said:
        is_apart = not any((one.player_id, other) in known for other in vouching)
        if one.player_id in ranked and is_apart and one.sent_from not in addresses - {None}:
            vouching.add(one.player_id)
            addresses.add(one.sent_from)
            sides.append(one.side)
    reported = match.sides.get(index=match.reported_by_side or 0).place or 0
    others = match.sides.exclude(index=match.reported_by_side or 0)
    has_worse = not others.filter(place__gt=reported).exists() or any(
        (side.place or 0) > reported for side in sides
    )
    return len(sides) >= match.arena.result_settings().quorum(others.count()) and has_worse


def ranked_of(match: Match, players: Iterable[int]) -> set[int]:
    """Return which players have the matches and opponents for a rank in a match's season."""
    rules = match.season.season_rules().ranked
    needed = [rules.matches_needed(returning=returning) for returning in (False, True)]
    ratings = Rating.objects.filter(season=match.season_id, player__in=list(players))
    if opponents_needed(match.season):
        ratings = ratings.filter(Q(connected=True) | Q(proven=True))
    is_new = Q(played_before=None)
    enough = Q(is_new, games__gte=max(needed[0], 1)) | Q(~is_new, games__gte=max(needed[1], 1))
    return set(ratings.filter(enough).values_list("player", flat=True))


def add_confirmation(
    match_id: int, side: int, *, by: Player, now: datetime, sent_from: UUID | None = None
) -> bool:
    """Store a side's confirmation of a locked match. Return whether the report counts at once.

    Raises:
        Conflict: the side has already confirmed it.
    """
    confirming = Side.objects.get(match=match_id, index=side)
    if Confirmation.objects.filter(side=confirming).exists():
        raise Conflict("confirmed", _("You have already confirmed this result."))
    Confirmation.objects.create(
        match_id=match_id, side=confirming, player=by, at=now, sent_from=sent_from
    )
    return tally(match_id).is_agreed
