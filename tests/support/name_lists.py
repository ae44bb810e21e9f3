"""Genuine names of fourteen scripts, and imitations of a name."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

LISTS = Path(__file__).with_name("genuine_names.txt")
LOOKALIKES = {
    "a": "аαɑạáâäåāăᴀ⍺ａ𝐚𝒂𝖺ⓐ4@",
    "d": "ԁɗđďḍᴅⅾｄ𝐝𝖽ⓓ",
    "e": "еҽɛéèêëēęẹεᴇℯｅ𝐞𝖾ⓔ3€",
    "g": "ɡցǵğĝġɢｇ𝐠𝗀ⓖ9",
    "i": "іıίíìîïīιɩⅰｉ𝐢𝗂ⓘ1lI|!",
    "l": "ӏļłḷĺľɫʟⅼｌ𝐥𝗅ⓛ1I|!",
    "m": "ṃḿɱᴍⅿｍ𝐦𝗆ⓜ",
    "n": "ոñńņňṇɴηｎ𝐧𝗇ⓝ",
}
"""Characters that look like a letter, or that people read as it."""
WRITTEN_DIFFERENTLY = {"d": ["cl", "cI", "c1"], "m": ["rn"], "n": ["ᥒ"], "w": ["vv", "VV"]}
INVISIBLE = (
    "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u061c\u180e\u2063\u3164\u115f\ufe0f\U000e0041"
)
MARKS = "\u0300\u0301\u0308\u0327\u0332\u0336\u0489\u20dd\u0338\u035c"
ORNAMENTS = ["{}.", ".{}", "_{}_", "{}!", "-{}-", "“{}”", "{}’", "({})", "[{}]", "~{}~", "*{}*",
             "{}ꓸ", "{}ꓹ", "{}ꓽ",
             "{}·", " {}", "{}  ", "{}…", "{}★", "♥{}♥", "{}|", "|{}|", "{}™"]  # fmt: skip


def genuine_names() -> Iterator[tuple[str, str]]:
    """Yield names with their scripts."""
    for line in LISTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        script, joint, given, family = line.split("|")
        for first, last in product(given.split(), family.split()):
            yield script, last + first if joint == "-" else f"{first} {last}"


def imitations(name: str) -> list[str]:
    """Return names that people would read as ``name``."""
    made = [name.lower(), name.upper(), name.swapcase(), name.title()]
    for at, letter in enumerate(name):
        head, tail = name[:at], name[at + 1 :]
        others = [*LOOKALIKES.get(letter.lower(), ""), *WRITTEN_DIFFERENTLY.get(letter.lower(), [])]
        made += [head + other + tail for other in others]
        made += [head + letter + mark + tail for mark in MARKS]
        made += [head + letter + character + tail for character in INVISIBLE]
        if at:
            made += [f"{head}{joint}{letter}{tail}" for joint in ". -_'·"]
    made += [pattern.format(name) for pattern in ORNAMENTS]
    made += ["".join(LOOKALIKES.get(letter, letter)[0] for letter in name.lower())]
    made += ["".join(LOOKALIKES.get(letter, letter)[-1] for letter in name.lower())]
    for first in (0xFF41, 0x1D41A, 0x24D0):  # full width, bold, circled
        made.append("".join(chr(first + ord(letter) - ord("a")) for letter in name.lower()))
    return list(dict.fromkeys(made))
