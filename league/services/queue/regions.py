"""Regions: where players would play, how far away each region is, and where a match is played."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import timedelta
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import transaction

from league.models import RegionPreference
from league.models.lists import list_of, list_with_or
from league.services.core.durations import describe_duration
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from matchmaking.regions import RegionChoice, best
from matchmaking.shared import Shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Player
    from matchmaking.regions import RegionRules
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match
    from matchmaking.ticket import Queue

LONGEST_LATENCY = 10_000.0
"""Milliseconds. Longer ones are refused."""


@dataclass(frozen=True)
class Wishes:
    """Regions in which a player would play, and their latencies in milliseconds. Without regions,
    anywhere.
    """

    regions: frozenset[str] = frozenset()
    strict: bool = False
    latencies: Mapping[str, float] = field(default_factory=dict)
    measured_at: datetime | None = None

    def choice(self, arena: Arena, rules: RegionRules) -> RegionChoice:
        """Return the arena's regions that the player accepts now, and after a wait."""
        near = frozenset(
            region
            for region in arena.regions
            if not rules.most_latency or self.latencies.get(region, 0.0) <= rules.most_latency
        )
        chosen = self.regions & frozenset(arena.regions) or frozenset(arena.regions)
        widens = rules.widen_after and not self.strict
        return RegionChoice(chosen & near, near if widens else chosen & near)


def wishes_of(arena: Arena, players: Iterable[Any]) -> dict[Any, Wishes]:
    """Return the wishes of players who have any in an arena, by player id."""
    rows = RegionPreference.objects.filter(arena=arena, player__in=any_of(players))
    return {
        player: Wishes(frozenset(regions), *others)
        for player, regions, *others in rows.values_list(
            "player", "regions", "strict", "latencies", "measured_at"
        )
    }


def choice_of(
    arena: Arena, rules: RegionRules, players: Iterable[Any], wishes: Mapping[Any, Wishes]
) -> RegionChoice:
    """Return the regions that all players of a party accept."""
    choices = [wishes.get(player, Wishes()).choice(arena, rules) for player in players]
    return reduce(
        lambda one, other: RegionChoice(one.now & other.now, one.later & other.later), choices
    )


def check_party(arena: Arena, rules: RegionRules, party: Sequence[Player]) -> None:
    """Refuse a party whose players accept no region together, however long they wait."""
    wishes = wishes_of(arena, [player.pk for player in party])
    if choice_of(arena, rules, [player.pk for player in party], wishes).later:
        return
    raise Refused(
        "regions",
        _("All the regions you chose are too far away.")
        if len(party) == 1
        else _("No region suits all of you. Choose one in common, or turn off “Strict”."),
        field="regions",
    )


def set_regions(arena: Arena, player: Player, regions: Sequence[str], *, strict: bool) -> None:
    """Set where a player would play an arena's matches. It stays their choice.

    Raises:
        Refused: none is chosen, or one is not a region of this arena.
    """
    chosen = [region for region in arena.regions if region in regions]
    if not chosen or len(chosen) < len(set(regions)):
        raise unknown(arena)
    RegionPreference.objects.update_or_create(
        arena=arena, player=player, defaults={"regions": chosen, "strict": strict}
    )


@transaction.atomic
def set_latencies(
    arena: Arena, player: Player, latencies: Mapping[str, float], now: datetime
) -> None:
    """Keep a player's measured latencies, in milliseconds by region. Others stay as they are.

    Raises:
        Refused: a region is not one of this arena, or a latency is out of range.
    """
    for region, latency in latencies.items():
        if region not in arena.regions:
            raise unknown(arena, f"latencies.{region[:40]}")
        if not (math.isfinite(latency) and 0 <= latency <= LONGEST_LATENCY):
            raise Refused(
                "latency",
                _("A latency must be from 0 to 10,000 milliseconds."),
                field=f"latencies.{region}",
            )
    # Several programs may send latencies of different regions at once, and none must be lost.
    row, _new = RegionPreference.objects.select_for_update().get_or_create(
        arena=arena, player=player
    )
    known = {region: value for region, value in row.latencies.items() if region in arena.regions}
    row.latencies, row.measured_at = {**known, **latencies}, now
    row.save(update_fields=["latencies", "measured_at"])


def unknown(arena: Arena, where: str = "regions") -> Refused:
    if not arena.regions:
        return Refused("regions", _("%(arena)s has no regions.") % {"arena": arena}, field=where)
    message = _("Choose one or more regions: %(regions)s.")
    return Refused("regions", message % {"regions": list_of(arena.regions)}, field=where)


def regions_of_matches(
    waiting: Queue,
    matches: Sequence[Match],
    wishes: Mapping[Any, Wishes],
    rules: Rules,
    *,
    now: datetime,
    seed: int,
) -> list[str]:
    """Return the region of each match that a tick has found, empty in an arena without any."""
    accepted = Shared.regions(waiting, now.timestamp(), rules.region)
    if accepted is None:
        return [""] * len(matches)
    players = [
        [waiting.player_ids[row] for ticket in match.tickets for row in rows_of(waiting, ticket)]
        for match in matches
    ]
    generator = np.random.default_rng([seed, 1])
    found = []
    for match, playing in zip(matches, players, strict=True):
        known = [wishes[player] for player in playing if player in wishes]
        found.append(
            best(
                accepted.by_all(match.tickets),
                [one.regions for one in known],
                [one.latencies for one in known],
                generator,
            )
        )
    return found


def rows_of(waiting: Queue, ticket: int) -> range:
    members = waiting.members(ticket)
    return range(members.start, members.stop)


def search_in_words(arena: Arena, rules: RegionRules, choice: RegionChoice, waited: float) -> str:
    """Return where a party can be matched: ``Europe now, anywhere in 2 minutes``."""
    left = math.ceil(rules.widen_after - waited)
    if choice.now == choice.later or (rules.widen_after and left <= 0):
        return places_in_words(arena, choice.later)
    return _("%(places)s now, %(others)s in %(time)s") % {
        "places": places_in_words(arena, choice.now),
        "others": places_in_words(arena, choice.later, inside=True),
        "time": describe_duration(timedelta(seconds=left)),
    }


def places_in_words(arena: Arena, regions: frozenset[str], *, inside: bool = False) -> str:
    """Return regions as part of a sentence, ``inside`` it or at its beginning."""
    if not regions:
        return _("nowhere") if inside else _("Nowhere")
    if regions == frozenset(arena.regions):
        return _("anywhere") if inside else _("Anywhere")
    return list_with_or(region for region in arena.regions if region in regions)
