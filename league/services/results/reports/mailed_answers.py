"""Answers to reports by the signed link of a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from league.services.notices.links import read_answer_token
from league.services.results.reports import answers

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from league.models import Match, Player
    from league.services.notices.links import Answerable


def readable(token: str, *, reader: Player | None) -> Answerable:
    """Return what a link may answer, for a visitor or for ``reader``.

    Raises:
        Forbidden: another player is logged in: somebody passed the mail on.
        Refused, Conflict: as :func:`league.services.notices.links.read_answer_token`.
    """
    asked = read_answer_token(token)
    check_reader(asked, reader)
    return asked


def confirm(
    token: str, *, reader: Player | None, now: datetime, sent_from: UUID | None = None
) -> Match:
    """Confirm a report by its link. Raises as :func:`readable`."""
    with transaction.atomic():
        asked = read_answer_token(token, lock=True)
        check_reader(asked, reader)
        return answers.confirm(
            asked.match.pk,
            by=asked.player,
            now=now,
            revision=asked.match.revision,
            sent_from=sent_from,
        )


def dispute(token: str, *, reader: Player | None, reason: str, now: datetime) -> Match:
    """Dispute a report by its link. Raises as :func:`readable`, and ``Refused`` without reason."""
    with transaction.atomic():
        asked = read_answer_token(token, lock=True)
        check_reader(asked, reader)
        return answers.dispute(
            asked.match.pk,
            by=asked.player,
            reason=reason,
            now=now,
            revision=asked.match.revision,
        )


def check_reader(asked: Answerable, reader: Player | None) -> None:
    if reader is not None and reader != asked.player:
        raise Forbidden(
            "another_player",
            _("This link is for %(player)s, and you are logged in as %(reader)s.")
            % {"player": asked.player, "reader": reader},
        )
