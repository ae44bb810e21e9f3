"""The Discord settings: the linked account and direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import NoticeKind
from league.services.core.errors import Refused
from league.services.discord import calling, linking, preferences
from league.services.discord.preferences import OFFERED
from league.web.core.acting import account_of, acting_player, player_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import DiscordPreference


class DirectMessagesForm(forms.Form):
    """Whether a player gets direct messages, and about what."""

    is_on = forms.BooleanField(
        label=gettext_lazy("Send me direct messages on Discord"),
        required=False,
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("About"),
        choices=[(kind.value, kind.label) for kind in OFFERED],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def of(
        cls, preference: DiscordPreference, data: QueryDict | None, *, is_staff: bool
    ) -> DirectMessagesForm:
        """Return the form with a player's choice. Only staff can choose webhooks."""
        form = cls(data, initial={"is_on": preference.is_on, "kinds": preference.kinds})
        form.fields["kinds"].choices = [  # type: ignore[attr-defined] # of its kind of field
            (kind.value, kind.label) for kind in OFFERED if is_staff or kind != NoticeKind.WEBHOOK
        ]
        return form


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def discord_settings(request: HttpRequest) -> HttpResponse:
    """Show the linked account, and let the player choose direct messages."""
    if not linking.is_offered():
        raise Http404
    link = linking.link_of(account_of(request))
    me = player_of(request)
    context: dict[str, Any] = {
        "link": link,
        "link_name": linking.name_of(link) if link else "",
        "has_bot": calling.is_configured(),
    }
    if request.method == "POST":
        me = acting_player(request)
        if link is None:
            raise Refused("unlinked", _("Link your Discord account first."))
    if link is None or me is None:
        return render(request, "discord/settings.html", context)
    preference = preferences.preference_of(me)
    form = DirectMessagesForm.of(preference, request.POST or None, is_staff=request.user.is_staff)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        preferences.choose(me, is_on=chosen["is_on"], kinds=chosen["kinds"])
        messages.success(request, _("Saved."))
        return redirect("discord_settings")
    context |= {"form": form, "refused_at": preference.refused_at}
    status = 400 if request.method == "POST" else 200
    return render(request, "discord/settings.html", context, status=status)
