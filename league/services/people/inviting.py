"""Invite people to make accounts for players who have none, by mail or by a printed link."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from league.models import Entrant, Player, PlayerInvitation
from league.models.names import fold
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.isolation import gettext as _
from league.services.people import naming
from league.services.people.entry_lists import EntryList
from league.services.people.invitation_checks import INVITES, PAUSE, Wanted, find_problems
from league.services.people.invitation_mails import mail_invitations

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Competition, User
    from league.services.people.entry_lists import Entry

VALID_FOR = timedelta(days=30)
"""The time in which an invitation can be followed."""
MOST_A_DAY = 1_000
"""The most mails that one account sends on a day: more than a competition has places."""
KEPT = timedelta(days=30)
"""The time for which addresses stay after the end of an invitation's time."""

State = PlayerInvitation.State


@dataclass(frozen=True)
class PlannedInvitation:
    """A line of a list, and the player whom it means."""

    person: Entry
    player: int
    name: str
    """The name of the player, who may be new."""
    is_new: bool = False
    choices: tuple[tuple[int, str], ...] = ()
    """Players whose name is like that of a new one."""
    problem: str = ""


@dataclass(frozen=True)
class InvitationPlan:
    """The invitations that a list would send."""

    lines: list[PlannedInvitation] = field(default_factory=list)
    names: naming.Names = field(default_factory=naming.Names)

    @property
    def possible(self) -> list[PlannedInvitation]:
        return [line for line in self.lines if not line.problem]


def check_may_invite(by: User, competition: Competition | None) -> None:
    """Raise ``Forbidden`` for accounts that may not invite people here."""
    if not by.has_perm(INVITES, competition):
        raise Forbidden("not_staff", _("Only organisers can invite people."))


def with_addresses(found: EntryList) -> EntryList:
    """Return the entries with an e-mail address. Others are left out if they are names alone.

    Anything beside a name may be an address with a slip, so those lines are problems.
    """
    problems = list(found.problems)
    for entry in found.entries:
        if not entry.email and (entry.club or entry.rating is not None or entry.members):
            text = _("“%(name)s” has no e-mail address.") % {"name": entry.name}
            problems.append((entry.line, text))
    return EntryList([entry for entry in found.entries if entry.email], sorted(problems))


def plan_invitations(
    people: Sequence[Entry],
    chosen: Mapping[str, int],
    *,
    competition: Competition | None,
    by: User,
    now: datetime,
) -> InvitationPlan:
    """Return the invitations that a list would send. Nothing is written.

    Args:
        chosen: players, by the folded name that is written, whom staff say that it means.
        competition: invites its entrants only. Otherwise unknown names become new players.
    """
    there = set(Player.objects.filter(pk__in=chosen.values()).values_list("pk", flat=True))
    names = naming.find(
        [person.name for person in people],
        {name: pk for name, pk in chosen.items() if pk in there},
    )
    ids = {person.line: names.ids.get(fold(person.name), 0) for person in people}
    wanted = [Wanted(one.line, ids[one.line], one.email) for one in people]
    problems = find_problems(wanted, by=by, now=now)
    shown = dict(Player.objects.filter(pk__in=ids.values()).values_list("pk", "name"))
    entered = entered_players(competition)
    lines = []
    for person in people:
        folded, player = fold(person.name), ids[person.line]
        is_new = folded in names.new
        problem = names.problems.get(folded) or problems.get(person.line, "")
        if entered is not None and player not in entered and not problem:
            text = _("“%(name)s” is not entered. Enter them first, with the address if you like.")
            problem = text % {"name": person.name}
        lines.append(
            PlannedInvitation(
                person,
                player,
                names.new.get(folded) or shown.get(player, person.name),
                is_new=is_new,
                choices=tuple(names.proposals.get(folded, ())) if is_new else (),
                problem=problem,
            )
        )
    return InvitationPlan(lines, names)


def entered_players(competition: Competition | None) -> set[int] | None:
    """Return the ids of the players who lead an entry, ``None`` without a competition."""
    if competition is None:
        return None
    return set(entrants_of(competition).values_list("player", flat=True))


def entrants_of(competition: Competition) -> QuerySet[Entrant]:
    return competition.entrants.exclude(state=Entrant.State.WITHDRAWN)


def invite_from_plan(
    people: Sequence[Entry],
    chosen: Mapping[str, int],
    *,
    competition: Competition | None,
    by: User,
    now: datetime,
) -> list[PlayerInvitation]:
    """Create the players that a list names anew, and invite everybody on it, or nobody.

    Raises: as :func:`invite` does.
    """
    check_may_invite(by, competition)
    with transaction.atomic():
        plan = plan_invitations(people, chosen, competition=competition, by=by, now=now)
        for line in plan.lines:
            refuse_line(line.person.line, line.problem)
        made = naming.make(plan.names)
        wanted = [
            Wanted(line.person.line, made.get(line.player, line.player), line.person.email)
            for line in plan.lines
        ]
        return invite(wanted, competition=competition, by=by, now=now)


def refuse_line(line: int, problem: str) -> None:
    if problem:
        text = _("Line %(line)d: %(problem)s") % {"line": line, "problem": problem}
        raise Refused("line", text, field="names")


