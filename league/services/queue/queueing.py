"""Rosters join an arena's queue and leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, connection
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Now

from league.models import (
    Arena,
    ArenaQueue,
    NoticeKind,
    Participant,
    Season,
    Ticket,
    TicketArena,
    TicketMember,
)
from league.models.lists import list_of
from league.services.core.constraints import violated_rule
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.eligibility.reasons import (
    BUSY,
    Code,
    busy,
    reasons_against,
    season_to_play_in,
)
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify
from league.services.queue import regions
from league.services.queue.ranks import rank_reasons
from league.services.results.rules.formats import between, checked_profession
from league.services.site.frame import refuse_new_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.models import Player, Roster
    from matchmaking.rules.arena import Rules

NEXT_PLACE = "SELECT nextval('league_ticket_place')"
MOST_ARENAS = 5
"""The most arenas in which a player can wait at once."""
IN_TWO_PLACES = ("player_in_one_open_ticket", "player_waits_or_plays")
"""The constraints against a player in two tickets, or in a ticket and a live match."""


def queue_of(arena: Arena) -> ArenaQueue | None:
    """Return the arena's queue, if it has one."""
    return ArenaQueue.objects.select_related("arena").filter(arena=arena).first()


def join(
    arena: Arena,
    captain: Player,
    players: Iterable[Player],
    *,
    now: datetime,
    roster: Roster | None = None,
    modes: Iterable[str] | None = None,
    profession: str = "",
    also: Iterable[Arena] = (),
    fills_seat: bool = False,
) -> Ticket:
    """Queue a captain and their ``players`` in an arena, for any of the game ``modes``.

    By default they would play all modes of the arena. A player without a roster can ``also`` wait
    in other arenas, for all of their modes: the first match found takes them out of all queues.
    ``fills_seat`` says whether a lone player would take a leaver's place, if the queue fills them.
    The captain will play ``profession``. The other players, and the captain if it is empty, keep
    the profession they played last.

    Raises:
        Refused: the queue is closed, or the players may not queue together. The message names the
            players and the reasons.
        Conflict: a player is in another queue or in a live match.
        Forbidden: ``captain`` does not lead ``roster``.
        Unavailable: during maintenance.
    """
    refuse_new_matches(now)
    queue = queue_of(arena)
    if queue is None or not queue.is_open or not arena.is_open:
        raise Refused("closed", _("The queue of %(arena)s is closed.") % {"arena": arena})
    season_to_play_in(arena, now)
    if roster is not None and (roster.captain_id != captain.pk or roster.arena_id != arena.pk):
        raise Forbidden("not_the_captain", _("Only the roster’s captain can queue it."))
    party = list(dict.fromkeys([captain, *players]))
    if roster is not None:
        check_roster(roster, party)
    wanted = wanted_modes(arena, modes)
    check_size(arena, queue.matching(), len(party))
    check_members(queue, party, now)
    if arena.regions:
        regions.check_party(arena, queue.matching().region, party)
    professions = last_professions(arena, party)
    if profession.strip():
        professions[captain.pk] = checked_profession(profession.strip())
    others_too = further_arenas(arena, also, party, roster, now)
    try:
        with committing("join"):
            ticket = Ticket.objects.create(
                arena=arena,
                captain=captain,
                roster=roster,
                modes=wanted,
                queued_at=now,
                place=next_place(),
                fills_seat=fills_seat and queue.fills_seats and len(party) == 1,
            )
            TicketMember.objects.bulk_create(
                TicketMember(
                    ticket=ticket,
                    player=player,
                    profession=professions.get(player.pk, ""),
                    seen_at=now if player == captain else None,
                )
                for player in sorted(party, key=lambda player: player.pk)
            )
            if others_too:
                TicketArena.objects.bulk_create(
                    TicketArena(ticket=ticket, arena=one, modes=one.modes, place=ticket.place)
                    for one in others_too
                )
            others = [player for player in party if player != captain]
            notify(others, NoticeKind.QUEUED, now, actor=captain, arena=arena)
    except IntegrityError as error:  # between the check and the write
        if violated_rule(error) not in IN_TWO_PLACES:
            raise
        check_free(party, now)
        raise Conflict("busy", _("One of you has just joined a queue or a match.")) from error
    return ticket


