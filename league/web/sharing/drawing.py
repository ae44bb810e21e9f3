"""Drawing a card as a picture, in the size that messengers and networks show."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont, ImageOps

if TYPE_CHECKING:
    from league.web.sharing.cards import Card

SIZE = (1200, 630)
MARGIN, BAR = 80, 24
EMBLEM = 160
PAPER, INK, SOFT = "#ffffff", "#191e1a", "#565f58"
ACCENT = "#1c6a47"
"""That of a league without colours of its own."""
FONTS = files("font_source_sans_pro") / "files"
ELLIPSIS = "…"
PICTURES_KEPT = 50
"""Pictures that a process keeps, of about 40 kB each."""
MISSING = "\U0010ffff"
"""A character that no font has."""


@lru_cache(maxsize=PICTURES_KEPT)
def png(card: Card, league: str, accent: str = "") -> bytes:
    """Draw a card of a league with an accent colour, as PNG.

    A line with a character that the font lacks is left out: the page's title says it as well.
    """
    image = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, BAR, SIZE[1]), fill=accent or ACCENT)
    write(draw, (MARGIN, 64), card.heading, 36, SOFT)
    right = SIZE[0] - MARGIN - (EMBLEM + 40 if card.emblem else 0)
    write(draw, (MARGIN, 118), card.title, 76, INK, bold=True, right=right)
    if card.emblem:
        emblem = Image.open(BytesIO(card.emblem), formats=["WEBP"]).resize((EMBLEM, EMBLEM))
        image.paste(emblem, (SIZE[0] - MARGIN - EMBLEM, 64))
    for number, line in enumerate(card.lines):
        write(draw, (MARGIN, 250 + 72 * number), line, 52, INK)
    for number, (place, name, figure) in enumerate(card.rows):
        top = 226 + 60 * number
        write(draw, (MARGIN, top), place, 42, SOFT)
        left = MARGIN + 90 if place else MARGIN
        write(draw, (left, top), name, 42, INK, right=SIZE[0] - 360)
        left = SIZE[0] - MARGIN - round(font(42, bold=True).getlength(figure))
        write(draw, (left, top), figure, 42, INK, bold=True, right=SIZE[0])
    write(draw, (MARGIN, SIZE[1] - 76), league, 34, accent or ACCENT, bold=True)
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@lru_cache(maxsize=2)
def jpeg(ground: bytes, league: str, about: str) -> bytes:
    """Draw the name of a league over its picture, as JPEG: photos are too large as PNG.

    The lower half is dark enough for white text on any picture.
    """
    image = ImageOps.fit(Image.open(BytesIO(ground), formats=["WEBP"]).convert("RGB"), SIZE)
    shade = Image.linear_gradient("L").resize(SIZE).point(lambda value: min(1.7 * value, 190))
    image.paste("black", mask=shade)
    draw = ImageDraw.Draw(image)
    write(draw, (MARGIN, SIZE[1] - 196), league, 76, PAPER, bold=True)
    write(draw, (MARGIN, SIZE[1] - 96), about, 36, PAPER)
    file = BytesIO()
    image.save(file, "JPEG", quality=85)
    return file.getvalue()


def write(
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    size: int,
    colour: str,
    *,
    bold: bool = False,
    right: int = SIZE[0] - MARGIN,
) -> None:
    """Write a line up to the right edge, shortened if it is too long."""
    face = font(size, bold=bold)
    if all(has(letter, bold=bold) for letter in set(text)):
        draw.text(at, fit_text(text, face, right - at[0]), font=face, fill=colour)


def fit_text(text: str, face: ImageFont.FreeTypeFont, width: float) -> str:
    """Return a text, or as much of it as fits."""
    if face.getlength(text) <= width:
        return text
    while text and face.getlength(text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


@lru_cache(maxsize=32)
def font(size: int, *, bold: bool) -> ImageFont.FreeTypeFont:
    weight = "Semibold" if bold else "Regular"
    return ImageFont.truetype(str(FONTS / f"SourceSansPro-{weight}.ttf"), size)


@lru_cache(maxsize=4096)
def has(letter: str, *, bold: bool) -> bool:
    """Return whether the font has a character, and not only its box for unknown ones."""
    face = font(32, bold=bold)
    return letter.isspace() or bytes(face.getmask(letter)) != bytes(face.getmask(MISSING))
