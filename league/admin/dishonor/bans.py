"""Bans: staff keep a player out of queues with a reason, and let her in again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.dishonor.amnesties import LocalMoment
from league.models import Arena, Offence, Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dishonor import bans, discipline

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import DishonorAward, User


class LiftForm(forms.Form):
    """Why the player may queue again."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("The player reads it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
    )

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Let the player in; what to tell who did. Raises ``Refused``."""
        bans.lift(player, by=by, reason=self.cleaned_data["reason"], now=now)
        return _("%(player)s is not banned any more.") % {"player": player}


class BanForm(LiftForm):
    """Why, where and for how long a player is kept out."""

    arena = forms.ModelChoiceField(
        Arena.objects.all(),
        label=gettext_lazy("Arena"),
        help_text=gettext_lazy(
            "Where the offence was. A ban counts in every queue that bars timeouts."
        ),
    )
    until = forms.DateTimeField(label=gettext_lazy("Until"), widget=LocalMoment, required=False)

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Keep the player out; what to tell who did. Raises ``Refused``."""
        given = self.cleaned_data
        bans.ban(
            player,
            arena=given["arena"],
            by=by,
            reason=given["reason"],
            until=given["until"],
            now=now,
        )
        return _("%(player)s is banned, and is taken out of queues within seconds.") % {
            "player": player
        }


class Bans(admin.ModelAdmin[Any]):
    """Players with the two steps on their page: “Ban…”, or “Lift the ban”."""

    change_form_template = "admin/league/player/change_form.html"

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        player = context.get("original")
        if player and request.user.has_perm("league.ban_player"):
            context["may_ban"] = True
            context["banned"] = discipline.ban_of(player, database_now())
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<int:player_id>/ban/", view(self.ban_view), name="league_player_ban"),
            path("<int:player_id>/lift-ban/", view(self.lift_view), name="league_player_lift_ban"),
            *super().get_urls(),
        ]

    @admin.display(description=gettext_lazy("ban"))
    def ban(self, player: Player) -> str:
        """The ban that keeps a player out, in words."""
        held = discipline.ban_of(player, database_now()) if player.pk else None
        return in_words(held) if held else _("None")

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def ban_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Ask why and for how long, and ban the player."""
        player = self.banned_or_not(request, player_id)
        form = BanForm(request.POST or None, initial={"arena": only_arena()})
        (cost,) = discipline.costs_of(player, database_now(), [Offence.BANNED])
        form.fields["until"].help_text = (
            _("Empty: as long as the rules of dishonor say, now until %(end)s.")
            % {"end": at(cost.until)}
            if cost.until
            else _("Empty: without end.")
        )
        words = {"title": _("Ban %(player)s"), "button": _("Ban the player")}
        return self.asked(request, player, form, words)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def lift_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Ask why, and lift the ban."""
        player = self.banned_or_not(request, player_id)
        words = {"title": _("Lift the ban of %(player)s"), "button": _("Lift the ban")}
        return self.asked(request, player, LiftForm(request.POST or None), words)

    def banned_or_not(self, request: HttpRequest, player_id: int) -> Player:
        """The player whom the address names, for who may ban."""
        player = get_object_or_404(Player, pk=player_id)
        if not self.has_view_permission(request, player):
            raise PermissionDenied
        if not request.user.has_perm("league.ban_player"):
            raise PermissionDenied
        return player

    def asked(
        self, request: HttpRequest, player: Player, form: LiftForm, words: dict[str, str]
    ) -> HttpResponse:
        """The form, and once it is filled in what it asks for is done."""
        back = reverse("admin:league_player_change", args=[player.pk])
        now = database_now()
        if form.is_valid():
            try:
                said = form.carry_out(player, cast("User", request.user), now)
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
            else:
                self.message_user(request, said, messages.SUCCESS)
                return HttpResponseRedirect(back)
        held = discipline.ban_of(player, now)
        context = {
            **self.admin_site.each_context(request),
            "title": words["title"] % {"player": player},
            "button": words["button"],
            "opts": self.opts,
            "player": player,
            "form": form,
            "held": in_words(held) if held else "",
            "back": back,
        }
        return TemplateResponse(request, "admin/league/player/ban.html", context)


def in_words(ban: DishonorAward) -> str:
    """“Until 1 March 2026, 12:00, by olga: “Insults.””"""
    until = _("Until %(end)s") % {"end": at(ban.ends_at)} if ban.ends_at else _("Without end")
    if ban.action is None:
        return until
    return _("%(until)s, by %(who)s: “%(why)s”") % {
        "until": until,
        "who": ban.action.actor,
        "why": ban.action.reason,
    }


def at(moment: datetime) -> str:
    """A moment in the reader's zone."""
    return date_format(localtime(moment), "DATETIME_FORMAT")


def only_arena() -> Arena | None:
    """The arena of a league that has one."""
    arenas = list(Arena.objects.all()[:2])
    return arenas[0] if len(arenas) == 1 else None
