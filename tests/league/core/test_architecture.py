"""What newcomers read first is true: the table of domains and the files to change."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text()
EXTEND = (ROOT / "README.md").read_text().split("## Extend")[1].split("\n## ")[0]


def test_the_table_lists_every_domain() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", ARCHITECTURE, re.MULTILINE))
    layers = ("services", "web", "api", "admin")
    domains = {
        one.parent.name
        for layer in layers
        for one in (ROOT / "league" / layer).glob("*/__init__.py")
    }
    assert domains - listed == set()


def test_the_files_to_change_exist() -> None:
    named = re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", EXTEND + ARCHITECTURE)
    roots = (ROOT, ROOT / "league", ROOT / "league/services")
    assert len(named) > 30
    assert [one for one in named if not any((root / one).exists() for root in roots)] == []
