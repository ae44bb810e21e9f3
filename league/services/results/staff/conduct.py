"""Penalties for the further reasons that an arena declares: imposed by staff or by the game server
of a live match. A captain only reports a player to staff, which penalises nobody.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import Q

from league.models import DishonorAward, Flag, Match, PenaltyReason, Player, StaffAction, Status
from league.models.lists import list_of
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.dishonor import discipline
from league.services.eligibility.reasons import refuse_banned
from league.services.results.playing import servers
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, User

PERMISSION = "league.penalise_player"
MOST_REPORTS = 5
"""The most reports of conduct that a captain can send in 24 hours."""
TWICE = timedelta(minutes=1)
"""Two equal penalties without a match in this time are one that was sent twice."""
MET = timedelta(days=7)
"""The time for which organisers who met a player in a match have to name a penalty's match."""
REPORTABLE = {Status.REPORTED, Status.DISPUTED, Status.RATED}


def reason_of(arena: Arena, name: str) -> PenaltyReason:
    """Return a reason of the arena. Raises ``Refused`` for one that it does not declare."""
    declared = list(arena.penalty_reasons.all())
    for reason in declared:
        if reason.name == name:
            reason.arena = arena
            return reason
    if not declared:
        text = _("%(arena)s declares no reasons for penalties.") % {"arena": arena}
        raise Refused("no_reasons", text, field="reason")
    names = list_of(f"“{reason.name}”" for reason in declared)
    text = _("%(arena)s has no such reason. Its reasons are %(names)s.")
    raise Refused("unknown_reason", text % {"arena": arena, "names": names}, field="reason")


def impose_as_staff(
    player: Player,
    reason: PenaltyReason,
    *,
    by: User,
    note: str,
    now: datetime,
    match_id: int | None = None,
) -> DishonorAward:
    """Penalise a player as staff, perhaps for their conduct in a match of the reason's arena.

    Raises:
        Forbidden: ``by`` may not penalise players, is the player, or played in the match, which
            somebody else can decide. Without a match, those of the last days count in which both
            took part.
        Refused: there is no note, or no such match of the arena with the player.
        Conflict: the player was penalised for this already.
    """
    if not by.has_perm(PERMISSION, reason.arena):
        raise Forbidden("not_staff", _("You need the permission to penalise players."))
    if player.user_id == by.pk:
        raise Forbidden("own_player", _("Nobody can penalise themselves. Ask another organiser."))
    note = without_controls(note).strip()
    if not note:
        raise Refused("no_note", _("Say what happened. The player will read it."), field="note")
    with transaction.atomic():
        # One penalty after the other: two organisers may punish the same thing at once.
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        match = None if match_id is None else played_match(match_id, player, reason.arena)
        details = own_matches.check_own_match(match, by) if match else check_met(player, by, now)
        if match is None:
            same = DishonorAward.objects.standing().filter(player=player, offence=reason.name)
            if same.filter(arena=reason.arena, match=None, at__gt=now - TWICE).exists():
                raise already(player, reason)
        return record_penalty(player, reason, by, note, match, now, details)


def check_met(player: Player, by: User, now: datetime) -> dict[str, bool]:
    """Refuse a penalty without a match for somebody whom an organiser has just met in one.

    Or they could leave the match out, and penalise those who beat them. Return details for the
    staff log, which say so if nobody else can decide one of these matches.
    """
    took_part = Q(participants__player__user=by) | Q(sides__captain__user=by)
    recent = Match.objects.filter(kind=Match.Kind.GAME, played_at__gt=now - MET)
    details: dict[str, bool] = {}
    for match in recent.filter(participants__player=player).filter(took_part).distinct():
        try:
            details |= own_matches.check_own_match(match, by)
        except Forbidden as refusal:
            text = _(
                "You played in a match with %(player)s in the last %(days)d days. Name the match, "
                "or ask another organiser."
            )
            raise Forbidden(
                refusal.code, text % {"player": player, "days": MET.days}, field="match"
            ) from refusal
    return details


def impose_as_server(
    match_id: int, player_id: int, reason: str, *, by: User, note: str, now: datetime
) -> tuple[DishonorAward, bool]:
    """Penalise a player as the game server of a live match. Return the penalty, and whether it is
    new: a match gives one for each reason.

    Raises:
        Forbidden: ``by`` did not start the match, or may no longer start matches.
        Conflict: the match is over.
        Refused: the player does not play in it, or the arena does not declare the reason.
    """
    if not by.has_perm(servers.PERMISSION):
        raise Forbidden("not_a_game_server", _("You need the permission to add matches."))
    with transaction.atomic():
        # The result may come at the same moment, and after it only staff can penalise.
        rows = Match.objects.select_for_update(of=("self",), no_key=True)
        match = rows.select_related("arena").get(pk=match_id)
        if match.started_by_id != by.pk:
            raise Forbidden(
                "not_its_server",
                _("You are not the game server of this match. If a queue made it, claim it first."),
            )
        declared = reason_of(match.arena, reason)
        player = playing(match, player_id)
        earlier = match.dishonor.filter(player=player, offence=declared.name).first()
        if earlier:
            return earlier, False
        if match.status != Status.LIVE:
            text = _("This match is over. Staff can still penalise its players.")
            raise Conflict(str(match.status), text)
        return record_penalty(player, declared, by, note, match, now, {}), True


