"""The rounds of fixtures in templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

from league.services.competitions.fixture_words import name_round

if TYPE_CHECKING:
    from collections.abc import Mapping

register = template.Library()


@register.filter
def round_name(found: Mapping[str, Any] | None) -> str:
    """Return the name of the round of a line of a list, empty for what is no fixture."""
    return name_round(found)
