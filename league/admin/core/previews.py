"""Previews beside the fields of a form: what the typed values do, before they are saved.

A preview reads its values from what a form has sent, or from the saved values, and computes a
figure by the code that the site uses. Wrong values give their error in words instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.admin.core.base import sentence
from league.rates import tries_out
from league.services.core.declared import declarations
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from ratings.tunables.parameters import Parameters

WIDE, HIGH = 1000, 240
"""The size of a chart's drawing, which is stretched to its place."""
LARGEST_ID = 2**63 - 1


class Wrong(Exception):
    """Typed values without a preview. ``problems`` has sentences for people."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = list(problems)


@dataclass(frozen=True)
class Chart:
    """A line through points, or bars from 0. ``marks`` are (value, text) below it."""

    points: Sequence[tuple[float, float]]
    marks: Sequence[tuple[float, str]] = ()
    bars: bool = False
    colours: Sequence[str] = ()
    """Of the bars, if they have their own."""
    low: float | None = None
    high: float | None = None
    """The ends of the vertical axis, by default those of the points and 0."""

    @cached_property
    def ends(self) -> tuple[float, float]:
        heights = [y for _x, y in self.points if math.isfinite(y)] or [0.0]
        low = min(*heights, 0.0) if self.low is None else self.low
        high = max(*heights, 0.0) if self.high is None else self.high
        return low, high if high > low else low + 1

    @cached_property
    def span(self) -> tuple[float, float]:
        places = [x for x, _y in self.points]
        first, last = min(places), max(places)
        return first, last if last > first else first + 1

    def across(self, x: float) -> float:
        first, last = self.span
        return (x - first) / (last - first)

    def up(self, y: float) -> float:
        low, high = self.ends
        return (y - low) / (high - low)

    @property
    def line(self) -> str:
        """Return the points as SVG draws them."""
        return " ".join(
            f"{WIDE * self.across(x):.1f},{HIGH * (1 - self.up(y)):.1f}"
            for x, y in self.points
            if math.isfinite(y)
        )

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Return the bars as SVG draws them, side by side."""
        wide = WIDE / max(len(self.points), 1)
        columns = []
        for at, (_x, y) in enumerate(self.points):
            high = HIGH * self.up(y)
            columns.append(
                {
                    "at": f"{at * wide + 0.06 * wide:.1f}",
                    "top": f"{HIGH - high:.1f}",
                    "wide": f"{0.88 * wide:.1f}",
                    "high": f"{high:.1f}",
                    "colour": self.colours[at] if at < len(self.colours) else "",
                }
            )
        return columns

    @property
    def labels(self) -> list[tuple[str, str, str]]:
        """Return the marks: where in percent, on which side their text stands, and the text."""
        found = []
        for value, text in self.marks:
            at = self.across(value)
            anchor = "start" if at < 0.1 else "end" if at > 0.9 else "middle"
            found.append((f"{100 * at:.1f}", anchor, text))
        return found


@dataclass(frozen=True)
class Figure:
    """A preview: a sentence, which is also the chart's text, and the numbers as a table."""

    text: str
    chart: Chart | None = None
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    open: bool = False
    """Whether the table is the figure, rather than behind “The numbers”."""
    problems: Sequence[str] = field(default_factory=list)


Typed = Mapping[str, Any]
"""The values of a form by their names in the page."""


class Saved(Typed):
    """A form's values as its inputs show them, each read only if a preview needs it."""

    def __init__(self, form: Any) -> None:
        self.form = form

    def __getitem__(self, name: str) -> Any:
        value = self.form[name].value()
        return "" if value is None else value

    def __iter__(self) -> Iterator[str]:
        return iter(self.form.fields)

    def __len__(self) -> int:
        return len(self.form.fields)


