"""Calls to Discord's HTTP API, as the bot.

As for webhooks, each call has one deadline and connects only to checked addresses.
"""

from __future__ import annotations

import http.client
import json
import math
import ssl
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from league.models.discord import LONGEST_ERROR
from league.services.core.errors import Refused
from league.services.webhooks import addresses, posting

MOST_READ = 256 * 1024
"""The most bytes that are read of a reply, including its headers."""
UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY = 401, 403, 404, 429
CANNOT_MESSAGE, UNKNOWN_MESSAGE = 50007, 10008
"""Discord’s error codes: the user gets no messages from the bot, and the message is gone."""
# Whatever a server asks for, nothing waits longer.
LONGEST_WAIT = 3600
REST_WITHOUT_TOKEN = 600
"""Seconds without calls after Discord refused the bot token."""
RESTS = "discord:rests"
"""The cache key that keeps all processes from calling Discord for a while."""


@dataclass(frozen=True)
class Reply:
    """Discord's reply, or why there is none."""

    status: int | None
    problem: str
    """The reason for a failed call, empty if it succeeded."""
    data: dict[str, Any] = field(default_factory=dict)
    wait: int = 0
    """Seconds for which Discord asks for no calls."""

    @property
    def code(self) -> int:
        """Discord's own error code, 0 without one."""
        found = self.data.get("code")
        return found if isinstance(found, int) else 0

    @property
    def is_final(self) -> bool:
        """Whether the same call would fail again, because Discord refuses its content."""
        return self.status is not None and 400 <= self.status < 500 and not self.is_about_us

    @property
    def is_about_us(self) -> bool:
        """Whether all calls would fail: there are too many, or the token is wrong."""
        return self.status in {UNAUTHORIZED, TOO_MANY}


def is_configured() -> bool:
    """Return whether there is a bot."""
    return bool(settings.DISCORD_BOT_TOKEN)


def rests() -> bool:
    """Return whether calls to Discord are paused."""
    return cache.get(RESTS) is not None


def call(method: str, path: str, content: object = None) -> Reply:
    """Call Discord and return its reply. Failures are returned, not raised."""
    began = time.monotonic()
    body = b"" if content is None else json.dumps(content).encode()
    headers = {"Authorization": f"Bot {settings.DISCORD_BOT_TOKEN}"}
    try:
        target = addresses.read(settings.DISCORD_API + path)
        sent = posting.request(
            target,
            headers,
            body,
            method=method,
            agent=f"DiscordBot ({settings.SITE_URL}, 1)",
        )
        found = addresses.resolve(target)
        status, text, wait = posting.exchange(target, found, sent, began, most=MOST_READ)
    except Refused as refusal:
        return failure(refusal.message)
    except TimeoutError:
        text = _("No answer within %(count)d seconds.") % {"count": posting.DEADLINE}
        return failure(text)
    except ssl.SSLError as error:
        text = _("The connection is not secure: %(error)s") % {"error": error.reason or error}
        return failure(text)
    except (OSError, http.client.HTTPException, UnicodeError) as error:
        text = _("The connection failed: %(error)s") % {"error": posting.describe_error(error)}
        return failure(text)
    return note_rest(reply_of(status, text, wait))


def failure(problem: str) -> Reply:
    """Return that there is no answer, as briefly as it is kept."""
    return Reply(None, posting.clean(problem)[:LONGEST_ERROR])


def reply_of(status: int, text: str, wait: int) -> Reply:
    data = read(text)
    if posting.OK <= status <= posting.LAST_OK:
        return Reply(status, "", data)
    asked = data.get("retry_after")
    if isinstance(asked, int | float) and 0 < asked < math.inf:
        wait = max(wait, math.ceil(asked))
    said = data.get("message")
    problem = _("Discord answered with the status %(status)d.") % {"status": status}
    if isinstance(said, str) and said:
        problem += f" {posting.clean(said)[:120]}"
    return Reply(status, problem[:LONGEST_ERROR], data, min(max(wait, 0), LONGEST_WAIT))


def read(text: str) -> dict[str, Any]:
    """Return the JSON object in a text, an empty one for anything else."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def note_rest(reply: Reply) -> Reply:
    """Pause the calls of all processes for as long as Discord asks."""
    if reply.status == TOO_MANY:
        cache.set(RESTS, 1, max(reply.wait, 1))
    elif reply.status == UNAUTHORIZED:
        cache.set(RESTS, 1, REST_WITHOUT_TOKEN)
    return reply
