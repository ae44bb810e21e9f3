"""/queue: join, leave and status. Buttons answer a ready check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import ArenaQueue, NoticeKind, Ticket
from league.models.names import fold
from league.services.core import durations
from league.services.core.errors import Refused
from league.services.discord import calling, components, preferences, words
from league.services.queue import ready_checks
from league.services.queue.presence import call_of, match_of
from league.services.queue.queueing import join, leave, mark_seen
from league.web.discord import answers
from league.web.discord.asking import arena_meant, arena_named

if TYPE_CHECKING:
    from league.models import Arena, Player, Roster
    from league.services.queue.presence import Call
    from league.web.discord.answers import Answer
    from league.web.discord.asking import Asked


def queue(asked: Asked) -> Answer:
    """Run the subcommand."""
    steps = {"join": join_queue, "leave": leave_queue, "status": status}
    step = steps.get(asked.interaction.subcommand)
    if step is None:
        raise Refused("command", _("Unknown command."))
    return step(asked)


def join_queue(asked: Asked) -> Answer:
    """Queue the player, alone or with a roster that they lead."""
    me, arena = asked.me, arena_to_join(asked)
    roster = roster_named(arena, me, asked.argument("roster"))
    members = list(roster.members.all()) if roster else []
    join(arena, me, members, now=asked.now, roster=roster)
    return status(asked)


def arena_to_join(asked: Asked) -> Arena:
    """Return the named arena, by default the only one with an open queue or ``arena_meant``."""
    if not asked.argument("arena"):
        queues = ArenaQueue.objects.open().select_related("arena")[:2]
        if len(queues) == 1:
            return queues[0].arena
    return arena_meant(asked)


def roster_named(arena: Arena, me: Player, text: str) -> Roster | None:
    """Return the player's roster with this name, ``None`` for an empty name.

    Raises:
        Refused: there is none.
    """
    if not text:
        return None
    found = arena.rosters.led_by(me).filter(folded_name=fold(text)).first()
    if found is None:
        raise Refused("no_roster", _("Choose one of the rosters that you lead."))
    return found


def leave_queue(asked: Asked) -> Answer:
    me = asked.me
    tickets = Ticket.objects.of(me)
    if text := asked.argument("arena"):
        tickets = tickets.in_arena(arena_named(text))
    ticket = tickets.select_related("arena").first()
    if ticket is None:
        raise Refused("not_queued", _("You are not in a queue."))
    leave(ticket.pk, by=me, now=asked.now)
    return answers.message(
        words.plain(_("You have left the queue.")),
        title=ticket.arena.name,
        page=reverse("queue", args=[ticket.arena.slug]),
    )


def status(asked: Asked) -> Answer:
    """Show whether the player is in a queue, a ready check or a match. They count as present."""
    me = asked.me
    live = match_of(me)
    if live is not None:
        return answers.message(
            words.plain(_("You are in a live match.")),
            title=live.arena.name,
            page=live.get_absolute_url(),
        )
    call = call_of(me)
    if call is None:
        return answers.message(words.plain(_("You are not in a queue.")))
    mark_seen(call.ticket, me, asked.now)
    page = reverse("queue", args=[call.arena.slug])
    if call.check is not None:
        return show_check(call, page, asked)
    text = ngettext(
        "You are in the queue: place %(place)d of %(count)d. You have waited for %(time)s.",
        "You are in the queue: place %(place)d of %(count)d. You have waited for %(time)s.",
        call.waiting,
    )
    waited = durations.describe_duration(asked.now - call.ticket.queued_at)
    values = {"place": call.place, "count": max(call.waiting, call.place), "time": waited}
    lines = [words.plain(text % values), hint(me)]
    return answers.message("\n".join(lines), title=call.arena.name, page=page)


def hint(me: Player) -> str:
    """Say how a waiting player learns of a match: by direct message or on the queue page."""
    preference = preferences.preference_of(me)
    if calling.is_configured() and preference.is_on and NoticeKind.FOUND in preference.kinds:
        return words.plain(_("You get a direct message when a match is found."))
    text = _("Keep the queue page open: you have to accept the match there, or with /queue status.")
    return words.plain(text)


def show_check(call: Call, page: str, asked: Asked) -> Answer:
    """Show the state of a ready check, with buttons until the player has answered."""
    assert call.check is not None  # noqa: S101 - for the types
    if call.has_accepted:
        text = _("You have accepted. Ready: %(ready)d of %(asked)d.")
        buttons = []
    else:
        text = _("A match was found: answer within %(left)d seconds.")
        buttons = components.of_ready_check(call.check.pk)
    left = call.seconds_left(asked.now)
    values = {"ready": call.ready, "asked": call.asked, "left": left}
    return answers.message(
        words.plain(text % values), title=call.arena.name, page=page, buttons=buttons
    )


def accept(asked: Asked, proposal: int, _rest: int) -> Answer:
    """Accept a match with its button."""
    found = ready_checks.accept(proposal, by=asked.me, now=asked.now)
    if found.match is not None:
        text = _("Everyone has accepted: the match is on.")
        link = words.link(_("To the match"), found.match.get_absolute_url())
        return answers.change(f"{words.plain(text)} {link}")
    text = _("You have accepted. Waiting for the others.")
    return answers.change(words.plain(text))


def decline(asked: Asked, proposal: int, _rest: int) -> Answer:
    """Decline a match with its button."""
    ready_checks.decline(proposal, by=asked.me, now=asked.now)
    return answers.change(words.plain(_("You declined a match, which counts as a dodge.")))


def my_rosters(asked: Asked) -> list[tuple[str, str]]:
    """Return the rosters that the player leads, as choices."""
    if asked.player is None:
        return []
    found = asked.player.rosters_led.search(asked.argument("roster")).filter(arena__is_draft=False)
    if text := asked.argument("arena"):
        found = found.filter(arena=arena_named(text))
    named = found.select_related("arena").order_by("sort_name")[: answers.MOST_CHOICES]
    return [(f"{one.name}, {one.arena}", one.name) for one in named]