def further_arenas(
    arena: Arena,
    also: Iterable[Arena],
    party: Sequence[Player],
    roster: Roster | None,
    now: datetime,
) -> list[Arena]:
    """Return the other arenas in which a lone player also waits, by id.

    Raises:
        Refused: they are too many, or the player may not queue in one of them. The message names
            it and the reason.
    """
    chosen = sorted({one.pk: one for one in also if one.pk != arena.pk}.values(), key=by_id)
    if not chosen:
        return []
    if roster is not None or len(party) > 1:
        raise Refused(
            "several_arenas",
            _("A roster plays in one arena. Untick the others, or queue alone."),
            field="also",
        )
    if len(chosen) >= MOST_ARENAS:
        raise Refused(
            "several_arenas",
            _("You can wait in up to %(most)d arenas at once.") % {"most": MOST_ARENAS},
            field="also",
        )
    queues = {queue.arena_id: queue for queue in ArenaQueue.objects.open().filter(arena__in=chosen)}
    for one in chosen:
        queue = queues.get(one.pk)
        if queue is None:
            text = _("The queue of %(arena)s is closed.") % {"arena": one}
            raise Refused("closed", text, field="also")
        queue.arena = one
        try:
            check_alone(queue, party, now)
        except Conflict:
            raise
        except Refused as refusal:
            text = f"{one}: {refusal.message}"
            raise Refused(refusal.code, text, field="also") from refusal
    return chosen


def check_alone(queue: ArenaQueue, party: Sequence[Player], now: datetime) -> None:
    """Refuse a lone player who may not wait in an arena. Raises as :func:`join`."""
    season_to_play_in(queue.arena, now)
    check_size(queue.arena, queue.matching(), len(party))
    check_members(queue, party, now)
    if queue.arena.regions:
        regions.check_party(queue.arena, queue.matching().region, party)


def by_id(arena: Arena) -> int:
    return arena.pk


def arenas_besides(queue: ArenaQueue, now: datetime) -> list[Arena]:
    """Return the other arenas with an open queue and a running season that lone players can join.
    One query."""
    running = Season.objects.running(now).filter(arena=OuterRef("arena"))
    queues = ArenaQueue.objects.open().filter(Exists(running)).exclude(pk=queue.pk)
    found = queues.select_related("arena").order_by("arena__sort_name")
    return [one.arena for one in found if one.matching().queue.roster_min <= 1]


def arenas_of(ticket: Ticket) -> list[Arena]:
    """Return the arenas in which a ticket waits, its own first."""
    also = Arena.objects.filter(tickets_also__ticket=ticket).order_by("sort_name")
    return [ticket.arena, *also]


def next_place() -> int:
    """Return a place at the back of the queue."""
    with connection.cursor() as cursor:
        cursor.execute(NEXT_PLACE)
        place: int = cursor.fetchone()[0]
    return place


def wanted_modes(arena: Arena, modes: Iterable[str] | None) -> list[str]:
    """Return the chosen game modes in the arena's order, all of them for ``None``.

    Raises:
        Refused: none is chosen, or one is not a mode of this arena.
    """
    if modes is None:
        return list(arena.modes)
    chosen = set(modes)
    wanted = [mode for mode in arena.modes if mode in chosen]
    if len(wanted) < len(chosen) or (arena.modes and not wanted):
        raise Refused(
            "modes",
            _("Choose one or more game modes: %(modes)s.") % {"modes": list_of(arena.modes)}
            if arena.modes
            else _("%(arena)s has no game modes.") % {"arena": arena},
            field="modes",
        )
    return wanted


