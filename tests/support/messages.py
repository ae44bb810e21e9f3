"""The messages of the source: what its calls of gettext and its templates ask translations for."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.template import engines
from django.template.base import Node
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from league.management.commands.makemessages import keywords, texts_of_engines, texts_of_models

ENGINES = {
    name: int(place or 1) - 1
    for name, _colon, place in (
        keyword.removeprefix("--keyword=").partition(":") for keyword in keywords()
    )
}
"""Functions and errors of the engines that are given a message, with its index."""
LENGTHS = {"gettext": 1, "ngettext": 2, "pgettext": 2, "npgettext": 3}
"""The texts of a call, contexts included."""
LITERAL = re.compile(r"""\b_\(\s*(?:"([^"]+)"|'([^']+)')\s*\)""")


class Message(NamedTuple):
    """What identifies a translation."""

    context: str | None
    text: str


def messages_of_source() -> dict[Message, str]:
    """Return the messages of the site, each with a file that has it."""
    declared = [*texts_of_engines(), *texts_of_models()]
    found = {Message(None, text): "settings, models and libraries" for text in declared}
    for package in ("league", "ratings", "matchmaking"):
        for path in sorted((settings.BASE_DIR / package).rglob("*.py")):
            for message in messages_of_module(ast.parse(path.read_text())):
                found.setdefault(message, str(path))
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.*")):
        if path.suffix in {".html", ".txt", ".svg"}:
            for message in messages_of_template(path):
                found.setdefault(message, str(path))
    return found


def messages_of_module(tree: ast.Module) -> Iterator[Message]:
    """Find calls of gettext under its names, and those that the module gives it."""
    names = {name: name.removesuffix("_lazy").removesuffix("_noop") for name in _all_names()}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.asname and alias.name in names:
                    names[alias.asname] = names[alias.name]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = str(getattr(node.func, "id", "") or getattr(node.func, "attr", ""))
        if name in ENGINES:
            for argument in node.args[ENGINES[name] : ENGINES[name] + 1]:
                if isinstance(argument, ast.Constant) and argument.value:
                    yield Message(None, str(argument.value))
            continue
        kind = names.get(name) if isinstance(node.func, ast.Name) else None
        if kind is None or not node.args:
            continue
        texts = [
            one.value
            for one in node.args
            if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        if len(texts) < min(LENGTHS[kind], len(node.args)):
            continue  # a variable, whose text is marked elsewhere
        has_context = kind.startswith(("p", "np"))
        message = Message(texts[0] if has_context else None, texts[1 if has_context else 0])
        if message.text:
            yield message


def _all_names() -> list[str]:
    return [f"{name}{end}" for name in LENGTHS for end in ("", "_lazy", "_noop")]


def messages_of_template(path: Path) -> Iterator[Message]:
    source = path.read_text()
    template = engines["django"].from_string(source).template  # type: ignore[attr-defined] # Django's engine has it
    for node in template.nodelist.get_nodes_by_type(Node):
        if isinstance(node, TranslateNode):
            value: Any = node.filter_expression.var
            text = getattr(value, "literal", value)
            if isinstance(text, str) and not getattr(value, "lookups", None):
                yield Message(_context_of(node), text)
        elif isinstance(node, BlockTranslateNode):
            text, _names = node.render_token_list(node.singular)
            yield Message(_context_of(node), text)
    for double, single in LITERAL.findall(source):
        yield Message(None, double or single)


def _context_of(node: Any) -> str | None:
    given = node.message_context
    return None if given is None else str(getattr(given.var, "literal", given.var))
