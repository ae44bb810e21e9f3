"""The published configuration, and its attributes in a normal form."""

import re
from pathlib import Path

PUBLISHED = (Path(__file__).parent / "published.xml").read_text()


def attributes(text: str) -> list[tuple[str, dict[str, str]]]:
    """Return each element's tag and attributes, in order."""
    without_comments = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    found = re.findall(r"<(\w+)((?:\s+[\w-]+=\"[^\"]*\")*)\s*/?>", without_comments)
    return [(tag, dict(re.findall(r"([\w-]+)=\"([^\"]*)\"", own))) for tag, own in found]


def normalized(elements: list[tuple[str, dict[str, str]]]) -> list[str]:
    """Return elements in sorted order, with one spelling of zero."""
    zeros = {"0.0": "0", "0ms": "0s"}
    return sorted(
        f"{tag} {sorted((name, zeros.get(text, text)) for name, text in own.items())}"
        for tag, own in elements
        if tag != "Configuration"
    )
