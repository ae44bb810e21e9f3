"""Matching of players that the league does not store, by the same matchers as its queues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _

from league.models import ArenaQueue
from league.services.core.errors import Refused
from league.services.core.offline_limits import TEAM
from matchmaking.facade import Match, Matcher, Queue, QueueError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from league.models import Arena
    from matchmaking.ticket import Player


@dataclass(frozen=True)
class Waiting:
    """A party that has waited for some seconds for any of its game modes."""

    ticket: str
    players: Sequence[Player]
    waited: float
    modes: Sequence[str] = ()


@dataclass(frozen=True)
class Matched:
    """The matches of a run of the matcher, and the tickets that keep waiting."""

    matches: Sequence[Match]
    waiting: Sequence[Hashable]


def matcher_of(arena: Arena, seed: int) -> Matcher:
    """Return the matcher of an arena's queue with its rules."""
    queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
    if queue is None:
        text = _("%(arena)s has no queue.") % {"arena": arena}
        raise Refused("no_queue", text, field="arena")
    rules = queue.matching()
    if rules.team_size > TEAM:
        text = _("Teams of %(arena)s have %(size)d players. The most are %(most)d here.")
        values = {"arena": arena, "size": rules.team_size, "most": TEAM}
        raise Refused("team_size", text % values, field="arena")
    return Matcher(queue.matcher, rules=rules, seed=seed)


def match(matcher: Matcher, parties: Sequence[Waiting]) -> Matched:
    """Run the matcher once for parties that wait in this order."""
    queue = Queue()
    for number, party in enumerate(parties):
        size = len(party.players)
        if size > matcher.rules.team_size:
            text = _("This ticket has %(size)d players, and a team has %(most)d.")
            values = {"size": size, "most": matcher.rules.team_size}
            raise Refused("team_size", text % values, field=f"tickets.{number}.players")
        try:
            queue.join(party.players, at=-party.waited, modes=party.modes, ticket=party.ticket)
        except QueueError as error:
            text = _("This ticket cannot wait: %(why)s.") % {"why": error}
            raise Refused("ticket", text, field=f"tickets.{number}") from None
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            matches = matcher.tick(queue, now=0.0)
    except ArithmeticError:
        text = _("The scores leave the range of numbers. Use values that are less extreme.")
        raise Refused("out_of_range", text, field="tickets") from None
    return Matched(matches, [ticket.id for ticket in queue])
