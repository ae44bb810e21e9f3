"""Announcements: shown on pages for a time, and sent as notices to the players of an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import override

from league.models import (
    Announcement,
    Letter,
    NoticeKind,
    Player,
    Rating,
    RosterMember,
    StaffAction,
)
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.jobs import jobs
from league.services.notices.writing import notify
from league.services.site import frame

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Job, User

JOB = "tell_announcement"
AT_ONCE = 5_000


def announce(one: Announcement, *, by: User, now: datetime) -> Announcement:
    """Save a new or changed announcement, whose fields have been checked.

    Raises:
        Forbidden: ``by`` may not.
        Refused: it has no text, or ends before it starts or in the past.
    """
    wanted = "league.change_announcement" if one.pk else "league.add_announcement"
    if not by.has_perm(wanted):
        raise Forbidden("not_staff", _("You need the permission to announce something."))
    one.text = one.text.strip()
    if not one.text:
        raise Refused("text", _("Write what you announce."), field="text")
    if one.ends_at is not None and one.ends_at <= one.starts_at:
        raise Refused("ends_at", _("It has to end after it starts."), field="ends_at")
    with transaction.atomic():
        before = Announcement.objects.filter(pk=one.pk).select_related("arena").first()
        if before is None:
            one.by = by
        one.save()
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.ANNOUNCED,
            reason=one.text,
            details={"announcement": one.pk, **of_arena(one.arena)},
            before=describe_announcement(before) if before else None,
            after=describe_announcement(one),
            at=now,
        )
        frame.forget()
        transaction.on_commit(frame.forget)
    return one


def describe_announcement(one: Announcement) -> dict[str, str]:
    """Return an announcement as the staff log has it."""
    with override("en"):
        return {
            _("Text"): one.text,
            _("Arena"): str(one.arena or ""),
            _("From"): one.starts_at.isoformat(),
            _("Until"): one.ends_at.isoformat() if one.ends_at else "",
        }


def ask_to_tell(one: Announcement, *, by: User, now: datetime) -> Job:
    """Store a job that sends an announcement to the players of its arena as a notice."""
    if one.arena is None:
        raise Refused("arena", _("Choose an arena to tell its players."), field="arena")
    title = _("Tell the players of %(arena)s") % {"arena": one.arena}
    return jobs.ask(JOB, title, by=by, now=now, arena=one.arena, announcement=one.pk)


def tell_in_job(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of such a job."""
    one = Announcement.objects.get(pk=job.given["announcement"])
    assert job.arena is not None  # noqa: S101 - asked for with one
    players = players_of(job.arena)
    letter = Letter.objects.create(by=job.by, at=now, text=one.text)
    for first in range(0, len(players), AT_ONCE):
        progress(_("Telling players"), first, len(players))
        notify(players[first : first + AT_ONCE], NoticeKind.LETTER, now, letter=letter)
    return {"told": len(players)}


def players_of(arena: Arena) -> list[int]:
    """Return the ids of players with an account who play in an arena: with a rating in a season
    that is not archived, or in a roster."""
    rated = Rating.objects.filter(season__arena=arena, season__archived_at=None)
    in_rosters = RosterMember.objects.filter(roster__arena=arena)
    found = rated.values_list("player", flat=True).union(
        in_rosters.values_list("player", flat=True)
    )
    with_account = Player.objects.filter(pk__in=found, user__isnull=False)
    return list(with_account.order_by("pk").values_list("pk", flat=True))
