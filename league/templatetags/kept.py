"""Parts of pages that are rendered once for all readers, until their data change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django import template
from django.template import Node, TemplateSyntaxError
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from league.caching import kept_part

if TYPE_CHECKING:
    from django.template.base import FilterExpression, NodeList, Parser, Token
    from django.template.context import Context

register = template.Library()


@dataclass
class Kept(Node):
    """A part, and what its key consists of."""

    name: str
    keys: list[FilterExpression]
    nodelist: NodeList

    def render(self, context: Context) -> SafeString:
        values = tuple(key.resolve(context) for key in self.keys)
        key = (self.name, *values, timezone.get_current_timezone_name(), get_language())
        return mark_safe(kept_part(key, lambda: self.nodelist.render(context)))  # noqa: S308 - rendered by a template


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """Keep what is between ``{% kept "name" key … %}`` and ``{% endkept %}``.

    The keys are hashable and change whenever the part does, apart from names. Time zone and
    language are always part of the key. A part has no forms: their tokens are secret.
    """
    name, *keys = token.split_contents()[1:]
    if name[0] not in "\"'" or not keys:
        raise TemplateSyntaxError("kept needs a name in quotes and a key")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(name[1:-1], [parser.compile_filter(key) for key in keys], nodelist)
