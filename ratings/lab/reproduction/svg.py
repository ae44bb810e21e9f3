"""Line charts as SVG: small, reproducible byte for byte, readable without colours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import isotonic_regression  # type: ignore[attr-defined] # SciPy exports it

if TYPE_CHECKING:
    from ratings.types import Floats

WIDTH, HEIGHT = 400, 260
"""Size of the plotting area of one panel."""
LEFT, RIGHT, TOP, BOTTOM = 64, 96, 44, 48
"""Margins around it. The names of the lines are on the right."""
HEAD = 56
LABEL = 14
INK, SOFT, LINE = "#222222", "#5c5c5c", "#d9d9d9"
STYLE = (
    "text{font:12px system-ui,'Segoe UI','Noto Sans','Liberation Sans',sans-serif}"
    ".title{font-size:16px;font-weight:600}.panel{font-size:13px;font-weight:600}"
)


@dataclass(frozen=True)
class Series:
    """A line with gaps where ``y`` is NaN."""

    name: str
    x: Floats
    y: Floats
    colour: str
    dashed: bool = False


@dataclass(frozen=True)
class Band:
    """A named, shaded range of x."""

    start: float
    end: float
    name: str


@dataclass(frozen=True)
class Panel:
    """One plot of a chart."""

    title: str
    series: Sequence[Series]
    bands: Sequence[Band] = ()
    ticks: Mapping[float, str] = field(default_factory=dict)
    """Labels of the x axis by position, round numbers if empty."""


def chart(
    title: str, description: str, panels: Sequence[Panel], *, x_label: str, y_label: str
) -> str:
    """Return an SVG of ``panels`` (at least one), two side by side."""
    columns = min(len(panels), 2)
    rows = math.ceil(len(panels) / columns)
    cell_width, cell_height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    width, height = columns * cell_width, HEAD + rows * cell_height
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"',
        f'  height="{height}" role="img" aria-labelledby="title description">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>',
        f'<text class="title" x="24" y="34" fill="{INK}">{escape(title)}</text>',
    ]
    for number, panel in enumerate(panels):
        across, down = number % columns, number // columns
        parts.append(
            f'<g transform="translate({LEFT + across * cell_width} '
            f'{HEAD + TOP + down * cell_height})">'
        )
        parts += _panel(panel, x_label, y_label)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _panel(panel: Panel, x_label: str, y_label: str) -> list[str]:
    xs = np.concatenate([series.x for series in panel.series])
    ys = np.concatenate([series.y for series in panel.series])
    ys = ys[np.isfinite(ys)]
    x_ticks = dict(panel.ticks) or {tick: f"{tick:g}" for tick in _round_ticks(xs.min(), xs.max())}
    y_ticks = _round_ticks(ys.min(), ys.max())
    across = _Scale(min(xs.min(), *x_ticks), max(xs.max(), *x_ticks), 0, WIDTH)
    up = _Scale(min(ys.min(), *y_ticks), max(ys.max(), *y_ticks), HEIGHT, 0)
    return [
        f'<text class="panel" y="-16" fill="{INK}">{escape(panel.title)}</text>',
        *_bands(panel.bands, across),
        *_axes(x_ticks, y_ticks, across, up),
        _text(x_label, WIDTH / 2, HEIGHT + 38, "middle"),
        _text(y_label, -10, -16, "end"),
        *(_line(series, across, up) for series in panel.series),
        *_names(panel.series, up),
    ]


def _text(words: str, x: float, y: float, anchor: str, colour: str = SOFT) -> str:
    at = f'x="{round(x, 2):g}" y="{round(y, 2):g}"'
    return f'<text {at} text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


@dataclass(frozen=True)
class _Scale:
    """Maps values to pixels."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1.0
        return round(self.start + (value - self.low) / span * (self.end - self.start), 2)


def _round_ticks(low: float, high: float) -> list[float]:
    """Return four to seven round numbers that cover ``low`` to ``high``."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / 5))
    step = power * next(factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 6)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def _axes(
    x_ticks: Mapping[float, str], y_ticks: Sequence[float], across: _Scale, up: _Scale
) -> list[str]:
    parts = []
    for tick in y_ticks:
        y = up(tick)
        parts.append(f'<path d="M0 {y}H{WIDTH}" stroke="{LINE}"/>')
        parts.append(_text(f"{tick:,.10g}", -10, y + 4, "end"))
    for at, label in x_ticks.items():
        x = across(at)
        parts.append(f'<path d="M{x} {HEIGHT}v5" stroke="{SOFT}"/>')
        parts.append(_text(label, x, HEIGHT + 20, "middle"))
    parts.append(f'<path d="M0 {HEIGHT}H{WIDTH}" stroke="{SOFT}"/>')
    return parts


def _bands(bands: Sequence[Band], across: _Scale) -> list[str]:
    parts = []
    for band in bands:
        start, end = across(band.start), across(band.end)
        parts.append(
            f'<rect x="{start}" width="{round(end - start, 2)}" height="{HEIGHT}" fill="#f3f0e6"/>'
        )
        parts.append(_text(band.name, (start + end) / 2, HEIGHT - 8, "middle"))
    return parts


def _line(series: Series, across: _Scale, up: _Scale) -> str:
    path, pen_down = "", False
    for x, y in zip(series.x.tolist(), series.y.tolist(), strict=True):
        if math.isfinite(y):
            path += f"{'L' if pen_down else 'M'}{across(x)} {up(y)}"
        pen_down = math.isfinite(y)
    dashes = ' stroke-dasharray="6 4"' if series.dashed else ""
    return (
        f'<path d="{path}" fill="none" stroke="{series.colour}" stroke-width="2" '
        f'stroke-linejoin="round"{dashes}/>'
    )


def _names(series: Sequence[Series], up: _Scale) -> list[str]:
    """Return each line's name at its end, moved apart if they would overlap."""
    ends = sorted(
        (up(float(one.y[np.isfinite(one.y)][-1])), one.name, one.colour) for one in series
    )
    order = LABEL * np.arange(len(ends))
    # Stay as close to the lines as their order and the line height allow.
    tops = isotonic_regression([y for y, _, _ in ends] - order).x
    places = np.clip(tops, 0.0, HEIGHT - order[-1]) + order
    return [
        _text(name, WIDTH + 8, y + 4, "start", colour)
        for y, (_, name, colour) in zip(places.tolist(), ends, strict=True)
    ]
