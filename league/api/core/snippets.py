"""A request of an operation as a command, and as a program in Python and JavaScript."""

from __future__ import annotations

import json
import shlex
from pprint import pformat
from textwrap import indent
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from league.api.core.reference import Operation

TOKEN = "Bearer laurel_…"  # noqa: S105 - a place for one
UPLOADED = "picture.png"
WIDTH = 72
"""Characters of a line, as far as possible."""


def snippets_of(one: Operation) -> dict[str, str]:
    """Return the request in each language."""
    return {
        _("Command line"): command_of(one),
        "Python": python_of(one),
        "JavaScript": javascript_of(one),
    }


def command_of(one: Operation) -> str:
    """Return the request as a command for a terminal."""
    parts = [f"curl {address_of(one)}"]
    if one.method != "GET":
        parts[0] = f"curl -X {one.method} {address_of(one)}"
    if not one.is_open:
        parts.append(f"-H 'Authorization: {TOKEN}'")
    if one.example:
        body = json.dumps(json.loads(one.example), ensure_ascii=False)
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(body)}"]
    parts += [f"-F {name}=@{UPLOADED}" for name in one.files]
    return " \\\n    ".join(parts)


def python_of(one: Operation) -> str:
    """Return the request as a program that uses the package requests."""
    lines, given = ["import requests", ""], [f'"{address_of(one)}"']
    if not one.is_open:
        given.append(f'headers={{"Authorization": "{TOKEN}"}}')
    if one.example:
        body = pformat(json.loads(one.example), width=WIDTH, sort_dicts=False)
        lines.append(indent(f"body = {body}", " " * len("body = ")).strip())
        given.append("json=body")
    if one.files:
        files = ", ".join(f'"{name}": open("{UPLOADED}", "rb")' for name in one.files)
        given.append(f"files={{{files}}}")
    lines.append(f"answer = requests.{one.method.lower()}({listed(given)})")
    lines.append("print(answer.text)")
    return "\n".join(lines)


def javascript_of(one: Operation) -> str:
    """Return the request as a module for browsers, Node and the like."""
    lines, options = [], []
    if one.method != "GET":
        options.append(f'method: "{one.method}"')
    headers = {} if one.is_open else {"Authorization": TOKEN}
    if one.example:
        headers["Content-Type"] = "application/json"
        lines.append(f"const body = {one.example};")
        options.append("body: JSON.stringify(body)")
    if one.files:
        lines.append("const body = new FormData();")
        lines += [f'body.append("{name}", file); // such as input.files[0]' for name in one.files]
        options.append("body")
    if headers:
        options.insert(0, f"headers: {json.dumps(headers, ensure_ascii=False)}")
    given = [f'"{address_of(one)}"']
    if options:
        given.append(f"{{{listed(options, len(given[0]))}}}")
    lines.append(f"const answer = await fetch({', '.join(given)});")
    lines.append("console.log(await answer.text());")
    return "\n".join(lines)


def listed(parts: list[str], before: int = 0) -> str:
    """Return arguments on a line with so many characters before, or each on its own."""
    line = ", ".join(parts)
    if before + len(line) <= WIDTH:
        return line
    return "".join(f"\n    {part}," for part in parts) + "\n"


def address_of(one: Operation) -> str:
    return f"{settings.SITE_URL}{one.path}"
