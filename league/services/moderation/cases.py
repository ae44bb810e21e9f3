"""Cases: what moderators look into, with notes that only grow. Players never see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from league.models import Case, CaseNote, CasePlayer, PlayerReport, StaffAction
from league.models.moderation import LONGEST_TEXT
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.integrity import flags as flag_service
from league.services.moderation import reports as report_service

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Flag, Match, Player, User

READ, ADD, CHANGE = "league.view_case", "league.add_case", "league.change_case"
MOST_PLAYERS = 100


def open_case(
    title: str,
    players: Iterable[Player],
    *,
    by: User,
    now: datetime,
    note: str = "",
    matches: Iterable[Match] = (),
    flags: Iterable[Flag] = (),
    reports: Iterable[PlayerReport] = (),
    assignee: User | None = None,
) -> Case:
    """Open a case about players, with what else it is about and perhaps a first note.

    Raises:
        Forbidden: ``by`` may not open cases, or it is about them.
        Refused: it has no title or no player, or the assignee cannot work on it.
    """
    if not by.has_perm(ADD):
        raise Forbidden("not_staff", _("You need the permission to open cases."))
    if not title.strip():
        raise Refused("no_title", _("Give the case a title."), field="title")
    about = list(dict.fromkeys(players))
    if not about:
        raise Refused("no_player", _("Choose the players that it is about."), field="players")
    with transaction.atomic():
        case = Case.objects.create(title=title.strip(), opened_at=now, opened_by=by)
        link_to(case, about, matches, flags, reports)
        check_not_about(case, by)
        if assignee is not None:
            check_assignee(case, assignee)
            case.assignee = assignee
            case.save(update_fields=["assignee"])
        if note.strip():
            CaseNote.objects.create(case=case, author=by, at=now, text=note.strip()[:LONGEST_TEXT])
        log(case, by, now, step="opened", reason=note.strip() or title.strip())
    return case


def add_note(case_id: int, text: str, *, by: User, now: datetime) -> CaseNote:
    """Add a note to a case, open or closed. Raises ``Forbidden`` or ``Refused``."""
    if not text.strip():
        raise Refused("no_text", _("Write the note."), field="text")
    with transaction.atomic():
        case = lock(case_id, by)
        return CaseNote.objects.create(
            case=case, author=by, at=now, text=text.strip()[:LONGEST_TEXT]
        )


def link(
    case_id: int,
    *,
    by: User,
    players: Iterable[Player] = (),
    matches: Iterable[Match] = (),
    flags: Iterable[Flag] = (),
    reports: Iterable[PlayerReport] = (),
) -> Case:
    """Add what a case is about. Raises ``Forbidden`` or ``Refused``."""
    with transaction.atomic():
        case = lock(case_id, by)
        link_to(case, list(players), matches, flags, reports)
        check_not_about(case, by)
    return case


def assign(case_id: int, assignee: User | None, *, by: User, now: datetime) -> Case:
    """Assign a case to a moderator, or to nobody. Raises ``Forbidden`` or ``Refused``."""
    with transaction.atomic():
        case = lock(case_id, by)
        if assignee is not None:
            check_assignee(case, assignee)
        if case.assignee == assignee:
            return case
        before, case.assignee = case.assignee, assignee
        case.save(update_fields=["assignee"])
        log(
            case, by, now, step="assigned",
            before={"assignee": str(before or "")}, after={"assignee": str(assignee or "")},
        )  # fmt: skip
    return case


def close(case_id: int, outcome: str, *, by: User, now: datetime) -> Case:
    """Close a case with its outcome, which resolves its reports and flags.

    Raises:
        Forbidden: ``by`` may not work on it.
        Refused: there is no outcome.
        Conflict: it is closed.
    """
    if not outcome.strip():
        raise Refused("no_outcome", _("Write what came of it."), field="outcome")
    with transaction.atomic():
        case = lock(case_id, by)
        if case.state == Case.State.CLOSED:
            raise Conflict("closed", _("This case is already closed."))
        case.state, case.closed_at, case.outcome = Case.State.CLOSED, now, outcome.strip()
        case.save(update_fields=["state", "closed_at", "outcome"])
        waiting = case.reports.filter(resolved_at=None).select_for_update()
        report_service.close(waiting, by=by, note=case.outcome, now=now)
        if by.has_perm("league.change_flag"):
            for flag in case.flags.filter(resolved_at=None).order_by("pk"):
                flag_service.resolve(flag.pk, by=by, note=case.outcome, now=now)
        log(case, by, now, step="closed", reason=case.outcome)
    return case


def reopen(case_id: int, reason: str, *, by: User, now: datetime) -> Case:
    """Open a closed case again. Its outcome until now becomes a note.

    Raises:
        Forbidden: ``by`` may not work on it.
        Refused: there is no reason.
        Conflict: it is open.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason for the record."), field="reason")
    with transaction.atomic():
        case = lock(case_id, by)
        if case.state == Case.State.OPEN:
            raise Conflict("open", _("This case is open."))
        was = _("Outcome until now: %(outcome)s") % {"outcome": case.outcome}
        CaseNote.objects.create(case=case, author=by, at=now, text=was)
        case.state, case.closed_at, case.outcome = Case.State.OPEN, None, ""
        case.save(update_fields=["state", "closed_at", "outcome"])
        log(case, by, now, step="opened again", reason=reason.strip())
    return case


