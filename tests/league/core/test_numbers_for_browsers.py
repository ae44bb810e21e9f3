"""Templates write the numbers that browsers read without the reader's decimal separator."""

import re
from pathlib import Path

import pytest
from django.conf import settings

DRAWN = re.compile(
    r"<(?:svg|line|rect|circle|path|text|tspan|polyline|polygon|g|foreignObject|stop|meter|progress)"
    r"\b(?:[^<>\"]|\"[^\"]*\")*>"
)
READ = re.compile(
    r"\b(?:[xyr]|[xy][12]|c[xy]|r[xy]|d[xy]?|width|height|points|transform|viewBox|min|max|value)"
    r"=\"([^\"]*\{\{[^\"]*)\""
)
OFF = re.compile(r"\{% localize off %\}.*?\{% endlocalize %\}", re.DOTALL)
PLAIN = ("unlocalize", "stringformat")
TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.*"))


@pytest.mark.parametrize("path", [path for path in TEMPLATES if path.suffix in {".html", ".svg"}])
def test_coordinates_and_values(path: Path) -> None:
    source = OFF.sub("", path.read_text())
    written = [
        value
        for tag in DRAWN.findall(source)
        for attribute in READ.findall(tag)
        for value in re.findall(r"\{\{(.*?)\}\}", attribute)
    ]
    assert not [value for value in written if not any(name in value for name in PLAIN)]
