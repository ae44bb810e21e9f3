"""Line charts as SVG text: panels side by side with one legend."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLOURS = ("#00745a", "#0072b2", "#c44e00", "#a03c78", "#6b5b00", "#5a5a5a")
"""Distinct for colour-blind people as well, and readable on white."""

DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 4", "1 4")

WIDTH, HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 40, 48
TICKS = 5


@dataclass(frozen=True)
class Panel:
    """One chart: points (x, y) by line name, in the order of x."""

    title: str
    x_label: str
    y_label: str
    lines: Mapping[str, Sequence[tuple[float, float]]]


def svg(title: str, description: str, panels: Sequence[Panel]) -> str:
    """Return the panels side by side. A line has the same colour and dashes in all of them."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.lines))
    width = WIDTH * max(len(panels), 1)
    drawn = "".join(
        f'<g transform="translate({WIDTH * number} 0)">{_panel(panel, names)}</g>'
        for number, panel in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT + 34}" '
        'role="img" aria-labelledby="title desc" font-family="sans-serif" font-size="12" '
        f'fill="#222"><title id="title">{escape(title)}</title>'
        f'<desc id="desc">{escape(description)}</desc>'
        f'<rect width="100%" height="100%" fill="#fff"/>{drawn}{_legend(names)}</svg>\n'
    )


def _panel(panel: Panel, names: Sequence[str]) -> str:
    points = [point for line in panel.lines.values() for point in line]
    x_ticks = _ticks([x for x, _y in points])
    y_ticks = _ticks([0.0, *(y for _x, y in points)])

    def across(x: float) -> float:
        return LEFT + (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0]) * (WIDTH - LEFT - RIGHT)

    def up(y: float) -> float:
        share = (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [f'<text x="{LEFT}" y="20" font-weight="bold">{escape(panel.title)}</text>']
    parts += [
        f'<path d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        f'<text x="{LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{_number(y)}</text>'
        for y in y_ticks
    ]
    parts += [
        f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle">'
        f"{_number(x)}</text>"
        for x in x_ticks
    ]
    for name, line in panel.lines.items():
        at = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{at}" fill="none" {_stroke(names.index(name))}/>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{HEIGHT - BOTTOM + 36}" text-anchor="middle">'
        f"{escape(panel.x_label)}</text>"
        f'<text x="{LEFT}" y="{TOP - 5}" fill="#555">{escape(panel.y_label)}</text>'
    )
    return "".join(parts)


def _legend(names: Sequence[str]) -> str:
    parts, x = [], float(LEFT)
    for number, name in enumerate(names):
        parts.append(
            f'<path d="M{x:.0f} {HEIGHT + 14}h28" {_stroke(number)}/>'
            f'<text x="{x + 34:.0f}" y="{HEIGHT + 18}">{escape(name)}</text>'
        )
        x += 34 + 7 * len(name) + 26
    return "".join(parts)


def _stroke(number: int) -> str:
    colour = COLOURS[number % len(COLOURS)]
    dashes = DASHES[number % len(DASHES)]
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'stroke="{colour}" stroke-width="2"{dashed}'


def _ticks(values: Sequence[float]) -> list[float]:
    """Return at least two evenly spaced round numbers that enclose the values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    span = high - low or 1.0
    rough = span / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= rough * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step - 1e-9)
    ticks = [step * number for number in range(first, max(last, first + 1) + 1)]
    return ticks if all(one < other for one, other in pairwise(ticks)) else [low, low + 1]


def _number(value: float) -> str:
    return f"{value:,.10g}"
