"""Rank filters: how close in percentile a player's opponents and partners must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import RankPreference
from league.models.preference import EVERYBODY
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from matchmaking.rank_filter import RankFilter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Arena, Player


def filters_of(arena: Arena, players: Iterable[int]) -> dict[int, RankFilter]:
    """Return the filters that players have set in an arena, by player id."""
    chosen = RankPreference.objects.filter(arena=arena, player__in=any_of(players))
    return {
        player: RankFilter(percentiles, strict)
        for player, percentiles, strict in chosen.values_list("player", "percentiles", "strict")
    }


def set_filter(arena: Arena, player: Player, percentiles: float | None, *, strict: bool) -> None:
    """Set a player's rank filter in an arena; ``None`` removes it.

    Raises:
        Refused: ``percentiles`` is out of range.
    """
    mine = RankPreference.objects.filter(arena=arena, player=player)
    if percentiles is None or percentiles == EVERYBODY:
        mine.delete()
        return
    if not 0 < percentiles < EVERYBODY:
        raise Refused(
            "percentiles",
            _("Choose from 1 to %(most)d percentiles. With %(most)d you can meet anyone.")
            % {"most": EVERYBODY},
            field="percentiles",
        )
    RankPreference.objects.update_or_create(
        arena=arena, player=player, defaults={"percentiles": percentiles, "strict": strict}
    )
