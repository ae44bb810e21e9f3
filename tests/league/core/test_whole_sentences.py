"""Texts are translated in whole sentences: nothing that people read is assembled from parts.

Other languages have another order of words, and other signs: a Chinese list has no comma, a verb
may come before its noun. So no text begins or ends with a space or a comma, states stand behind a
colon, lists are joined by ``league.models.lists``, and templates put no stops between texts.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType
from django.utils.translation import override

from league.models.lists import list_of, list_with_and, list_with_or

ROOT = Path(__file__).parents[3]
CALLS = {
    "_": 1, "gettext": 1, "gettext_lazy": 1, "gettext_lazily": 1, "Sentence": 1,
    "ngettext": 2, "ngettext_lazy": 2, "ngettext_lazily": 2, "pgettext": 1, "pgettext_lazy": 1,
}  # fmt: skip
"""The functions that translate, or mark what is translated later, with their number of texts."""

FOR_PROGRAMS = {
    # What is typed into a field again, or stored in the language-neutral ledger of staff.
    "league/admin/competitions/tie_break_list.py",
    "league/admin/core/audit.py",
    "league/admin/core/fields.py",
    "league/admin/core/values.py",
    "league/admin/moderation/case_forms.py",
    "league/admin/other_rules/forms.py",
    "league/admin/queue/forms.py",
    "league/services/arenas/settings.py",
    "league/services/competitions/records.py",
    "league/services/corrections/undoing.py",
    "league/services/people/entry_lists.py",
    "league/services/people/roles.py",
    "league/services/privacy/profile.py",
    # SQL, headers, addresses, files and what programs say in English.
    "league/admin/apps/apps.py",
    "league/apps.py",
    "league/checks.py",
    "league/environment_values.py",
    "league/services/other_rules/reports.py",
    "league/services/transfer/files/result_files.py",
    "league/web/apps/consent.py",
    "league/api/core/deprecation.py",
    "league/api/core/sparse.py",
    "league/models/staff.py",
    "league/services/core/binary.py",
    "league/services/core/columns.py",
    "league/services/core/declared.py",
    "league/services/core/statements.py",
    "league/services/integrity/queue.py",
    "league/services/operations/postgres_tools.py",
    "league/services/operations/restoring.py",
    "league/services/replay/statements.py",
    "league/services/transfer/configuration/rating_blocks.py",
    "league/services/transfer/configuration/settings_blocks.py",
    "league/services/transfer/files/examples.py",
    "league/services/transfer/files/round_trips.py",
    "league/services/webhooks/addresses.py",
    "league/web/core/middleware.py",
}
FRAGMENT = re.compile(r"^\s|\s$|^[,;.:]")
STATE = re.compile(r"%\((state|kind|action|status)\)s")
BEFORE_A_STATE = re.compile(r"(^|[:(·–] )$|\($")
SENTENCE = re.compile(r"^[^a-z].*[.?!]$", re.DOTALL)
STOPS = re.compile(r"[,;]|(?<!V)\.(?=\s|$)")
INLINE = re.compile(r"</?(a|b|strong|span|em|small|time|abbr|bdi|i|cite|button|label)\b[^>]*>")
HANGING = re.compile(
    r"""\{% translate "[^"]*\b(until|from|since|by|on|at|after|before)" %\}"""
    r"""\s*(</?\w+[^>]*>)*\s*\{% (moment|day|hour|played)\b"""
)


@cache
def nodes() -> list[tuple[str, ast.Call | ast.BinOp]]:
    """Return the calls and sums of all modules, with their paths."""
    return [
        (str(path.relative_to(ROOT)), node)
        for package in ("league", "ratings", "matchmaking")
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call | ast.BinOp)
    ]


def name_of(call: ast.AST) -> str:
    if not isinstance(call, ast.Call):
        return ""
    return str(getattr(call.func, "id", None) or getattr(call.func, "attr", ""))


def texts_of(call: ast.AST) -> list[str]:
    """Return the texts that a call translates."""
    name = name_of(call)
    if not isinstance(call, ast.Call) or name not in CALLS:
        return []
    first = int(name.startswith("pgettext"))
    given = call.args[first : first + CALLS[name]]
    return [str(one.value) for one in given if isinstance(one, ast.Constant) and one.value]


