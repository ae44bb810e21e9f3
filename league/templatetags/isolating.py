"""Django's ``i18n`` tags, with the values of ``blocktranslate`` isolated.

The settings load them in place of Django's, so templates ``{% load i18n %}`` as everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.template.base import TokenType
from django.templatetags import i18n

from league.services.core.isolation import isolate

if TYPE_CHECKING:
    from django.template.base import FilterExpression, Parser, Token

register = template.Library()
register.tags |= i18n.register.tags
register.filters |= i18n.register.filters


class Isolated:
    """A value of a sentence."""

    def __init__(self, expression: FilterExpression) -> None:
        self.expression = expression

    def resolve(self, context: template.Context) -> Any:
        return isolate(self.expression.resolve(context))


@register.tag("blocktranslate")
@register.tag("blocktrans")
def blocktranslate(parser: Parser, token: Token) -> i18n.BlockTranslateNode:
    node = i18n.do_block_translate(parser, token)
    within = [*node.singular, *(node.plural or [])]
    named = {part.contents for part in within if part.token_type == TokenType.VAR}
    filled = {name: parser.compile_filter(name) for name in named} | node.extra_context
    isolating: dict[str, Any] = {name: Isolated(value) for name, value in filled.items()}
    node.extra_context = isolating
    return node
