"""Bans: staff keep players from playing, and lift bans, always with a reason."""

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
from django.utils.html import format_html
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.moments import Moment
from league.admin.core.reasons import ReasonField
from league.admin.corrections.voiding_all import may_void
from league.admin.dishonor.amnesties import LocalDateTime
from league.models import Arena, Offence, Player
from league.models.moments import describe_moment
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.dishonor import bans, discipline

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import DishonorAward, User


class Act(forms.Form):
    """An action of staff against a player, and its reason."""

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Do it and return a message about it. Raises ``Refused``."""
        raise NotImplementedError


class LiftForm(Act):
    """The reason for lifting a ban."""

    reason = ReasonField(
        help_text=gettext_lazy("The player will read it, and it stays in the record."),
    )

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Lift the ban and return a message about it. Raises ``Refused``."""
        bans.lift(player, by=by, reason=self.cleaned_data["reason"], now=now)
        return _("%(player)s is no longer banned.") % {"player": player}


class BanForm(LiftForm):
    """Reason, arena and end of a ban."""

    arena = forms.ModelChoiceField(
        Arena.objects.published(),
        label=gettext_lazy("Arena"),
        help_text=gettext_lazy(
            "Where the offence happened. In every arena, the player can no longer queue, report "
            "results, challenge, or create, change or join rosters."
        ),
    )
    until = Moment(label=gettext_lazy("Until"), widget=LocalDateTime, required=False)

    def carry_out(self, player: Player, by: User, now: datetime) -> str:
        """Ban the player and return a message about it. Raises ``Refused``."""
        given = self.cleaned_data
        bans.ban(
            player,
            arena=given["arena"],
            by=by,
            reason=given["reason"],
            until=given["until"],
            now=now,
        )
        done = _("%(player)s is banned and leaves all queues within seconds.") % {"player": player}
        if not may_void(by):
            return done
        address = reverse("admin:league_player_void_all", args=[player.pk])
        offer = _("Void all their matches of a season…")
        return format_html('{} <a href="{}">{}</a>', done, address, offer)


class Bans(admin.ModelAdmin[Any]):
    """Player pages with a “Ban…” or “Lift the ban” button."""

    change_form_template = "admin/league/player/change_form.html"

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        player = context.get("original")
        if player and request.user.has_perm("league.ban_player"):
            context["may_ban"] = True
            context["banned"] = discipline.ban_of(player, database_now())
        context["may_read_file"] = player and request.user.has_perm("league.read_file")
        context["may_merge"] = player and request.user.has_perm("league.merge_player")
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
        """Describe the player's current ban."""
        current = discipline.ban_of(player, database_now()) if player.pk else None
        return describe(current) if current else _("None")

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def ban_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Ask for a reason and an end, and ban the player."""
        player = self.player_or_404(request, player_id)
        form = BanForm(request.POST or None, initial={"arena": only_arena()})
        (cost,) = discipline.costs_of(player, database_now(), [Offence.BANNED])
        form.fields["until"].help_text = (
            _("Leave empty to ban as long as the dishonor rules say, now until %(end)s.")
            % {"end": describe_moment(cost.until)}
            if cost.until
            else _("Leave empty for a permanent ban.")
        )
        texts = {"title": _("Ban %(player)s"), "button": _("Ban the player")}
        return self.form_page(request, player, form, texts)

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def lift_view(self, request: HttpRequest, player_id: int) -> HttpResponse:
        """Ask for a reason and lift the ban."""
        player = self.player_or_404(request, player_id)
        texts = {"title": _("Lift the ban of %(player)s"), "button": _("Lift the ban")}
        return self.form_page(request, player, LiftForm(request.POST or None), texts)

    def player_or_404(self, request: HttpRequest, player_id: int) -> Player:
        """Return the player if the account may ban players."""
        player = get_object_or_404(Player, pk=player_id)
        if not self.has_view_permission(request, player):
            raise PermissionDenied
        if not request.user.has_perm("league.ban_player"):
            raise PermissionDenied
        return player

    def form_page(
        self, request: HttpRequest, player: Player, form: Act, texts: dict[str, str]
    ) -> HttpResponse:
        """Show a form, or do what it asks for and return to the player."""
        back = reverse("admin:league_player_change", args=[player.pk])
        now = database_now()
        if form.is_valid():
            try:
                message = form.carry_out(player, cast("User", request.user), now)
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
            else:
                self.message_user(request, message, messages.SUCCESS)
                return HttpResponseRedirect(back)
        current = discipline.ban_of(player, now)
        context = {
            **self.admin_site.each_context(request),
            "title": texts["title"] % {"player": player},
            "button": texts["button"],
            "opts": self.opts,
            "player": player,
            "form": form,
            "current": describe(current) if current else "",
            "back": back,
        }
        return TemplateResponse(request, "admin/league/player/ban.html", context)


def describe(ban: DishonorAward) -> str:
    """Return a text such as “Until 1 March 2026, 12:00, by olga: “Insults.””"""
    until = (
        _("Until %(end)s") % {"end": describe_moment(ban.ends_at)}
        if ban.ends_at
        else _("Permanent")
    )
    if ban.action is None:
        return until
    return _("%(until)s, by %(actor)s: “%(reason)s”") % {
        "until": until,
        "actor": ban.action.actor,
        "reason": ban.action.reason,
    }


def only_arena() -> Arena | None:
    """Return the arena if the league has only one."""
    arenas = list(Arena.objects.published()[:2])
    return arenas[0] if len(arenas) == 1 else None
