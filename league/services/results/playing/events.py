"""Single events of a live match, such as frags, as its game server sends them.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000: a free-for-all is rated by each event
of two players. The events are kept as they come, each with its number in the order of the match, so
batches can come twice and in any order. They are rated with the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Count, F
from django.utils.translation import gettext as _

from league.models import Match, MatchEvent, Participant, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.playing import servers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player, User

MOST_AT_ONCE = 1_000
"""The most events of one request."""


class Event(NamedTuple):
    """An event with its number in the order of the match, from 1, and ids of players."""

    number: int
    winner: int
    loser: int
    kind: int = 1


class Stored(NamedTuple):
    """The fate of a batch."""

    new: int
    """The number of its events that are new."""
    total: int
    """The number that the match has now."""


def add(match_id: int, events: Sequence[Event], *, by: User) -> Stored:
    """Add events to a live match as the game server that started it. Repeats are left out.

    Raises:
        Forbidden: ``by`` did not start the match, or may no longer start matches.
        Conflict: the match is over, its season does not rate events, teams play in it, or a number
            is already that of another event.
        Refused: an event is not between two of its players.
    """
    if not by.has_perm(servers.PERMISSION):
        raise Forbidden("not_a_game_server", _("You need the permission to add matches."))
    with transaction.atomic():
        # Batches come twice and together. Each sees the numbers of those before it.
        rows = Match.objects.select_for_update(of=("self",), no_key=True)
        match = rows.select_related("season").get(pk=match_id)
        if match.started_by_id != by.pk:
            raise Forbidden(
                "not_its_server",
                _("You are not the game server of this match. If a queue made it, claim it first."),
            )
        if match.status != Status.LIVE:
            raise Conflict(str(match.status), _("This match is over. It takes no more events."))
        if not match.season.system().rates_events:
            raise Conflict("no_events", _("This season rates matches by their places."))
        sides = dict(Participant.objects.filter(match=match).values_list("player", "side__index"))
        if len(set(sides.values())) < len(sides):
            raise Conflict("teams", _("Events are between single players, and here teams play."))
        wanted = between_sides(events, sides)
        new = wanted.keys() - check_repeats(match, wanted)
        MatchEvent.objects.bulk_create(
            MatchEvent(match=match, number=number, winner=winner, loser=loser, kind=kind)
            for number, (winner, loser, kind) in wanted.items()
            if number in new
        )
        if new:
            Match.objects.filter(pk=match.pk).update(event_count=F("event_count") + len(new))
    return Stored(len(new), match.event_count + len(new))


def between_sides(
    events: Sequence[Event], sides: dict[int, int]
) -> dict[int, tuple[int, int, int]]:
    """Return the sides of winner and loser, and the kind of event, by number.

    Raises ``Refused`` and ``Conflict``.
    """
    wanted: dict[int, tuple[int, int, int]] = {}
    for at, event in enumerate(events):
        for role, player in (("winner", event.winner), ("loser", event.loser)):
            if player not in sides:
                text = _("Player %(id)d does not play in this match.") % {"id": player}
                raise Refused("not_playing", text, field=f"events.{at}.{role}")
        if event.winner == event.loser:
            text = _("A player cannot beat themselves.")
            raise Refused("own_event", text, field=f"events.{at}.loser")
        found = sides[event.winner], sides[event.loser], event.kind
        if wanted.setdefault(event.number, found) != found:
            raise number_taken(event.number)
    return wanted


def check_repeats(match: Match, wanted: dict[int, tuple[int, int, int]]) -> set[int]:
    """Return the numbers that the match has already. Refuse those of other events."""
    there = MatchEvent.objects.filter(match=match, number__in=list(wanted)).order_by("number")
    found = there.values_list("number", "winner", "loser", "kind")
    for number, *event in found:
        if wanted[number] != tuple(event):
            raise number_taken(number)
    return {number for number, *_event in found}


def number_taken(number: int) -> Conflict:
    text = _("There is another event with number %(number)d. Nothing of this request was kept.")
    return Conflict("number_taken", text % {"number": number}, field="events")


def rows_of(match: Match) -> list[tuple[Player, int, int]]:
    """Return how many events each player won and lost, best place first."""
    if not match.event_count:
        return []
    mine = MatchEvent.objects.filter(match=match).order_by()
    won = dict(mine.values_list("winner").annotate(count=Count("number")))
    lost = dict(mine.values_list("loser").annotate(count=Count("number")))
    parts = Participant.objects.filter(match=match).select_related("player", "side")
    return [
        (part.player, won.get(part.side.index, 0), lost.get(part.side.index, 0))
        for part in parts.order_by("side__place", "side__index")
    ]