def texts_within(part: ast.AST) -> list[str]:
    """Return the texts of an expression that is a translation, with its values or without."""
    if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod):
        part = part.left
    return texts_of(part)


def templates() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "templates").rglob("*.html")):
        yield str(path.relative_to(ROOT)), path.read_text()


def marked_in(template: str) -> Iterator[str]:
    """Yield the texts of a template's translation tags, with placeholders as in Python."""
    yield from re.findall(r"""\{% translate "([^"]*)\"""", template)
    for tag, inside in re.findall(
        r"\{% blocktranslate([^%]*)%\}(.*?)\{% endblocktranslate %\}", template, re.DOTALL
    ):
        for form in re.split(r"\{% plural %\}", inside):
            text = re.sub(r"\{\{ (\w+) \}\}", r"%(\1)s", form)
            yield text.strip() if "trimmed" in tag else text


def marked() -> Iterator[tuple[str, str]]:
    for where, node in nodes():
        yield from ((where, text) for text in texts_of(node))
    for where, template in templates():
        yield from ((where, text) for text in marked_in(template))


def test_no_text_is_a_fragment() -> None:
    assert [one for one in marked() if FRAGMENT.search(one[1])] == []


def test_states_stand_apart_from_sentences() -> None:
    found = [
        (where, text)
        for where, text in marked()
        for placed in STATE.finditer(text)
        if not BEFORE_A_STATE.search(text[: placed.start()])
    ]
    assert found == []


def test_only_whole_sentences_are_put_side_by_side() -> None:
    found = [
        (where, text)
        for where, node in nodes()
        if isinstance(node, ast.BinOp)
        if isinstance(node.op, ast.Add)
        for part in (node.left, node.right)
        for text in texts_within(part)
        if not SENTENCE.match(text) and "in hindsight" not in text  # behind a dot
    ]
    assert found == []


def test_lists_for_people_are_joined_in_their_language() -> None:
    found = {
        where
        for where, node in nodes()
        if where.startswith("league/")
        and not where.startswith(("league/management", "league/logs"))
        and name_of(node) == "join"
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Constant)
        and node.func.value.value == ", "
    }
    assert found == FOR_PROGRAMS
    in_templates = [where for where, text in templates() if re.search(r"""\|join:"[,;] \"""", text)]
    assert in_templates == []


def visible_lines(template: str) -> Iterator[str]:
    """Yield the text between block elements: ``T`` for a translation, ``V`` for a value."""
    parts, inside = [], ""
    for token in Lexer(template).tokenize():
        name = token.contents.split()[0] if token.contents.split() else ""
        if token.token_type == TokenType.BLOCK:
            if inside:
                inside = "" if name == f"end{inside}" else inside
            elif name in {"blocktranslate", "comment"}:
                inside = name
                parts.append("\1" if name == "blocktranslate" else "")
            else:
                parts.append("\1" if name == "translate" else "\2" if name == "include" else "")
        elif token.token_type == TokenType.VAR:
            parts.append("" if inside else "\2")
        elif token.token_type == TokenType.TEXT and not inside:
            parts.append(token.contents)
    text = re.sub(
        r"<(script|style|svg|code|pre)\b.*?</\1>", "\n\n", "".join(parts), flags=re.DOTALL
    )
    text = INLINE.sub("", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
    for line in re.split(r"<[^>]*>", text):
        yield " ".join(re.sub(r"&\w+;", "", line).split())


def test_templates_put_no_stops_between_texts() -> None:
    found = [
        (where, line.replace("\1", "T").replace("\2", "V"))
        for where, template in templates()
        for line in visible_lines(template)
        if ("\1" in line or "\2" in line) and STOPS.search(line)
    ]
    assert found == []


def test_no_text_hangs_on_a_time() -> None:
    assert [where for where, template in templates() if HANGING.search(template)] == []


@pytest.mark.parametrize(
    ("names", "plain", "both", "either"),
    [
        ([], "", "", ""),
        (["A"], "A", "A", "A"),
        (["A", "B"], "A, B", "A and B", "A or B"),
        (["A", "B", 3], "A, B, 3", "A, B and 3", "A, B or 3"),
    ],
)
def test_lists(names: list[object], plain: str, both: str, either: str) -> None:
    with override("en"):
        assert list_of(names) == plain
        assert list_with_and(iter(names)) == both
        assert list_with_or(iter(names)) == either
