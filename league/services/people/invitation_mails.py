"""The personal links of invitations, and the mails that bring them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage, get_connection
from django.template.loader import render_to_string
from django.urls import reverse

from league.models import PlayerInvitation
from league.services.core.isolation import gettext as _
from league.services.site import frame
from league.services.site.languages import speaking_to

if TYPE_CHECKING:
    from collections.abc import Iterable

SIGNER = signing.Signer(salt="league.people.invitation")
"""Its signatures do not expire. The row says how long a link is valid."""


def token_of(invitation: PlayerInvitation) -> str:
    return SIGNER.sign_object(invitation.pk)


def link_of(invitation: PlayerInvitation) -> str:
    return f"{settings.SITE_URL}{reverse('invited', args=[token_of(invitation)])}"


def mail_invitations(invitations: Iterable[PlayerInvitation]) -> None:
    """Write the mails of those that have an address, in the league's language.

    They wait in the outbox, in the caller's transaction.
    """
    ids = [row.pk for row in invitations if row.address]
    rows = PlayerInvitation.objects.filter(pk__in=ids).order_by("pk")
    with speaking_to(None):
        mails = [message_of(row) for row in rows.select_related("player", "competition")]
    get_connection().send_messages(mails)


def message_of(invitation: PlayerInvitation) -> EmailMessage:
    """Return the mail of an invitation. Its subject does not name the player."""
    league = frame.current().name
    subject = _("%(league)s: your results are waiting for you") % {"league": league}
    context = {"invitation": invitation, "league": league, "link": link_of(invitation)}
    return EmailMessage(
        " ".join(subject.split()),
        render_to_string("people/invitation_mail.txt", context).strip() + "\n",
        to=[invitation.address],
        headers={"Auto-Submitted": "auto-generated"},
    )
