"""A sentence that shows some ratings of an arena as people see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from league.admin.arenas.running import running_season
from ratings.display import ELO_POINTS

if TYPE_CHECKING:
    from league.models import Arena


def of(arena: Arena) -> str:
    """Return what people see for a newcomer and for leads of 73% on both sides of them."""
    if arena.pk is None:
        return _("Save the arena to see an example.")
    season = running_season(arena)
    system = season.system() if season else arena.system()
    if system.shows.lowest_first:
        return _("The ranks of a ladder are always shown as they are.")
    shows = season.shows if season else system.shows
    newcomer = float(system.newcomers(1).rating[0])
    lead = system.scale * ELO_POINTS
    decimals = system.shows.decimals
    values = {
        name: text
        for name, rating in (
            ("low", newcomer - lead),
            ("fresh", newcomer),
            ("high", newcomer + lead),
        )
        for name, text in (
            (name, number_format(rating, decimals)),
            (f"{name}_shown", number_format(shows.show(rating), shows.decimals)),
        )
    }
    return (
        _(
            "A newcomer’s rating of %(fresh)s is shown as %(fresh_shown)s, a rating of %(low)s as "
            "%(low_shown)s and one of %(high)s as %(high_shown)s."
        )
        % values
    )
