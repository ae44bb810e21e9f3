"""Acts of staff on many players at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from league.models import (
    Arena,
    Letter,
    Notice,
    NoticeKind,
    Player,
    Roster,
    RosterMember,
    StaffAction,
)
from league.models.letter import LONGEST_LETTER
from league.models.own_words import own_words
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.dishonor.bans import ban
from league.services.jobs import jobs
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from league.models import Job, User

MOST = 5_000
"""The most players of one action."""
MOST_AT_ONCE = 25
"""Bans beyond this number are a job."""
MOST_IN_ROSTER = 100
MESSAGE = "league.add_letter"
ROSTER = "league.change_roster"
JOB = "ban_players"


@dataclass
class Results:
    """The outcome for each player."""

    done: int = 0
    problems: list[str] = field(default_factory=list)
    """For each player about whom nothing was done, why."""


def ban_all(
    players: Sequence[int],
    *,
    arena: Arena,
    by: User,
    reason: str,
    until: datetime | None,
    now: datetime,
    progress: Callable[[str, int, int], None] | None = None,
) -> Results:
    """Ban players one by one. Who cannot be banned is named in the results.

    Raises:
        Forbidden: ``by`` may not ban players.
        Refused: there is no reason, or the end makes no sense.
    """
    if not by.has_perm("league.ban_player"):
        raise Forbidden("not_staff", _("You need the permission to ban players."))
    results = Results()
    found = Player.objects.in_bulk(players)
    for number, player_id in enumerate(players):
        if progress:
            progress(_("Banning"), number, len(players))
        player = found.get(player_id)
        if player is None:
            results.problems.append(_("Player %(number)d is gone.") % {"number": player_id})
            continue
        try:
            with transaction.atomic():
                ban(player, arena=arena, by=by, reason=reason, until=until, now=now)
        except Refused as refusal:
            if refusal.field in {"reason", "until"}:
                raise
            text = _("%(player)s: %(problem)s")
            results.problems.append(text % {"player": player, "problem": refusal.message})
        else:
            results.done += 1
    return results


def ask_for_bans(
    players: Sequence[int],
    *,
    arena: Arena,
    by: User,
    reason: str,
    until: datetime | None,
    now: datetime,
) -> Job:
    """Store the bans of many players as a job."""
    title = _("Ban %(count)d players") % {"count": len(players)}
    return jobs.ask(
        JOB,
        title,
        by=by,
        now=now,
        arena=arena,
        players=list(players),
        reason=reason,
        until=until.isoformat() if until else None,
    )


def ban_in_job(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of such a job."""
    given = job.given
    assert job.arena is not None  # noqa: S101 - asked for with one
    results = ban_all(
        given["players"],
        arena=job.arena,
        by=job.by,
        reason=given["reason"],
        until=datetime.fromisoformat(given["until"]) if given["until"] else None,
        now=now,
        progress=progress,
    )
    return {"done": results.done, "problems": results.problems}


def write_to(
    players: Sequence[int], text: str, *, by: User, now: datetime, mail: bool
) -> tuple[Letter, int]:
    """Write to players, who get a notice; by mail as well if they want mails. Return how many.

    Raises:
        Forbidden: ``by`` may not.
        Refused: there is no text, it is too long, or none of them has an account.
    """
    if not by.has_perm(MESSAGE):
        raise Forbidden("not_staff", _("You need the permission to write to players."))
    text = text.strip()
    if not text or len(text) > LONGEST_LETTER:
        message = _("Write a text of up to %(count)d characters.") % {"count": LONGEST_LETTER}
        raise Refused("text", message, field="text")
    reached = list(
        Player.objects.filter(pk__in=players, user__isnull=False)
        .order_by("pk")
        .values_list("pk", "name")
    )
    if not reached:
        raise Refused("nobody", _("None of these players has an account to read it."))
    ids = [pk for pk, _name in reached]
    with transaction.atomic():
        letter = Letter.objects.create(by=by, at=now, text=text)
        notify(ids, NoticeKind.LETTER, now, letter=letter)
        if not mail:
            Notice.objects.filter(player__in=ids, letter=letter).update(mail_at=None)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.MESSAGED,
            reason=text,
            details={
                "letter": letter.pk,
                "players": [name for _pk, name in reached],
                "player_ids": ids,
                "mail": mail,
            },
            at=now,
        )
    return letter, len(ids)


def add_to_roster(players: Sequence[int], roster: Roster, *, by: User, now: datetime) -> int:
    """Add players to a roster, all of them or none. Return how many are new in it.

    Raises:
        Forbidden: ``by`` may not.
        Refused: they are too many for a roster, or one is gone.
    """
    if not by.has_perm(ROSTER):
        raise Forbidden("not_staff", _("You need the permission to change rosters."))
    with transaction.atomic():
        roster = Roster.objects.select_for_update(of=("self",)).get(pk=roster.pk)
        members = set(roster.memberships.values_list("player", flat=True))
        found = Player.objects.filter(pk__in=players).order_by("pk")
        if found.count() != len(set(players)):
            raise Refused("gone", _("One of these players is gone. Select them again."))
        new = [player for player in found if player.pk not in members]
        if len(members) + len(new) > MOST_IN_ROSTER:
            text = _("A roster can have %(count)d members at most.") % {"count": MOST_IN_ROSTER}
            raise Refused("too_many", text, field="roster")
        RosterMember.objects.bulk_create(
            RosterMember(roster=roster, player=player) for player in new
        )
        if new:
            why = own_words("added", roster=roster)
            StaffAction.objects.create(
                actor=by,
                kind=StaffAction.Kind.CHANGED,
                reason=why.text,
                details={
                    **why.details,
                    "roster": roster.pk,
                    **of_arena(roster.arena),
                    "players": [player.name for player in new],
                    "player_ids": [player.pk for player in new],
                },
                before={"Members": len(members)},
                after={"Members": len(members) + len(new)},
                at=now,
            )
    return len(new)
