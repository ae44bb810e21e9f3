"""Dates of fixtures: set by a competition, moved by its captains or staff, and cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Arrangement, ArrangementStep, NoticeKind
from league.services.core.errors import Conflict
from league.services.dates.people import everybody
from league.services.dates.steps import end_request, lock, note
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player, Roster

    Captain = tuple[Player, Roster | None]

Kind = ArrangementStep.Kind


def schedule(
    arena: Arena,
    home: Captain,
    away: Captain,
    *,
    play_at: datetime,
    play_until: datetime,
    moves: int,
    now: datetime,
) -> Arrangement:
    """Set a date for two captains who agreed to play by entering a competition.

    Both can ask to move it up to ``play_until`` and as often as ``moves``.
    """
    one = Arrangement.objects.create(
        arena=arena,
        proposer=home[0],
        proposer_roster=home[1],
        opponent=away[0],
        opponent_roster=away[1],
        asked=away[0],
        play_at=play_at,
        play_until=play_until,
        moves_left=moves,
        state=Arrangement.State.ACCEPTED,
        created_at=now,
        answered_at=now,
        accepted_at=now,
    )
    note(one, Kind.SCHEDULED, now, play_at=play_at)
    notify(everybody(one), NoticeKind.FIXTURE, now, arena=arena, arrangement=one)
    return one


def set_date(arrangement_id: int, play_at: datetime, *, reason: str, now: datetime) -> Arrangement:
    """Move the date of a fixture as staff, within its window or beyond.

    Raises:
        Conflict: it was played or cancelled.
    """
    one = lock(arrangement_id)
    if one.state != Arrangement.State.ACCEPTED:
        raise Conflict(str(one.state), _("Only a fixture that is still to be played can be moved."))
    end_request(one)
    one.play_at, one.changed_at = play_at, now
    one.play_until = max(play_at, one.play_until or play_at)
    one.claimed_by, one.claimed_at = None, None
    one.revision += 1
    one.save(
        update_fields=[
            "play_at",
            "play_until",
            "changed_at",
            "claimed_by",
            "claimed_at",
            "revision",
        ]
    )
    one.no_show_players.all().delete()
    note(one, Kind.SCHEDULED, now, play_at=play_at, reason=reason)
    notify(everybody(one), NoticeKind.FIXTURE, now, arena=one.arena, arrangement=one)
    return one


def cancel(arrangement_id: int, now: datetime) -> bool:
    """End the date of a fixture that is decided without it. Return whether there was one to end."""
    one = lock(arrangement_id)
    if one.state != Arrangement.State.ACCEPTED:
        return False
    end_request(one)
    one.state, one.changed_at = Arrangement.State.CALLED_OFF, now
    one.claimed_by, one.claimed_at = None, None
    one.revision += 1
    one.save(update_fields=["state", "changed_at", "claimed_by", "claimed_at", "revision"])
    note(one, Kind.CANCELLED, now)
    notify(everybody(one), NoticeKind.FIXTURE, now, arena=one.arena, arrangement=one)
    return True