def read(
    model: type[Parameters],
    sent: Mapping[str, Any],
    name: Callable[[str], str],
    *,
    stored: Mapping[str, Any],
    blank: bool = True,
) -> Any:
    """Return the parameters in what a form has sent, whose fields ``name`` names.

    Those for experts are as ``stored``. ``blank`` says whether an empty field is a value, and not
    the default. Raises :class:`Wrong`.
    """
    declared = declarations(model)
    values = {one.name: stored[one.name] for one in declared if one.expert and one.name in stored}
    shown = any(name(one.name) in sent for one in declared)
    for declaration in declared if shown else ():
        known = name(declaration.name)
        if declaration.expert:
            continue
        if declaration.kind == "boolean":
            values[declaration.name] = bool(sent.get(known))
        elif known in sent and (blank or str(sent[known]).strip()):
            values[declaration.name] = str(sent[known]).strip()
    try:
        return read_parameters(model, values)
    except ParameterError as error:
        labels = {one.name: one.label for one in declared}
        raise Wrong(
            [f"{labels.get(name, name)}: {sentence(text)}" for name, text in error.problems.items()]
        ) from error


def number(value: float) -> str:
    """Return a number with at most two decimals."""
    return plain(round(value, 2)) if math.isfinite(value) else "–"


class Previews(admin.ModelAdmin[Any]):
    """A form with previews. ``previews`` are functions of (row, sent values), by section key."""

    previews: ClassVar[Mapping[str, Callable[[Any, Typed], Figure | None]]] = {}
    wide_previews: ClassVar[frozenset[str]] = frozenset()
    """Those that read fields outside their section too."""

    def get_urls(self) -> list[URLPattern]:
        names = self.opts
        view = self.admin_site.admin_view(self.preview_view)
        route = f"{names.app_label}_{names.model_name}_preview"
        return [path("preview/<slug:kind>/", view, name=route), *super().get_urls()]

    @method_decorator(tries_out(lambda _sent: True))
    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def preview_view(self, request: HttpRequest, kind: str) -> HttpResponse:
        """Return the figure of what a form has sent, or of what is saved.

        It is a page, and for htmx a part of one.
        """
        row = self.row_of_preview(request)
        if kind not in self.previews:
            raise Http404
        sent = request.POST.dict() if request.method == "POST" else Saved(self.form(instance=row))
        figure = self.figure_of(kind, row, sent)
        context: dict[str, Any] = {"figure": figure, "key": kind}
        if request.headers.get("HX-Request"):
            return TemplateResponse(request, "admin/league/_figure.html", context)
        context |= {
            **self.admin_site.each_context(request),
            "title": _("Preview"),
            "subtitle": str(row) if row and row.pk else "",
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/league/preview.html", context)

    def row_of_preview(self, request: HttpRequest) -> Any:
        """Return the row that a preview is about, ``None`` for a new one. It must be editable."""
        given = request.GET.get("of", "")
        if not given:
            if not (self.has_add_permission(request) or self.has_change_permission(request)):
                raise PermissionDenied
            return None
        if not (given.isdecimal() and int(given) <= LARGEST_ID):
            raise Http404
        row = self.get_object(request, given)
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        if row is None:
            raise Http404
        return row

    def figure_of(self, kind: str, row: Any, sent: Typed) -> Figure | None:
        try:
            return self.previews[kind](row, sent)
        except Wrong as wrong:
            return Figure("", problems=wrong.problems)
        except (OverflowError, ZeroDivisionError, FloatingPointError, ValueError):
            return Figure("", problems=[_("These values are too extreme for a preview.")])

    def previews_of(self, request: HttpRequest, context: Any) -> dict[str, dict[str, Any]]:
        """Return each preview of a form as it is shown, by section key."""
        form, row = context["adminform"].form, context.get("original")
        allowed = self.has_change_permission(request, row) if row else True
        if not allowed:
            return {}
        sent = Saved(form)
        names = self.opts
        url = reverse(f"admin:{names.app_label}_{names.model_name}_preview", args=["kind"])
        query = f"?of={row.pk}" if row else ""
        return {
            kind: {
                "figure": self.figure_of(kind, row, sent),
                "url": url.replace("/kind/", f"/{kind}/") + query,
                "key": kind,
                "wide": kind in self.wide_previews,
            }
            for kind in self.previews
        }
