"""Reporting players to the moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.fields import LARGEST_ID, Choice, NoFields, Strict, Text, Whole
from league.models import Match, Player, PlayerReport, Scope
from league.models.moderation import LONGEST_TEXT
from league.services.core.clock import database_now
from league.services.moderation import reports

if TYPE_CHECKING:
    from rest_framework.request import Request


class PlayerReportForm(Strict):
    """A report about a player, perhaps of one match."""

    reason = Choice(
        choices=PlayerReport.Reason.choices, help_text=gettext_lazy("What it is about.")
    )
    text = Text(
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy(
            "What happened. Only moderators read it. The player is never told who reported."
        ),
    )
    match = Whole(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The id of the match; null if it was in none."),
    )


class PlayerReporting(Endpoint):
    serializer_class: Any = None
    scopes = (Scope.ACCOUNT,)

    @extend_schema(
        operation_id="report_player", request=PlayerReportForm, responses={202: NoFields}
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Report a player to the moderators, perhaps about a match.

        While an earlier report by you of the same player is open, it takes in what is new.
        """
        missing = _("There is no player %(id)d.") % {"id": pk}
        found = self.get_or_404(Player.ever.select_related("merged_into"), missing, pk=pk)
        me, sent = self.player(), self.body(PlayerReportForm)
        reports.report(
            found.merged_into or found,
            sent["reason"],
            sent["text"],
            by=me,
            now=database_now(),
            match=match_numbered(sent["match"]),
        )
        return Response({}, status=status.HTTP_202_ACCEPTED)


def match_numbered(number: int | None) -> Match | None:
    """Return the match with an id. Raises ``ValidationError`` if there is none."""
    if number is None:
        return None
    found = Match.objects.filter(pk=number).first()
    if found is None:
        raise ValidationError({"match": [_("There is no match %(id)d.") % {"id": number}]})
    return found
