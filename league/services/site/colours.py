"""The league's accent colours: whether they can be read on our pages, and what follows from them.

Contrast is that of WCAG 2.2: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import md5

LEAST = 4.5
"""The contrast of text that level AA asks for."""
BLACK, WHITE, NIGHT = "#000000", "#ffffff", "#0d1f16"
INK, DARK_INK = "#191e1a", "#e9ece7"
"""The colour of text on light and on dark pages, as in ``tokens.css``."""


@dataclass(frozen=True)
class Theme:
    """The colours of our pages on which the accent stands, as in ``tokens.css``."""

    paper: str
    surface: str
    sunken: str
    towards: str
    """The colour that is mixed into the accent of focused links."""


LIGHT = Theme("#f7f7f3", "#ffffff", "#efefe9", BLACK)
DARK = Theme("#101411", "#181d19", "#202621", WHITE)


@dataclass(frozen=True)
class Shades:
    """An accent colour and the colours made from it."""

    accent: str
    deep: str
    tint: str
    on: str
    """Of text on the accent."""


def shades(accent: str, theme: Theme) -> Shades:
    return Shades(
        accent=accent,
        deep=mix(accent, theme.towards, 0.3),
        tint=mix(accent, theme.surface, 0.88),
        on=max(WHITE, NIGHT, key=lambda text: contrast(text, accent)),
    )


def worst_contrast(accent: str, theme: Theme) -> float:
    """Return the lowest contrast that an accent has where pages use it."""
    made = shades(accent, theme)
    grounds = (theme.paper, theme.surface, theme.sunken, made.tint)
    return min(*(contrast(accent, ground) for ground in grounds), contrast(made.on, accent))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = (linear(part / 255) for part in parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(one: str, other: str, share: float) -> str:
    """Return a colour with this share of ``other``."""
    pairs = zip(parts(one), parts(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def sheet(accent: str, dark_accent: str) -> str:
    """Return a style sheet with the league's colours, empty without any."""
    if not accent and not dark_accent:
        return ""
    light = shades(accent, LIGHT) if accent else OUR_LIGHT
    # Ours come back on dark pages, where an accent for light ones could not be read.
    dark = shades(dark_accent, DARK) if dark_accent else OUR_DARK
    pages = declarations(light, dark)
    return f":root {{ {pages} {of_scheme('light', light)} {of_scheme('dark', dark)} }}\n"


OUR_LIGHT = Shades("#1c6a47", "#14513a", "#e4f1e9", "#ffffff")
OUR_DARK = Shades("#7fd0a3", "#a3e0bf", "#1b3226", "#0d1f16")


def declarations(light: Shades, dark: Shades) -> str:
    return (
        f"--laurel: light-dark({light.accent}, {dark.accent}); "
        f"--laurel-deep: light-dark({light.deep}, {dark.deep}); "
        f"--laurel-tint: light-dark({light.tint}, {dark.tint}); "
        f"--on-laurel: light-dark({light.on}, {dark.on}); "
        f"--band: light-dark({light.deep}, {dark.tint});"
    )


def of_scheme(scheme: str, made: Shades) -> str:
    """Return the colours of one scheme, which the admin mixes for parts of its own."""
    names = {"accent": made.accent, "deep": made.deep, "tint": made.tint}
    return " ".join(f"--{scheme}-{name}: {value};" for name, value in names.items())


def mail_sheet(accent: str, dark_accent: str) -> str:
    """Return a style sheet for mails in the league's colours, on light and on dark ground."""
    light = shades(accent, LIGHT) if accent else OUR_LIGHT
    dark = shades(dark_accent, DARK) if dark_accent else OUR_DARK
    return (
        f"body {{ margin: 0 auto; max-width: 36rem; padding: 16px; font: 16px/1.5 sans-serif; "
        f"color: {INK}; background: {LIGHT.surface}; border-top: 4px solid {light.accent}; }} "
        f"a {{ color: {light.accent}; }} "
        "@media (prefers-color-scheme: dark) { "
        f"body {{ color: {DARK_INK}; background: {DARK.surface}; border-color: {dark.accent}; }} "
        f"a {{ color: {dark.accent}; }} }}"
    )


def digest_of(accent: str, dark_accent: str) -> str:
    """Return what tells the style sheets of two leagues apart, empty without colours."""
    if not accent and not dark_accent:
        return ""
    return md5(sheet(accent, dark_accent).encode(), usedforsecurity=False).hexdigest()[:12]
