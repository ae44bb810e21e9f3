"""Signed links in mails: to answer a report, and to end mails of a kind.

A link to answer is bound to the player, the address it was mailed to, and the report as it was
then. It is worthless once any of these has changed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.utils.translation import gettext as _

from league.models import Match, Player
from league.services.core.errors import Conflict, Refused
from league.services.notices.preferences import address_of

if TYPE_CHECKING:
    from typing import Any

ANSWER_SALT = "league.notices.answer"
STOP_SALT = "league.notices.stop"
VALID_FOR = timedelta(days=7)
"""The time for which a link answers a report. It also ends with the report's own deadline."""


@dataclass(frozen=True)
class Answerable:
    """A report that a link may answer, and the player who answers."""

    match: Match
    player: Player


def answer_token(match: Match, player: Player, address: str) -> str:
    return signing.dumps([match.pk, player.pk, state_of(match, address)], salt=ANSWER_SALT)


def read_answer_token(token: str, *, lock: bool = False) -> Answerable:
    """Return what a link may answer. ``lock`` keeps the match as it is until the transaction ends.

    Raises:
        Refused: the link is forged, incomplete or too old.
        Conflict: the report has changed or was answered, or the player's address has changed.
    """
    try:
        match_id, player_id, state = signing.loads(token, salt=ANSWER_SALT, max_age=VALID_FOR)
    except signing.SignatureExpired as error:
        raise Refused("expired", _("This link has expired. Log in to answer.")) from error
    except (signing.BadSignature, ValueError) as error:
        raise Refused("bad_link", _("This link is incomplete. Copy it from the mail.")) from error
    matches = Match.objects.select_for_update(no_key=True) if lock else Match.objects.all()
    match = matches.filter(pk=match_id).first()
    player = Player.objects.select_related("user").filter(pk=player_id).first()
    address = address_of(player) if player else None
    if match is None or player is None or address is None or state_of(match, address) != state:
        raise Conflict("changed", _("This report has changed since the mail. Log in to see it."))
    if not Match.objects.awaiting(player).filter(pk=match.pk).exists():
        raise Conflict("answered", _("This report has already been answered."))
    return Answerable(match, player)


def state_of(match: Match, address: str) -> str:
    """Return a digest of a report and of the address that it is mailed to."""
    sides = match.sides.order_by("index")
    parts = match.participants.order_by("pk")
    facts: list[Any] = [
        address,
        match.status,
        match.revision,
        match.reported_by_id,
        str(match.reported_at),
        str(match.played_at),
        list(sides.values_list("index", "place", "score", "captain")),
        list(parts.values_list("player", "side", "quit", "seconds", "profession")),
    ]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def stop_token(player: Player, kind: str) -> str:
    return signing.dumps([player.pk, kind], salt=STOP_SALT)


def read_stop_token(token: str) -> tuple[Player, str]:
    """Return whose mails of which kind a link ends. It never expires.

    Raises:
        Refused: the link is forged or incomplete, or the player is gone.
    """
    try:
        player_id, kind = signing.loads(token, salt=STOP_SALT)
    except (signing.BadSignature, ValueError) as error:
        raise Refused("bad_link", _("This link is incomplete. Copy it from the mail.")) from error
    player = Player.objects.filter(pk=player_id).first()
    if player is None:
        raise Refused("bad_link", _("This link is incomplete. Copy it from the mail."))
    return player, str(kind)
