"""Claims of imported players: staff decide several at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.admin.frontpage.kinds import Attention
from league.models import PlayerClaim
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.people import claims

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from league.models import User


class ReasonForm(ActionForm):
    """A decision and its reason."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=2000, required=False, widget=forms.TextInput
    )


@admin.register(PlayerClaim)
class PlayerClaimAdmin(Explained, Exports, NameSearch, ReadOnly):
    export_columns = (
        "id",
        "account__username",
        "player__name",
        "evidence",
        "state",
        "made_at",
        "decided_at",
        "answer",
    )
    explanation = gettext_lazy(
        "People who say that a player without an account is theirs. Select claims, choose a "
        "decision and give the reason, which the claimants will read. After an approval, the "
        "account acts for the claimed player, whose history stays as it is. The account's own "
        "empty player is merged into it."
    )
    list_display = ("made_at", "account", "player", "evidence", "state", "answer")
    list_filter = (Attention, "state", "made_at")
    list_select_related = ("account", "player")
    search_fields = ("player__search_name", "account__username")
    search_help_text = gettext_lazy("Part of a player's or an account's name.")
    fields = ("account", "player", "evidence", "state", "made_at", "decided_at", "answer")
    action_form = ReasonForm
    actions = ["approve", "refuse"]

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.decide_claim")

    @admin.action(description=gettext_lazy("Approve the selected claims"), permissions=["decide"])
    def approve(self, request: HttpRequest, chosen: QuerySet[PlayerClaim]) -> None:
        self.decide(request, chosen, approve=True)

    @admin.action(description=gettext_lazy("Refuse the selected claims"), permissions=["decide"])
    def refuse(self, request: HttpRequest, chosen: QuerySet[PlayerClaim]) -> None:
        self.decide(request, chosen, approve=False)

    def decide(self, request: HttpRequest, chosen: QuerySet[PlayerClaim], *, approve: bool) -> None:
        """Decide each claim on its own, and say which could not be decided and why."""
        staff, reason, done = cast("User", request.user), request.POST.get("reason", ""), 0
        for one in chosen.order_by("pk"):
            try:
                claims.decide(one.pk, approve=approve, by=staff, reason=reason, now=database_now())
            except Refused as refusal:
                text = _("%(claim)s: %(problem)s") % {"claim": one, "problem": refusal.message}
                self.message_user(request, text, messages.ERROR)
            else:
                done += 1
        if done:
            text = ngettext("%(count)d claim decided.", "%(count)d claims decided.", done)
            self.message_user(request, text % {"count": done}, messages.SUCCESS)