def check_roster(roster: Roster, party: Sequence[Player]) -> None:
    """Refuse players who are not in the roster: they have not agreed to play for it."""
    members = set(roster.memberships.values_list("player", flat=True))
    strangers = [player.name for player in party if player.pk not in members]
    if strangers:
        raise Refused(
            "not_in_the_roster",
            _("Not in %(roster)s: %(players)s. Invite them first.")
            % {"roster": roster, "players": list_of(strangers)},
            field="roster",
        )


def check_size(arena: Arena, rules: Rules, size: int) -> None:
    most = min(rules.queue.roster_max, rules.team_size)
    least = rules.queue.roster_min
    if not least <= size <= most:
        raise Refused(
            "roster_size",
            _("Rosters in %(arena)s need %(range)s players to queue; yours has %(size)d.")
            % {"range": between(least, most), "arena": arena, "size": size},
            field="roster",
        )


def check_members(queue: ArenaQueue, party: Sequence[Player], now: datetime) -> None:
    """Refuse a party, giving every reason that applies to any of its members."""
    check_free(party, now)
    codes = {Code.LOCKED, Code.BANNED} | ({Code.TIMEOUT} if queue.bars_timeouts else set())
    found = reasons_against(party, now, codes=codes)
    messages = [*(reason.message for reason in found), *rank_reasons(queue, party)]
    if messages:
        raise Refused("members", " ".join(messages), field="roster")


def check_free(party: Sequence[Player], now: datetime) -> None:
    """Refuse players who are in a queue or in a live match."""
    reasons = reasons_against(party, now, codes=BUSY)
    if reasons:
        raise busy(reasons, field="roster")


def last_professions(arena: Arena, party: Sequence[Player]) -> dict[int, str]:
    """Return the profession each player last played in the arena, by player id."""
    parts = Participant.objects.filter(player__in=party, match__arena=arena).exclude(profession="")
    latest = parts.order_by("player", "-match_id").distinct("player")
    return dict(latest.values_list("player", "profession"))


def leave(ticket_id: int, *, by: Player, now: datetime) -> None:
    """Take a ticket out of the queue for one of its members. Leaving twice changes nothing.

    Raises:
        Forbidden: ``by`` is not in the ticket.
        Conflict: a match has been proposed and must be accepted or declined.
    """
    with committing("leave"):
        # A tick skips a locked ticket, so it proposes no match to players who are leaving.
        ticket = Ticket.objects.select_for_update().filter(pk=ticket_id).first()
        if ticket is None or not ticket.members.filter(player=by).exists():
            raise Forbidden("not_a_member", _("Only a member can take a roster out of a queue."))
        if ticket.state == Ticket.State.PROPOSED:
            raise Conflict("proposed", _("A match was found: accept or decline it."))
        if ticket.state == Ticket.State.WAITING:
            close_tickets([ticket.pk], Ticket.State.LEFT, now)


def close_tickets(tickets: Sequence[int], state: Ticket.State, now: datetime) -> None:
    """Take tickets out of their queue. The caller holds their locks."""
    TicketMember.objects.filter(ticket__in=tickets).update(open=False)
    TicketArena.objects.filter(ticket__in=tickets).delete()
    Ticket.objects.filter(pk__in=tickets).update(state=state, closed_at=now)


def seconds_waiting(ticket_id: int) -> float | None:
    """Return how long a ticket has waited, ``None`` if it does not wait."""
    waiting = Ticket.objects.waiting().filter(pk=ticket_id)
    waited = waiting.values_list(Now() - F("queued_at"), flat=True).first()
    return waited.total_seconds() if waited is not None else None


def mark_seen(ticket: Ticket, player: Player, now: datetime) -> None:
    """Record that a member has opened the queue page. Once all have, a match can be made."""
    if ticket.members.filter(player=player, seen_at=None).update(seen_at=now):
        mark_answered(player, NoticeKind.QUEUED, now, arena=ticket.arena)
