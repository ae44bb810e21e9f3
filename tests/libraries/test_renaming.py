"""The import names of the libraries."""

import ast
from pathlib import Path

import pytest

from libraries.renaming import NAMES, UnclearImport, rename

ROOT = Path(__file__).resolve().parents[2]
SOURCE = '''"""Uses ``ratings.replay`` and ratings."""

from ratings.replay import replay  # see `matchmaking.tick`
from ratings import registry
from .ratings import other
from ratings_of_others import something

if True:
    é = 1; from matchmaking.tick import (
        Tick,
    )

ratings = {"ratings": "from ratings.replay import replay"}
print(ratings.values())
'''
EXPECTED = '''"""Uses ``laurel_ratings.replay`` and ratings."""

from laurel_ratings.replay import replay  # see `laurel_matchmaking.tick`
from laurel_ratings import registry
from .ratings import other
from ratings_of_others import something

if True:
    é = 1; from laurel_matchmaking.tick import (
        Tick,
    )

ratings = {"ratings": "from ratings.replay import replay"}
print(ratings.values())
'''


def test_imports_and_mentions_are_renamed_and_nothing_else() -> None:
    assert rename(SOURCE) == EXPECTED


def test_an_import_that_would_bind_the_old_name_is_refused() -> None:
    with pytest.raises(UnclearImport, match="line 2: write “from … import …”"):
        rename("import os\nimport ratings.replay\n")


@pytest.mark.parametrize("engine", NAMES)
def test_every_module_of_an_engine_is_the_same_program_afterwards(engine: str) -> None:
    for file in (ROOT / engine).rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        assert _shape(ast.parse(rename(source))) == _shape(ast.parse(source)), file
        assert not _roots(ast.parse(rename(source))) & set(NAMES), file


def _shape(tree: ast.Module) -> str:
    """Return the program without what may differ: modules of imports, and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            node.module = None
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = None
    return ast.dump(tree)


def _roots(tree: ast.Module) -> set[str]:
    return {
        node.module.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
    }
