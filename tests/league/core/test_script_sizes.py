"""The scripts that pages load: few enough for a slow connection."""

import gzip
import re
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

MOST = 40_000
"""Bytes of all scripts of a page together, compressed."""
SCRIPT = re.compile(r"<script\b[^>]*>")
SOURCE = re.compile(r'src="\{% static "?\'?(js/[a-z0-9/-]+\.js)"?\'? %\}"')
OTHERS = {"admin", "api/docs.html"}
"""Templates with scripts of Django and of the API's documentation."""


def size_of(source: str) -> int:
    """Return the compressed size of a static file."""
    return len(gzip.compress(Path(str(finders.find(source))).read_bytes(), 6))


def test_all_scripts_of_all_templates_together_are_small() -> None:
    """So those of any page are, whichever of them it loads."""
    sources = {"django_htmx/htmx-2.min.js"}
    folder = Path(settings.BASE_DIR) / "templates"
    for template in folder.rglob("*.html"):
        name = template.relative_to(folder).as_posix()
        if name in OTHERS or name.split("/")[0] in OTHERS:
            continue
        for tag in SCRIPT.findall(template.read_text()):
            found = SOURCE.search(tag)
            assert found, f"{name} loads a script from elsewhere, or has one in it: {tag}"
            sources.add(found[1])
    assert len(sources) > 5
    sizes = {source: size_of(source) for source in sorted(sources)}
    assert sum(sizes.values()) <= MOST, sizes
