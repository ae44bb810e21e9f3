"""Boards: messages in channels with the top players of an arena, edited when they change.

A board is updated at most once a minute. Channel messages leave the site unasked, so like feeds
and embeds they do not name unlisted players.
"""

from __future__ import annotations

import hashlib
import json
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import DiscordBoard, Match, Settlement
from league.services.core.clock import database_now
from league.services.core.numbers import number
from league.services.discord import calling, results, words
from league.services.privacy.reading import names_unlisted, unlisted_among
from league.services.results.records import profiles
from league.services.site.languages import speaking_to
from league.services.standings import leaderboards
from league.services.webhooks import posting

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from league.services.discord.calling import Reply
    from league.services.standings.leaderboard_rows import LeaderboardRow

ROWS = 10
PACE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(minutes=30)
LEASE = timedelta(seconds=3 * posting.DEADLINE + 2)
"""The time that a worker has for a board: to edit its message, post it anew, and announce
results."""
SPELL = 20.0
MOST_RESULTS = 10
"""The most results in one announcement. If there are more, the latest are shown."""


def update_due() -> int:
    """Update the boards that are due and return how many. Safe to run concurrently."""
    began, count = time.monotonic(), 0
    while calling.is_configured() and time.monotonic() - began < SPELL and not calling.rests():
        board = claim(database_now())
        if board is None:
            break
        update(board)
        count += 1
    return count


def claim(now: datetime) -> DiscordBoard | None:
    """Claim and return the next board that is due. No other worker gets it meanwhile."""
    with transaction.atomic():
        due = DiscordBoard.objects.filter(next_attempt_at__lte=now).order_by("next_attempt_at")
        board = due.select_for_update(skip_locked=True).first()
        if board is not None:
            # The call to Discord comes after the commit. If the worker dies, the lease runs out.
            board.next_attempt_at = now + LEASE
            board.save(update_fields=["next_attempt_at"])
    return DiscordBoard.objects.select_related("arena").get(pk=board.pk) if board else None


def start(board: DiscordBoard, now: datetime) -> None:
    """Start a saved board: update it at once, announce only later results, and clear errors."""
    rated = Match.objects.filter(arena=board.arena_id, rated_order__isnull=False)
    board.told_order = rated.aggregate(last=Max("rated_order"))["last"] or 0
    board.next_attempt_at, board.stopped_at = now, None
    board.failures, board.error, board.shown = 0, "", ""


def update(board: DiscordBoard) -> None:
    """Post or edit the message of a board if it has changed, and announce results."""
    now = database_now()
    season = board.arena.current_season(now)
    if season is None or board.arena.is_draft:
        note(board, None, now)
        return
    season.arena = board.arena
    with speaking_to(None):
        reply = show(board, content_of(season, now), now)
        if reply is None or not reply.problem:
            reply = announce(board, season) or reply
    note(board, reply, now)


def content_of(season: Season, now: datetime) -> dict[str, Any]:
    """Return the message with the top players of a season."""
    rows = leaderboards.leaderboard(season, now=now, per_page=ROWS).rows
    hidden = unlisted_among(row.player_id for row in rows)
    lines = [line_of(row, season, hidden) for row in rows]
    return {
        "embeds": [
            {
                "title": words.shorten(
                    words.plain(f"{season.arena} · {season.name}"), words.LONGEST_TITLE
                ),
                "url": words.site(reverse("leaderboard", args=[season.arena.slug])),
                "description": words.join_lines(lines) or words.plain(_("Nobody is ranked yet.")),
            }
        ],
        "allowed_mentions": {"parse": []},
    }


def line_of(row: LeaderboardRow, season: Season, hidden: set[int]) -> str:
    shows = season.shows
    name = (
        words.plain(_("Unlisted player"))
        if row.player_id in hidden
        else words.link(row.name, row.player.get_absolute_url())
    )
    rating = number(shows.show(row.rating), shows.decimals)
    return f"{words.plain(str(row.rank or '–'))}\\. {name} · {words.plain(rating)}"


def show(board: DiscordBoard, content: dict[str, Any], now: datetime) -> Reply | None:
    """Post or edit the message if its content has changed. Return Discord's reply, if any."""
    digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()
    if board.message and board.shown == digest:
        return None
    channel = f"/channels/{board.channel}/messages"
    reply = calling.Reply(calling.NOT_FOUND, "")
    if board.message:
        reply = calling.call("PATCH", f"{channel}/{board.message}", content)
        if reply.code == calling.UNKNOWN_MESSAGE:  # deleted in Discord
            board.message = ""
    if not board.message:
        again = int(board.shown_at.timestamp()) if board.shown_at else 0
        reply = calling.call("POST", channel, {**content, **once(f"b{board.pk}:{again}")})
        if not reply.problem and words.is_id(reply.data.get("id")):
            board.message = reply.data["id"]
    if not reply.problem:
        board.shown, board.shown_at = digest, now
    return reply


def once(number: str) -> dict[str, Any]:
    """Return what lets Discord drop a message that comes twice, since its answer was lost."""
    return {"nonce": number, "enforce_nonce": True}


def announce(board: DiscordBoard, season: Season) -> Reply | None:
    """Post new rated results. Return Discord's reply, if any."""
    if not board.tells_results:
        return None
    rated = season.matches.games().filter(rated_order__gt=board.told_order)
    fresh = rated.exclude(settlement=Settlement.IMPORT).order_by("-rated_order")
    found = list(profiles.with_sides(fresh)[:MOST_RESULTS])
    if not found:
        return None
    count, last = fresh.count(), found[0].rated_order
    hidden = names_unlisted(found)
    lines = [
        words.link(results.sentence(match), match.get_absolute_url())
        for match in reversed(found)
        if match.pk not in hidden
    ]
    if count > len(found):
        more = count - len(found)
        text = ngettext("and %(count)d more result", "and %(count)d more results", more)
        lines.insert(0, words.plain(text % {"count": more}))
    board.told_order = last or board.told_order
    if not lines:
        return None
    content = {
        "embeds": [{"description": words.join_lines(lines)}],
        "allowed_mentions": {"parse": []},
        **once(f"r{board.pk}:{last}"),
    }
    reply = calling.call("POST", f"/channels/{board.channel}/messages", content)
    if reply.problem and not reply.is_final:
        board.told_order = DiscordBoard.objects.values_list("told_order", flat=True).get(
            pk=board.pk
        )
    return reply


def note(board: DiscordBoard, reply: Reply | None, now: datetime) -> None:
    """Record the outcome of an update. A final refusal from Discord stops the board."""
    wait: timedelta | None = PACE
    failed = reply is not None and bool(reply.problem)
    board.failures = board.failures + 1 if failed else 0
    board.error = reply.problem if reply and failed else ""
    if reply and failed:
        wait = min(LONGEST_PAUSE, PACE * 2 ** min(board.failures - 1, 10))
        wait = max(wait, timedelta(seconds=reply.wait))
        if reply.is_final:
            wait = None
    board.next_attempt_at = now + wait if wait else None
    board.stopped_at = None if wait else now
    kept = (
        "message",
        "shown",
        "shown_at",
        "told_order",
        "failures",
        "error",
        "next_attempt_at",
        "stopped_at",
    )
    DiscordBoard.objects.filter(pk=board.pk, channel=board.channel).update(
        **{name: getattr(board, name) for name in kept}
    )