def record_penalty(
    player: Player,
    reason: PenaltyReason,
    by: User,
    note: str,
    match: Match | None,
    now: datetime,
    details: dict[str, bool],
) -> DishonorAward:
    """Write a penalty, and who imposed it. The staff log names the match, which does not show it:
    only the player and staff read penalties."""
    action = StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.PENALISED,
        reason=note.strip(),
        details={
            "player": player.pk,
            "name": player.name,
            **of_arena(reason.arena),
            "penalty": reason.name,
            **({"match": match.pk} if match else {}),
            **details,
        },
        before={},
        after={"Penalty": reason.name, "Stacks": reason.stacks, "Arena": reason.arena.name},
        at=now,
    )
    try:
        with transaction.atomic():
            return discipline.impose(player, reason, action, now=now, match=match)
    except IntegrityError as error:
        raise already(player, reason) from error


def already(player: Player, reason: PenaltyReason) -> Conflict:
    text = _("%(player)s has already been penalised for this: %(reason)s.")
    return Conflict("penalised", text % {"player": player, "reason": reason})


def played_match(match_id: int, player: Player, arena: Arena) -> Match:
    """Return a match of the arena in which the player played. Raises ``Refused``."""
    match = Match.objects.select_related("arena").filter(pk=match_id, arena=arena).first()
    if match is None or not match.is_game:
        text = _("There is no match %(number)d in %(arena)s.")
        raise Refused("no_match", text % {"number": match_id, "arena": arena}, field="match")
    if not match.participants.filter(player=player).exists():
        text = _("%(player)s did not play in match %(number)d.")
        raise Refused("not_playing", text % {"player": player, "number": match_id}, field="match")
    return match


def playing(match: Match, player_id: int) -> Player:
    """Return a player of the match. Raises ``Refused``."""
    part = match.participants.select_related("player").filter(player=player_id).first()
    if part is None:
        text = _("Player %(id)d does not play in this match.") % {"id": player_id}
        raise Refused("not_playing", text, field="player")
    return part.player


def may_report(match: Match, player: Player | None) -> bool:
    """Return whether a player can report the conduct of another, as ``report`` checks."""
    return (
        player is not None
        and match.status in REPORTABLE
        and match.is_game
        and match.season.archived_at is None
        and match.sides.filter(captain=player).exists()
    )


def report(
    match_id: int, player_id: int, reason: str, *, by: Player, note: str, now: datetime
) -> Flag:
    """Report a player's conduct in a match to staff, as the captain of a side.

    Nobody is penalised by this: staff read it as a flag, and decide.

    Raises:
        Forbidden: ``by`` leads no side, or is banned.
        Conflict: the match has no result yet, its season is archived, or ``by`` has already
            reported the player for this, or has a report about them that staff have not resolved.
        LimitReached: ``by`` has sent too many reports.
        Refused: the player did not play in it or is ``by``, there is no note, or the arena does not
            declare the reason.
    """
    note = without_controls(note).strip()
    if not note:
        raise Refused("no_note", _("Say what happened. Staff will read it."), field="note")
    with transaction.atomic():
        # One after the other, so that nobody passes the limit of reports with two requests at once.
        Player.objects.select_for_update(no_key=True).get(pk=by.pk)
        match = Match.objects.select_related("arena", "season").get(pk=match_id)
        if not match.sides.filter(captain=by).exists():
            raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
        refuse_banned([], now, by=by)
        if not may_report(match, by):
            text = _("Conduct can be reported with the result, until the season is archived.")
            raise Conflict(str(match.status), text)
        declared = reason_of(match.arena, reason)
        player = playing(match, player_id)
        if player == by:
            raise Refused("own_player", _("Choose somebody else."), field="player")
        sent = Flag.objects.filter(kind=Flag.Kind.CONDUCT, other=by)
        about = sent.filter(player=player)
        if about.open().filter(season=match.season).exists():
            text = _("You have already reported %(player)s. Staff will decide.")
            raise Conflict("reported", text % {"player": player})
        if about.filter(evidence__match=match.pk, evidence__reason=declared.name).exists():
            text = _("You have already reported %(player)s for this.")
            raise Conflict("reported", text % {"player": player})
        if sent.filter(raised_at__gt=now - timedelta(days=1)).count() >= MOST_REPORTS:
            text = _("You have sent %(count)d reports of conduct in 24 hours. Wait a day.")
            raise LimitReached("too_many", text % {"count": MOST_REPORTS}, wait=86_400)
        return Flag.objects.create(
            kind=Flag.Kind.CONDUCT,
            season=match.season,
            player=player,
            other=by,
            evidence={"match": match.pk, "reason": declared.name, "note": note},
            raised_at=now,
        )
