"""Routes that compute from what they are sent, and change nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from league.api.core.endpoint import Endpoint
from league.api.core.fields import Text
from league.models import Arena, Scope
from league.services.core.errors import Refused
from league.services.core.offline_limits import LONGEST_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rest_framework.request import Request


class Computation(Endpoint):
    """A view for any account. It stores nothing, so an ``Idempotency-Key`` makes no difference."""

    scopes = (Scope.READ,)

    def check_scope(self, request: Request, at: Mapping[str, Any]) -> None:
        """Accept every token, those of game servers too: nothing is written."""

    def answer_once(self, key: str, method: str) -> None:
        """Compute again: the same request has the same answer, and none is kept."""

    def arena_named(self, slug: str) -> Arena:
        """Return the arena that a body names. Refuses one that is not published."""
        arena = Arena.objects.published().filter(slug=slug).first()
        if arena is None:
            text = _("There is no arena “%(slug)s”.") % {"slug": slug}
            raise Refused("no_arena", text, field="arena")
        return arena


def name_field(**options: Any) -> Text:
    """Return a field for a name, which is taken as it is, with its spaces."""
    return Text(max_length=LONGEST_NAME, trim_whitespace=False, **options)


def finite(number: float) -> float | None:
    """Return a number as JSON has it, ``None`` if it is infinite or none."""
    return number if math.isfinite(number) else None


def wrong_at(text: str, *path: str | int) -> serializers.ValidationError:
    """Return an error about a place in a body, such as the name at ``sides, 0, 2``."""
    detail: Any = [text]
    for step in reversed(path):
        detail = {str(step): detail}
    return serializers.ValidationError(detail)


def only_one(values: Mapping[str, Any], names: Sequence[str]) -> None:
    """Refuse a body with several fields that exclude each other."""
    given = [name for name in names if name in values]
    if len(given) > 1:
        text = _("Leave this out: %(other)s says the same.") % {"other": given[0]}
        raise serializers.ValidationError({name: [text] for name in given[1:]})