def invite(
    wanted: Sequence[Wanted], *, competition: Competition | None, by: User, now: datetime
) -> list[PlayerInvitation]:
    """Invite everybody, or nobody. The mails are sent after the transaction.

    Raises:
        Forbidden: ``by`` may not invite people here.
        Refused: a player or an address cannot be invited.
        Conflict: somebody has just invited one of them.
        LimitReached: these are too many mails on a day.
    """
    check_may_invite(by, competition)
    with transaction.atomic():
        problems = find_problems(wanted, by=by, now=now)
        for one in wanted:
            refuse_line(one.line, problems.get(one.line, ""))
        check_limit(by, sum(bool(one.address) for one in wanted), now)
        expired = PlayerInvitation.objects.filter(state=State.OPEN, expires_at__lte=now)
        expired.filter(player__in=[one.player for one in wanted]).update(
            state=State.WITHDRAWN, closed_at=now
        )
        rows = [
            PlayerInvitation(
                player_id=one.player,
                competition=competition,
                address=one.address,
                by=by,
                sent_at=now,
                expires_at=now + VALID_FOR,
            )
            for one in wanted
        ]
        try:
            with transaction.atomic():
                made = PlayerInvitation.objects.bulk_create(rows)
        except IntegrityError as error:
            text = _("Somebody has just invited one of these players. Check the list again.")
            raise Conflict("invited", text) from error
        mail_invitations(made)
    return made


def check_limit(by: User, count: int, now: datetime) -> None:
    sent = PlayerInvitation.objects.filter(by=by, sent_at__gt=now - PAUSE).exclude(address="")
    if count and sent.count() + count > MOST_A_DAY:
        text = _("You can send %(most)d invitations a day. Try again tomorrow.")
        raise LimitReached("invitations_today", text % {"most": MOST_A_DAY})


def names_to_invite(competition: Competition, now: datetime) -> list[str]:
    """Return the names of the entrants who have neither an account nor an open invitation."""
    without = entrants_of(competition).filter(player__user=None)
    invited = PlayerInvitation.objects.open(now).values("player")
    names = without.exclude(player__in=invited).order_by("player__sort_name")
    return list(names.values_list("player__name", flat=True))


def print_links(competition: Competition, *, by: User, now: datetime) -> int:
    """Make a link to print for each entrant who has no account and no invitation.

    Return how many were made.
    """
    without = entrants_of(competition).filter(player__user=None)
    ids = without.order_by("pk").values_list("player", flat=True)
    wanted = [Wanted(number, player, "") for number, player in enumerate(ids, start=1)]
    problems = find_problems(wanted, by=by, now=now)
    possible = [one for one in wanted if one.line not in problems]
    return len(invite(possible, competition=competition, by=by, now=now))


def send_again(invitation_id: int, *, by: User, now: datetime) -> PlayerInvitation:
    """Mail an invitation once more, and let it be valid as long as a new one.

    Raises:
        Forbidden: ``by`` may not invite people there.
        Conflict: it is closed, or the player has an account.
        LimitReached: it was sent within a day, or these are too many mails.
    """
    with transaction.atomic():
        row = lock(invitation_id, by)
        if row.player.user_id is not None:
            text = _("%(player)s has an account.") % {"player": row.player}
            raise Conflict("has_account", text)
        if not row.address:
            raise Refused("printed", _("This link was printed. Print it again."))
        if row.sent_at > now - PAUSE:
            text = _("This was sent within the last day. Send it again tomorrow.")
            wait = int((row.sent_at + PAUSE - now).total_seconds())
            raise LimitReached("sent_lately", text, wait=wait)
        check_limit(by, 1, now)
        row.by, row.sent_at, row.expires_at = by, now, now + VALID_FOR
        row.save(update_fields=["by", "sent_at", "expires_at"])
        mail_invitations([row])
    return row


def withdraw(invitation_id: int, *, by: User, now: datetime) -> PlayerInvitation:
    """Withdraw an invitation. Its link no longer works.

    Raises:
        Forbidden: ``by`` may not invite people there.
        Conflict: it is closed.
    """
    with transaction.atomic():
        row = lock(invitation_id, by)
        row.state, row.closed_at = State.WITHDRAWN, now
        row.save(update_fields=["state", "closed_at"])
    return row


def lock(invitation_id: int, by: User) -> PlayerInvitation:
    """Lock an open invitation, valid or expired, that an account may change."""
    rows = PlayerInvitation.objects.select_for_update(of=("self",))
    with_names = rows.select_related("player", "competition__season__arena")
    row = with_names.filter(pk=invitation_id).first()
    if row is None:
        raise Refused("no_invitation", _("There is no such invitation."))
    check_may_invite(by, row.competition)
    if row.state != State.OPEN:
        raise Conflict("closed", _("This invitation is closed already."))
    return row


def forget_addresses(now: datetime) -> int:
    """Delete the addresses of invitations that ended long ago. Return how many.

    Those of people who want no invitations stay, so that they get none.
    """
    ended = PlayerInvitation.objects.filter(expires_at__lt=now - KEPT).exclude(address="")
    return ended.exclude(state=State.DECLINED).update(address="")
