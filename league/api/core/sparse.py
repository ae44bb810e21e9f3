"""``fields=`` and ``expand=``: less or more of what a route shows.

Both change the serializer before it reads a row, so that what was not asked for costs nothing. A
serializer declares what it can expand in ``expands``, and in ``collects`` which of its fields need
further rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ErrorDetail, ValidationError

from league.api.core.fields import LONGEST_QUOTE, nearest, no_field
from league.models.lists import list_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet
    from rest_framework.request import Request

FIELDS = "fields"
EXPAND = "expand"


@dataclass(frozen=True)
class Expansion:
    """The expansion of a field: all of a row in the place of its name or link."""

    serializer: Any
    source: str = ""
    """The path of the row, if it is not the name of the field."""
    load: str = ""
    """The relation that ``select_related`` loads for it, if not of the field's name."""


@dataclass(frozen=True)
class Asked:
    """The fields and expansions that a request asks for."""

    fields: frozenset[str] | None = None
    """Names of fields, ``None`` for all."""
    expand: Mapping[str, Expansion] = field(default_factory=dict)

    def apply(self, serializer: Any) -> Any:
        """Return a serializer that shows what was asked for."""
        one = getattr(serializer, "child", serializer)
        for name, expansion in self.expand.items():
            source = expansion.source if expansion.source != name else ""
            more = {"source": source} if source else {}
            one.fields[name] = expansion.serializer(allow_null=True, **more)
        if self.fields is not None:
            for name in one.fields.keys() - self.fields:
                del one.fields[name]
        return serializer

    def load(self, rows: QuerySet[Any], serializer: Any) -> QuerySet[Any]:
        """Return rows with what the fields need, in a constant number of statements."""
        collects = getattr(serializer, "collects", None)
        if self.fields is not None and collects is not None and not collects & self.fields:
            rows = rows.prefetch_related(None)
        if self.expand:
            # A list may have left columns out that are now shown.
            loads = (one.load or name for name, one in self.expand.items())
            rows = rows.defer(None).select_related(*loads)
        return rows


def asked_of(request: Request, serializer: Any) -> Asked:
    """Return what a request asks for. Raises ``ValidationError`` for an unknown name."""
    known = serializer().fields
    expands = getattr(serializer, "expands", {})
    named = names_in(request, EXPAND, list(expands), no_expansion) or []
    fields = names_in(request, FIELDS, list(known), no_field)
    return Asked(
        None if fields is None else frozenset(fields), {name: expands[name] for name in named}
    )


def names_in(request: Request, parameter: str, known: Sequence[str], refusal: Any) -> Any:
    """Return the names in a parameter, ``None`` without it. Raises ``ValidationError``."""
    text = request.query_params.get(parameter)
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            wrong = f"{name[:LONGEST_QUOTE]}: {refusal(name, known)}" if name else _("Name some.")
            raise ValidationError({parameter: [ErrorDetail(wrong, code="unknown")]})
    return names


def no_expansion(name: str, known: Sequence[str]) -> str:
    """Return what to say about a name that cannot be expanded."""
    if near := nearest(name, known):
        return _("It cannot be expanded. Did you mean %(near)s?") % {"near": near}
    return _("It cannot be expanded. These can: %(known)s.") % {"known": list_of(known)}


def parameters_of(serializer: Any) -> list[OpenApiParameter]:
    """Return the description of both parameters, ``expand`` only where something can be."""
    found = [
        OpenApiParameter(
            FIELDS,
            str,
            description=str(gettext_lazy("Only these fields of each result: `id,name`.")),
        )
    ]
    if expands := getattr(serializer, "expands", {}):
        text = _("Show these in full, with commas: %(names)s.")
        names = ", ".join(f"`{name}`" for name in expands)
        found.append(OpenApiParameter(EXPAND, str, description=text % {"names": names}))
    return found
