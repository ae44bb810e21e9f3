"""The icon of the installed app, drawn from the league's logo or from our mark."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings
from PIL import Image, ImageDraw

from league.services.site.colours import LIGHT, OUR_LIGHT, shades

if TYPE_CHECKING:
    from league.services.site.frame import Frame

    Point = tuple[float, float]


class Look(NamedTuple):
    """The size of an icon in pixels, and how much of its width the picture on it may fill."""

    size: int
    filled: float


LOOKS = {
    "192": Look(192, 0.78),
    "512": Look(512, 0.78),
    # Systems cut a maskable icon to a shape of theirs, of which only the inner circle is sure.
    "maskable": Look(512, 0.52),
    "apple": Look(180, 0.72),
}
ROUNDED = ("192", "512")
"""Those with round corners of their own. Systems round the corners of the others."""
CORNER = 0.22
"""The radius of a corner, of the width."""
FINER = 4
"""An icon is drawn so many times larger than it is shown, for smooth edges."""
MARK_BOX = (1.0, 2.5, 31.0, 30.5)
STEPS = 12
"""The straight pieces of a curve of the mark."""


def background_of(shown: Frame) -> str:
    """Return the colour of the header, on which the icon stands."""
    return shades(shown.accent, LIGHT).deep if shown.accent else OUR_LIGHT.deep


@lru_cache(maxsize=16)
def png(look: str, background: str, logo: bytes) -> bytes:
    """Draw an icon: the logo on white, or our mark on the colour of the header."""
    size, filled = LOOKS[look]
    large = size * FINER
    picture = Image.new("RGBA", (large, large))
    draw = ImageDraw.Draw(picture)
    ground = "#ffffff" if logo else background
    if look in ROUNDED:
        draw.rounded_rectangle((0, 0, large - 1, large - 1), round(large * CORNER), fill=ground)
    else:
        draw.rectangle((0, 0, large, large), fill=ground)
    if not logo:
        draw_mark(draw, large, filled)
    picture = picture.resize((size, size), Image.Resampling.LANCZOS)
    if logo:
        paste_logo(picture, logo, filled)
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()


def paste_logo(picture: Image.Image, logo: bytes, filled: float) -> None:
    """Put a logo of any proportions into the middle, as large as it may be."""
    shown = Image.open(BytesIO(logo), formats=["WEBP"]).convert("RGBA")
    most = picture.width * filled
    scale = min(most / shown.width, most / shown.height)
    size = (max(1, round(shown.width * scale)), max(1, round(shown.height * scale)))
    shown = shown.resize(size, Image.Resampling.LANCZOS)
    left, top = (picture.width - size[0]) // 2, (picture.height - size[1]) // 2
    picture.alpha_composite(shown, (left, top))


def draw_mark(draw: ImageDraw.ImageDraw, width: int, filled: float) -> None:
    left, top, right, bottom = MARK_BOX
    scale = width * filled / max(right - left, bottom - top)
    middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
    for leaf in leaves():
        points = [
            (width / 2 + (x - middle_x) * scale, width / 2 + (y - middle_y) * scale)
            for x, y in leaf
        ]
        draw.polygon(points, fill="#ffffff")


@cache
def leaves() -> list[list[Point]]:
    """Return the leaves of our mark as polygons, from its SVG: each is made of two curves."""
    svg = (settings.BASE_DIR / "templates/core/_mark.svg").read_text()
    numbers = re.compile(r"-?[0-9.]+")
    found = []
    for leaf in re.findall(r"M[^Z]+Z", svg):
        values = [float(each) for each in numbers.findall(leaf)]
        points = list(zip(values[::2], values[1::2], strict=True))
        outline = [points[0]]
        for control, end in zip(points[1::2], points[2::2], strict=True):
            outline += curve(outline[-1], control, end)
        found.append(outline)
    return found


def curve(start: Point, control: Point, end: Point) -> list[Point]:
    """Return points of a quadratic Bézier curve, without its start."""
    points = []
    for step in range(1, STEPS + 1):
        t = step / STEPS
        before, between, after = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append(
            (
                before * start[0] + between * control[0] + after * end[0],
                before * start[1] + between * control[1] + after * end[1],
            )
        )
    return points
