"""Appeals of players against penalties: staff answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext_lazy

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.admin.core.moments import Moment
from league.admin.core.reasons import ReasonField
from league.admin.dishonor.amnesties import LocalDateTime
from league.admin.frontpage.kinds import Attention
from league.models import Appeal, Offence
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.moderation import appeals

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User


class AnswerForm(forms.Form):
    """The answer to an appeal, and why."""

    state = forms.ChoiceField(
        label=gettext_lazy("Answer"),
        choices=[
            (Appeal.State.UPHELD, gettext_lazy("The penalty stands")),
            (Appeal.State.LIFTED, gettext_lazy("Lift the penalty")),
        ],
        widget=forms.RadioSelect,
    )
    until = Moment(
        label=gettext_lazy("New end of the ban"),
        help_text=gettext_lazy("Only to shorten it."),
        widget=LocalDateTime,
        required=False,
    )
    reason = ReasonField(
        help_text=gettext_lazy("The player will read it, and it stays in the record."),
    )

    def __init__(self, appeal: Appeal, data: Any) -> None:
        super().__init__(data)
        if appeal.award.offence == Offence.BANNED:
            field = cast("forms.ChoiceField", self.fields["state"])
            field.choices = [
                *cast("list[Any]", field.choices),
                (Appeal.State.SHORTENED, _("Shorten the ban")),
            ]
        else:
            del self.fields["until"]


@admin.register(Appeal)
class AppealAdmin(Explained, Exports, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "Players can appeal once against each ban or penalty. Somebody who did not give it answers "
        "it, and nobody answers their own or that of somebody whom they just played, unless nobody "
        "else can."
    )
    export_columns = ("id", "at", "award__player__name", "award__offence", "text", "state")
    list_display = ("at", "player", "what", "excerpt", "state")
    list_display_links = ("at",)
    list_filter = (Attention, "state", "award__arena")
    list_select_related = ("award__player", "award__arena")
    date_hierarchy = "at"
    ordering = ("-id",)
    search_fields = ("award__player__search_name",)
    search_help_text = gettext_lazy("Part of a player's name.")

    @admin.display(description=gettext_lazy("player"))
    def player(self, appeal: Appeal) -> str:
        return str(appeal.award.player)

    @admin.display(description=gettext_lazy("penalty"))
    def what(self, appeal: Appeal) -> str:
        return capfirst(appeal.award.get_offence_display())

    @admin.display(description=gettext_lazy("appeal"))
    def excerpt(self, appeal: Appeal) -> str:
        return Truncator(appeal.text).chars(120)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show an appeal and the penalty, and answer it."""
        del form_url
        found = Appeal.objects.select_related(
            "award__player", "award__arena", "award__action__actor", "action__actor"
        )
        appeal = (
            found.filter(pk=object_id).first()
            if object_id.isascii() and object_id.isdigit()
            else None
        )
        if appeal is None:
            raise Http404
        if not self.has_view_permission(request, appeal):
            raise PermissionDenied
        may_answer = request.user.has_perm(appeals.PERMISSION)
        if request.method == "POST" and not may_answer:
            raise PermissionDenied
        form = AnswerForm(appeal, request.POST if request.method == "POST" else None)
        if form.is_valid() and self.answer(request, appeal, form):
            return HttpResponseRedirect(reverse("admin:league_appeal_changelist"))
        context = {
            **self.admin_site.each_context(request),
            **(extra_context or {}),
            "title": _("Appeal of %(player)s") % {"player": appeal.award.player},
            "opts": self.opts,
            "appeal": appeal,
            "award": appeal.award,
            "may_change": may_answer,
            "form": form if may_answer and appeal.state == Appeal.State.OPEN else None,
            "back": reverse("admin:league_appeal_changelist"),
        }
        return TemplateResponse(request, "admin/league/moderation/appeal.html", context)

    def answer(self, request: HttpRequest, appeal: Appeal, form: AnswerForm) -> bool:
        """Answer an appeal, or add to the form why that is refused."""
        given = form.cleaned_data
        try:
            appeals.answer(
                appeal.pk,
                given["state"],
                by=cast("User", request.user),
                reason=given["reason"],
                until=given.get("until"),
                now=database_now(),
            )
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
            return False
        self.message_user(request, _("The appeal is answered."), messages.SUCCESS)
        return True