def lock(case_id: int, by: User) -> Case:
    """Lock a case for a moderator who works on it."""
    if not by.has_perm(CHANGE):
        raise Forbidden("not_staff", _("You need the permission to work on cases."))
    case = Case.objects.select_for_update(of=("self",)).select_related("assignee").get(pk=case_id)
    check_not_about(case, by)
    return case


def check_not_about(case: Case, by: User) -> None:
    if case.players.filter(user=by).exists():
        raise Forbidden("own_case", _("This case is about you. Another moderator works on it."))


def check_assignee(case: Case, assignee: User) -> None:
    if not assignee.has_perm(CHANGE):
        text = _("%(account)s may not work on cases.") % {"account": assignee}
        raise Refused("assignee", text, field="assignee")
    if case.players.filter(user=assignee).exists():
        text = _("This case is about %(account)s.") % {"account": assignee}
        raise Refused("assignee", text, field="assignee")


def link_to(
    case: Case,
    players: Iterable[Player],
    matches: Iterable[Match],
    flags: Iterable[Flag],
    reports: Iterable[PlayerReport],
) -> None:
    """Link rows to a case, with the players whom flags and reports are about."""
    flags, reports = list(flags), list(reports)
    about = {player.pk for player in players}
    about |= {flag.player_id for flag in flags} | {report.reported_id for report in reports}
    CasePlayer.objects.bulk_create(
        (CasePlayer(case=case, player_id=player) for player in sorted(about)),
        ignore_conflicts=True,
    )
    if case.players.count() > MOST_PLAYERS:
        text = _("A case can be about %(count)d players at most.") % {"count": MOST_PLAYERS}
        raise Refused("too_many", text, field="players")
    case.matches.add(*matches)
    case.flags.add(*flags)
    PlayerReport.objects.filter(pk__in=[report.pk for report in reports]).update(case=case)


def log(
    case: Case,
    by: User,
    now: datetime,
    *,
    step: str,
    reason: str = "",
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record a step of a case in the staff log."""
    players = list(case.players.order_by("pk").values_list("pk", "name"))
    StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.CASE,
        reason=reason,
        details={
            "case": case.pk,
            "title": case.title,
            "step": step,
            "players": [name for _pk, name in players],
            "player_ids": [pk for pk, _name in players],
        },
        before=before,
        after=after,
        at=now,
    )
