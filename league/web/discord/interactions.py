"""The interactions endpoint, to which Discord sends commands and buttons.

Discord waits for three seconds, so each request is answered at once. The signature is verified
before the request is parsed, and each request takes effect once.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from league import rates
from league.services.core.clock import database_now
from league.services.core.constraints import refusal_behind
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.discord import components, linking, signing, words
from league.services.site import languages
from league.web.discord import answers
from league.web.discord.asking import Asked, Unlinked
from league.web.discord.completing import complete
from league.web.discord.lookups import fixtures, odds, rank
from league.web.discord.payloads import Interaction, Kind
from league.web.discord.queueing import accept, decline, queue
from league.web.discord.reporting import OnThePage, confirm_by_button, report

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest

    from league.web.discord.answers import Answer

MOST_BYTES = 64 * 1024
"""Many times the size of a command with all its arguments."""
COMMANDS: dict[str, Callable[[Asked], Answer]] = {
    "rank": rank,
    "odds": odds,
    "queue": queue,
    "report": report,
    "fixtures": fixtures,
}
BUTTONS: dict[str, Callable[[Asked, int, int], Answer]] = {
    components.ACCEPT: accept,
    components.DECLINE: decline,
    components.CONFIRM: confirm_by_button,
}
BUTTON = re.compile(r"([a-z]+):([0-9]{1,18})(?::([0-9]{1,9}))?")


@csrf_exempt  # signed by Discord, without cookies
@rates.counts_itself
@require_POST
def interactions(request: HttpRequest) -> HttpResponse:
    """Answer a command, a button or an autocomplete request."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404
    body = body_of(request)
    if body is None:
        return problem(_("The request is too large."), 413)
    now = database_now()
    try:
        check_signature(request, body, now)
        sent = read(body)
        return JsonResponse(answers.PONG if sent.type == Kind.PING else take(sent, now))
    except Forbidden as refusal:
        wait = rates.seconds_to_wait(rates.WRITE, request)
        return problem(rates.too_many(wait), 429) if wait else problem(refusal.message, 401)
    except Conflict as refusal:
        return problem(refusal.message, 409)
    except Refused as refusal:
        return problem(refusal.message, 400)


def check_signature(request: HttpRequest, body: bytes, now: datetime) -> None:
    signature = request.headers.get("X-Signature-Ed25519", "")
    timestamp = request.headers.get("X-Signature-Timestamp", "")
    signing.check_signature(signature, timestamp, body, now)


def read(body: bytes) -> Interaction:
    """Parse a request.

    Raises:
        Refused: it is not in the format that Discord documents.
    """
    try:
        return Interaction.model_validate_json(body)
    except ValidationError as error:
        text = _("The request is not in Discord’s format.")
        raise Refused("unreadable", text) from error


def take(sent: Interaction, now: datetime) -> Answer:
    """Answer a request that was not sent before.

    Raises:
        Conflict: it was.
    """
    signing.use_up(sent.id, now)
    asked = Asked(sent, linking.account_of(sent.sender), now)
    with translation.override(language_of(asked)):
        return answer_within_limits(asked)


def language_of(asked: Asked) -> str:
    """Return the language of the account, of the Discord user, or else the league's."""
    chosen = asked.account.language if asked.account else ""
    known = languages.find_language(chosen) or languages.find_language(asked.interaction.locale)
    return known or languages.of_league()


def body_of(request: HttpRequest) -> bytes | None:
    """Return the body, ``None`` if it is too large. The excess is not read."""
    body = request.read(MOST_BYTES + 1)
    return body if len(body) <= MOST_BYTES else None


def problem(text: str, status: int) -> JsonResponse:
    return JsonResponse({"error": text}, status=status)


def answer_within_limits(asked: Asked) -> Answer:
    """Answer a request unless the user has sent too many this minute. Limits are those of forms."""
    typing = asked.interaction.type == Kind.COMPLETION
    scope = rates.COSTLY if typing else rates.WRITE
    wait = seconds_to_wait(scope, asked)
    if not wait:
        return answer(asked)
    return answers.choices([]) if typing else answers.message(words.plain(rates.too_many(wait)))


def seconds_to_wait(scope: str, asked: Asked) -> int:
    """Count a request of a Discord user, and return the seconds to wait if it is one too many."""
    most = settings.REQUESTS_A_MINUTE[scope]["account"]
    now = int(time.time())
    key = f"requests:{scope}:discord:{asked.interaction.sender}:{now // rates.MINUTE}"
    if most is None or rates.count(key) <= most:
        return 0
    return rates.MINUTE - now % rates.MINUTE


def answer(asked: Asked) -> Answer:
    """Return the answer to a request, or why it is refused, in the words of the site."""
    sent = asked.interaction
    does = ANSWERS.get(sent.type, unknown)
    try:
        return does(asked)
    except Unlinked as refusal:
        return answers.message(
            words.plain(refusal.message),
            buttons=[components.link_button(_("Link your account"), reverse("discord_settings"))],
        )
    except OnThePage as refusal:
        text = words.plain(refusal.message)
        return answers.message(text, title=refusal.title, page=refusal.page)
    except (Refused, DatabaseError) as error:
        refused = refusal_behind(error)
        if refused is None:
            raise
        return answers.message(words.plain(refused.message))


def run(asked: Asked) -> Answer:
    return COMMANDS.get(asked.interaction.data.name, unknown)(asked)


def unknown(asked: Asked) -> Answer:
    del asked
    raise Refused("command", _("Unknown command."))


def press(asked: Asked) -> Answer:
    """Carry out the action of a button. Refusals are answered in a new message."""
    found = BUTTON.fullmatch(asked.interaction.data.custom_id)
    does = BUTTONS.get(found[1]) if found else None
    if found is None or does is None:
        raise Refused("button", _("This button no longer works."))
    return does(asked, int(found[2]), int(found[3] or 0))


ANSWERS: dict[int, Callable[[Asked], Answer]] = {
    Kind.COMMAND: run,
    Kind.BUTTON: press,
    Kind.COMPLETION: complete,
}
