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
FURTHER = (
    ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("DroidSansFallbackFull.ttf", "DroidSansFallbackFull.ttf"),
)
"""Fonts with Arabic, Hebrew and Chinese letters, plain and bold, which Pillow finds on the system.

They are larger than the site, so they are not shipped. Debian has them in ``fonts-dejavu-core`` and
``fonts-droid-fallback``.
"""
ELLIPSIS = "…"
PICTURES_KEPT = 50
"""Pictures that a process keeps, of about 40 kB each."""
MISSING = "\U0010ffff"
"""A character that no font has."""


@lru_cache(maxsize=PICTURES_KEPT)
def png(card: Card, league: str, accent: str = "") -> bytes:
    """Draw a card of a league with an accent colour, as PNG.

    A line with a character that no font has is left out: the page's title says it as well.
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
        left = SIZE[0] - MARGIN - round(length_of(figure, 42, bold=True))
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
    if not parts_of(text, bold=bold):
        return
    left, base = float(at[0]), at[1] + font(size, bold=bold).getmetrics()[0]
    for part, number in parts_of(fit_text(text, size, right - at[0], bold=bold), bold=bold):
        face = font(size, bold=bold, number=number)
        draw.text((left, base), part, font=face, fill=colour, anchor="ls")
        left += face.getlength(part)


def fit_text(text: str, size: int, width: float, *, bold: bool = False) -> str:
    """Return a text, or as much of it as fits."""
    if length_of(text, size, bold=bold) <= width:
        return text
    while text and length_of(text + ELLIPSIS, size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS


def length_of(text: str, size: int, *, bold: bool = False) -> float:
    parts = parts_of(text, bold=bold)
    return sum(font(size, bold=bold, number=number).getlength(part) for part, number in parts)


def parts_of(text: str, *, bold: bool) -> list[tuple[str, int]]:
    """Return a text in parts of one font each, with the fonts' numbers. Empty without a font.

    One font for all is best: it joins Arabic letters, and orders those that run from the right.
    """
    if not text:
        return []
    numbers = range(1 + len(FURTHER))
    for number in numbers:
        if all(has(letter, bold=bold, number=number) for letter in set(text)):
            return [(text, number)]
    parts: list[tuple[str, int]] = []
    for letter in text:
        known = [number for number in numbers if has(letter, bold=bold, number=number)]
        if not known:
            return []
        if parts and parts[-1][1] == known[0]:
            parts[-1] = (parts[-1][0] + letter, known[0])
        else:
            parts.append((letter, known[0]))
    return parts


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool, number: int = 0) -> ImageFont.FreeTypeFont:
    """Return our own font, or one of the system's by its number from 1."""
    weight = "Semibold" if bold else "Regular"
    own = FONTS / f"SourceSansPro-{weight}.ttf"
    return ImageFont.truetype(FURTHER[number - 1][bold] if number else str(own), size)


@lru_cache(maxsize=8192)
def has(letter: str, *, bold: bool, number: int = 0) -> bool:
    """Return whether a font has a character, and not only its box for unknown ones."""
    try:
        face = font(32, bold=bold, number=number)
    except OSError:  # it is not installed
        return False
    return letter.isspace() or bytes(face.getmask(letter)) != bytes(face.getmask(MISSING))
