"""Gives the engines the import names of the libraries.

The engines import each other as ``ratings`` and ``matchmaking``. Such names would clash with those
of others on the user's machine, so the libraries are ``laurel_ratings`` and ``laurel_matchmaking``.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize

NAMES = {"ratings": "laurel_ratings", "matchmaking": "laurel_matchmaking"}
_MENTION = re.compile(rf"(?<=`)({'|'.join(NAMES)})(?=\.[a-z])")
"""A module that a comment or docstring names, such as ``ratings.replay``."""

Edit = tuple[int, int, str, str]
"""Line from 1, column in characters, old text and new text."""


class UnclearImport(ValueError):
    """An import whose module cannot be renamed without changing more of the file."""


def rename(source: str) -> str:
    """Return the source of a module with the engines' names replaced by those of the libraries.

    Raises ``UnclearImport`` for ``import ratings.replay``, as later lines would then use the old
    name.
    """
    lines = source.splitlines(keepends=True)
    for line, column, old, new in sorted(_imports(source, lines) + _mentions(source), reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + new + text[column + len(old) :]
    return "".join(lines)


def _imports(source: str, lines: list[str]) -> list[Edit]:
    edits = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in NAMES:
                    raise UnclearImport(
                        f"line {node.lineno}: write “from … import …” instead of "
                        f"“import {alias.name}”"
                    )
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            old = node.module.split(".")[0]
            if old in NAMES:
                start = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
                column = lines[node.lineno - 1].index(old, start + len("from"))
                edits.append((node.lineno, column, old, NAMES[old]))
    return edits


def _mentions(source: str) -> list[Edit]:
    edits = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in {tokenize.STRING, tokenize.COMMENT}:
            continue
        for below, text in enumerate(token.string.splitlines()):
            first = token.start[1] if below == 0 else 0
            edits += [
                (token.start[0] + below, first + found.start(), found[0], NAMES[found[0]])
                for found in _MENTION.finditer(text)
            ]
    return edits
