"""Django's tag of the token of a form, with the account to which its page was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.clients import AUTHOR

if TYPE_CHECKING:
    from django.template.base import Parser, Token

register = template.Library()


class SignedFormNode(CsrfTokenNode):
    """The token of a form, and its author: a kept form is never shown to another account."""

    def render(self, context: Any) -> SafeString:
        token = super().render(context)
        user = getattr(context.get("request"), "user", None)
        if not token or user is None or not user.is_authenticated:
            return SafeString(token)
        author = '{}<input type="hidden" name="{}" value="{}">'
        return format_html(author, token, AUTHOR, user.pk)


@register.tag("csrf_token")
def csrf_token(parser: Parser, token: Token) -> SignedFormNode:
    """Write the hidden fields of a form that is sent by POST."""
    del parser, token
    return SignedFormNode()
