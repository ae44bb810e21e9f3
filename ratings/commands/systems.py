"""List the rating systems with all their parameters."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ratings.contests.first_side import all_terms
from ratings.registry import SYSTEMS
from ratings.tunables.declarations import declarations

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ratings.io.csvwriter import Writable
    from ratings.system import RatingSystem
    from ratings.tunables.declarations import Declaration

HELP = "List the rating systems with their parameters: range, default, source and description."


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: Namespace, output: Writable) -> None:
    """Carry out the command."""
    if options.json:
        listed = [_as_json(system) for system in SYSTEMS.values()]
        output.write(json.dumps(listed, indent=2, ensure_ascii=False) + "\n")
    else:
        output.write("\n\n".join(_as_text(system) for system in SYSTEMS.values()) + "\n")


def _as_json(system: type[RatingSystem]) -> dict[str, Any]:
    return {
        "name": system.name,
        "label": system.label,
        "summary": system.summary,
        "shows": asdict(system.shows),
        "published": {name: asdict(each) for name, each in system.published.items()},
        "parameters": [each.as_json() for each in declarations(system.Parameters)],
        "terms": [asdict(term) for term in all_terms(system)],
    }


def _as_text(system: type[RatingSystem]) -> str:
    heading = f"{system.name} ({system.label})"
    parameters = [_parameter(each) for each in declarations(system.Parameters)]
    published = [
        _wrap(f"{system.name}:{name}: as published, by {each.label}. {each.source}.", "  ")
        for name, each in system.published.items()
    ]
    return "\n".join([heading, _wrap(system.summary, "  "), *published, "", *parameters])


def _parameter(declared: Declaration) -> str:
    unit = (
        f" {declared.unit}" if declared.unit and declared.kind not in {"duration", "span"} else ""
    )
    facts = f"default {declared.default}{unit}, {declared.allowed}; {declared.source}"
    return f"  {declared.name}: {facts}\n{_wrap(declared.help, '      ')}"


def _wrap(text: str, indent: str) -> str:
    return textwrap.fill(text, width=96, initial_indent=indent, subsequent_indent=indent)
