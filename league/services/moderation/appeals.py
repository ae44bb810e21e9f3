"""Appeals: a player asks once for each penalty that staff look again, and staff answer."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import Appeal, DishonorAward, NoticeKind, Offence, Player, StaffAction
from league.models.moderation import LONGEST_TEXT
from league.models.moments import describe_moment
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.dishonor import discipline
from league.services.moderation import impartial
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

PERMISSION = "league.change_appeal"
FOR_DAYS = 30
"""The time in which a penalty can be appealed against. Bans can be as long as they last."""
State = Appeal.State


def can_appeal(award: DishonorAward, now: datetime) -> bool:
    """Return whether a penalty can be appealed against: it counts, and nobody has yet.

    The caller has loaded its action, appeal and amnesties.
    """
    if getattr(award, "appeal", None) is not None or award.amnesties.all():
        return False
    if award.action is not None and award.action.kind == StaffAction.Kind.APPEAL:
        return False  # it is the answer to an appeal
    if award.offence == Offence.BANNED and (award.ends_at is None or award.ends_at > now):
        return True
    return award.at > now - timedelta(days=FOR_DAYS)


def appeal(award_id: int, text: str, *, by: Player, now: datetime) -> Appeal:
    """Ask staff to look at a penalty again.

    Raises:
        Forbidden: it is somebody else's penalty.
        Refused: there is no text.
        Conflict: it cannot be appealed against, or not any more.
    """
    if not text.strip():
        raise Refused("no_text", _("Say why the penalty is wrong or too hard."), field="text")
    with transaction.atomic():
        awards = discipline.history_of(by).select_for_update(of=("self",))
        award = awards.filter(pk=award_id).first()
        if award is None:
            raise Forbidden("not_yours", _("This is not your penalty."))
        if not can_appeal(award, now):
            raise Conflict(
                "no_appeal",
                _(
                    "You can appeal once against each penalty that counts, within %(days)d days or "
                    "while the ban lasts."
                )
                % {"days": FOR_DAYS},
            )
        try:
            with transaction.atomic():
                return Appeal.objects.create(award=award, text=text.strip()[:LONGEST_TEXT], at=now)
        except IntegrityError as error:
            raise Conflict("no_appeal", _("You have appealed already.")) from error


def answer(
    appeal_id: int,
    state: str,
    *,
    by: User,
    reason: str,
    now: datetime,
    until: datetime | None = None,
) -> Appeal:
    """Answer an appeal: the penalty stands, is lifted, or the ban ends earlier (``until``).

    Raises:
        Forbidden: ``by`` may not answer, is the player, gave the penalty, or took part in its
            match, and somebody else can answer.
        Refused: there is no reason, or the new end is not earlier.
        Conflict: it is answered already.
    """
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_staff", _("You need the permission to answer appeals."))
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. The player will read it."), field="reason")
    if state not in {State.UPHELD, State.SHORTENED, State.LIFTED}:
        raise Refused("state", _("Choose an answer."), field="state")
    with transaction.atomic():
        one = Appeal.objects.select_for_update().get(pk=appeal_id)
        if one.state != State.OPEN:
            raise Conflict("answered", _("This appeal has been answered already."))
        award = DishonorAward.objects.select_related("player", "arena", "match", "action").get(
            pk=one.award_id
        )
        details = impartial.check_impartial(
            award.player,
            by,
            now,
            permission=PERMISSION,
            match=award.match,
            decided_by=award.action.actor_id if award.action else None,
        )
        if state == State.SHORTENED:
            check_shorter(award, until, now)
        one.action = record_answer(one, award, state, until, by, reason, now, details)
        one.state = state
        one.save(update_fields=["state", "action"])
        if state != State.UPHELD:
            discipline.make_void([award], one.action)
        if state == State.SHORTENED:
            replace(award, until, one.action, now)
        mark_answered(award.player, NoticeKind.BANNED, now, award=award)
        notify([award.player], NoticeKind.APPEAL, now, award=award)
    return one


def check_shorter(award: DishonorAward, until: datetime | None, now: datetime) -> None:
    """Refuse an end that does not shorten a ban."""
    if award.offence != Offence.BANNED:
        raise Refused("not_a_ban", _("Only a ban can be shortened."), field="state")
    if award.amnesties.exists():
        raise Refused("void", _("This ban was lifted already."), field="state")
    if until is None or until <= now or (award.ends_at is not None and until >= award.ends_at):
        text = _("Choose an end that is in the future, and earlier than that of the ban.")
        raise Refused("until", text, field="until")


def replace(
    award: DishonorAward, until: datetime | None, action: StaffAction, now: datetime
) -> None:
    """Give a shorter ban for one that has just been made void."""
    DishonorAward.objects.create(
        player=award.player,
        arena=award.arena,
        at=now,
        offence=Offence.BANNED,
        stacks=0,
        ends_at=until,
        action=action,
    )


def record_answer(
    one: Appeal,
    award: DishonorAward,
    state: str,
    until: datetime | None,
    by: User,
    reason: str,
    now: datetime,
    details: dict[str, bool],
) -> StaffAction:
    """Record the answer in the staff log."""
    shorter = state == State.SHORTENED
    return StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.APPEAL,
        reason=reason.strip(),
        details={
            "player": award.player_id,
            "name": award.player.name,
            "appeal": one.pk,
            "penalty": award.pk,
            "answer": state,
            **of_arena(award.arena),
            **details,
        },
        before={"Until": name_moment(award.ends_at)} if shorter else None,
        after={"Until": name_moment(until)} if shorter else None,
        at=now,
    )


def name_moment(moment: datetime | None) -> str:
    with override("en"):
        return describe_moment(moment) if moment else _("without end")
