"""Functions are verbs or nouns, not single participles, and no docstring begins with a question."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
PACKAGES = ("ratings", "matchmaking", "league", "embedded", "libraries", "benchmarks")
IRREGULAR = re.compile(
    r"told|kept|held|shown|made|known|written|sent|taken|said|given|seen|done|drawn|"
    r"left|built|bought|brought|caught|chosen|dealt|driven|felt|forgotten|gone|got|grown|"
    r"heard|hidden|laid|led|lent|lost|meant|met|paid|risen|sold|shut|spoken|spent|stood|"
    r"struck|thought|thrown|understood|won|wound|bound|begun|broken|borne|torn"
)
QUESTION = re.compile(r"(Who|Whom|Whose|What|How|Which|When|Where|Why)\b")
NO_PARTICIPLES = {
    "embed",
    "exceed",
    "feed",
    "need",
    "oembed",
    "proceed",
    "red",
    "seed",
    "shed",
    "speed",
}
OF_FRAMEWORKS = {"failed", "throttled"}
"""Methods that allauth and Django REST framework call by these names."""


def is_participle(name: str) -> bool:
    word = name.strip("_")
    is_regular = re.fullmatch(r"[a-z]+ed", word) and word not in NO_PARTICIPLES
    return bool(IRREGULAR.fullmatch(word) or is_regular)


def children(owner: ast.AST) -> list[ast.AST]:
    body = getattr(owner, "body", [])
    return body if isinstance(body, list) else []


def may_be_adjective(function: ast.FunctionDef, owner: ast.AST) -> bool:
    """Return whether a function is a property, a filter of rows or a template tag."""
    decorators = " ".join(map(ast.unparse, function.decorator_list))
    bases = " ".join(map(ast.unparse, owner.bases)) if isinstance(owner, ast.ClassDef) else ""
    return "property" in decorators or "register" in decorators or "QuerySet" in bases


def test_no_function_is_named_by_a_participle_alone() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{one.lineno} {one.name}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for owner in ast.walk(ast.parse(path.read_text()))
        for one in children(owner)
        if isinstance(one, ast.FunctionDef)
        and is_participle(one.name)
        and one.name not in OF_FRAMEWORKS
        and not may_be_adjective(one, owner)
    ]
    assert found == []


def texts_of(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of a file: of its functions, classes and attributes, and its own."""
    for owner in ast.walk(tree):
        for one in children(owner):
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                yield one.lineno, str(one.value.value).strip()


def test_no_docstring_begins_with_a_question_word() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {text.splitlines()[0]}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for line, text in texts_of(ast.parse(path.read_text()))
        if QUESTION.match(text)
    ]
    assert found == []
