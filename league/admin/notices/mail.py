"""Mails and the addresses that refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext_lazy, ngettext

from league.admin.core.base import Explained, ReadOnly
from league.admin.core.exports import Exports
from league.admin.frontpage.kinds import Attention
from league.models import BouncingAddress, Email
from league.services.core.clock import database_now
from league.services.notices import delivery

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest


@admin.register(Email)
class EmailAdmin(Explained, Exports, ReadOnly):
    """Mails without their text, which may contain links that only their reader may see."""

    export_columns = (
        "id",
        "recipient",
        "subject",
        "state",
        "created_at",
        "next_attempt_at",
        "attempts",
        "closed_at",
        "error",
    )
    explanation = gettext_lazy(
        "Mails wait here until the mail server takes them. A refused mail is tried again for "
        "three days, unless the refusal is final. Mails are listed for 30 days."
    )
    list_display = ("created_at", "recipient", "subject", "state", "attempts", "error")
    list_filter = (Attention, "state", "created_at")
    ordering = ("-id",)
    search_fields = ("recipient", "subject")
    search_help_text = gettext_lazy("Part of an address or of a subject.")
    fields = (
        "recipient",
        "sender",
        "subject",
        "state",
        ("created_at", "next_attempt_at", "closed_at"),
        "attempts",
        "error",
    )
    actions = ("send_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Email]:
        return super().get_queryset(request).defer("text", "html", "headers")

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.change_email")

    @admin.action(description=gettext_lazy("Send failed mails again"), permissions=["send"])
    def send_again(self, request: HttpRequest, mails: QuerySet[Email]) -> None:
        count = delivery.retry(list(mails.values_list("pk", flat=True)), database_now())
        message = ngettext("%(count)d mail waits again.", "%(count)d mails wait again.", count)
        self.message_user(request, message % {"count": count})


@admin.register(BouncingAddress)
class BouncingAddressAdmin(Explained, Exports, ReadOnly):
    export_columns = (
        "id",
        "address",
        "since",
        "error",
    )
    explanation = gettext_lazy(
        "Addresses that their mail server refuses. They get no notices until a mail reaches them "
        "again, such as a reset of the password, or until they are deleted here."
    )
    list_display = ("address", "since", "error")
    ordering = ("-since",)
    search_fields = ("address",)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return request.user.has_perm("league.delete_bouncingaddress")
