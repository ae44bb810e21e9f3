"""The list of matches on a player's page, kept until anything on it changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.services.results.records.histories import KEPT
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from datetime import tzinfo

    from league.models import Player
    from league.services.results.records.lines import Lines
    from ratings.system import Shows


def game_list(lines: Lines, shows: Shows, me: Player | None) -> SafeString:
    """Return a player's matches in the reader's language and time zone, empty without one."""
    here = me if me and lines.names(me) else None
    return render_list(lines, shows, here, timezone.get_current_timezone(), get_language())


@lru_cache(maxsize=KEPT)
def render_list(
    lines: Lines, _shows: Shows, me: Player | None, _zone: tzinfo, _language: str | None
) -> SafeString:
    """Return the list. It depends on the language and time zone in which the caller reads."""
    if not lines.rows:
        return SafeString()
    listed = sheets(lines.matches(), lines.player, me=me)
    return render_to_string("results/_games.html", {"sheets": listed})
