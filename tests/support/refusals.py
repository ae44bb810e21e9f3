"""Every place in the code that refuses a request: its code, its sentence and its line."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from league.services.core import errors

ROOT = Path(__file__).parents[2]
CLASSES = {
    name
    for name, one in vars(errors).items()
    if isinstance(one, type) and issubclass(one, errors.Refused)
}


class Refusal(NamedTuple):
    """A refusal. If its code or sentence is computed, the expression stands in brackets."""

    code: str
    path: str
    line: int
    sentence: str

    @property
    def is_computed(self) -> bool:
        """Whether its code is computed, such as a match's status."""
        return self.code.startswith("(")

    def __str__(self) -> str:
        return f"{self.code:<24} {self.path}:{self.line}  {self.sentence}"


def find_refusals() -> list[Refusal]:
    """Return all refusals of the site, by code."""
    return sorted(one for path in (ROOT / "league").rglob("*.py") for one in read_refusals(path))


def read_refusals(path: Path) -> Iterator[Refusal]:
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in CLASSES
            and len(node.args) > 1
        ):
            code, sentence = map(text_of, node.args[:2])
            yield Refusal(code, str(path.relative_to(ROOT)), node.lineno, sentence)


def text_of(node: ast.expr) -> str:
    """Return a literal, translated or not, and otherwise the expression in brackets."""
    if isinstance(node, ast.BinOp):
        return text_of(node.left)
    if isinstance(node, ast.Call) and len(node.args) == 1 and ast.unparse(node.func) == "_":
        return text_of(node.args[0])
    if isinstance(node, ast.Constant):
        return str(node.value)
    return f"({ast.unparse(node)})"
