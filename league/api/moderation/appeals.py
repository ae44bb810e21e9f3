"""Appealing against penalties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.fields import NoFields, Strict, Text
from league.models import Scope
from league.models.moderation import LONGEST_TEXT
from league.services.core.clock import database_now
from league.services.dishonor import discipline
from league.services.moderation import appeals

if TYPE_CHECKING:
    from rest_framework.request import Request


class AppealForm(Strict):
    """An appeal against a penalty."""

    text = Text(
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy("Why the penalty is wrong or too hard. Only staff read it."),
    )


class Appealing(Endpoint):
    serializer_class: Any = None
    scopes = (Scope.ACCOUNT,)

    @extend_schema(operation_id="appeal", request=AppealForm, responses={202: NoFields})
    def post(self, _request: Request, pk: int) -> Response:
        """Appeal against one of your penalties, once. You get a notice of the answer."""
        me = self.player()
        missing = _("You have no penalty %(id)d.") % {"id": pk}
        award = self.get_or_404(discipline.history_of(me), missing, pk=pk)
        appeals.appeal(award.pk, self.body(AppealForm)["text"], by=me, now=database_now())
        return Response({}, status=status.HTTP_202_ACCEPTED)
