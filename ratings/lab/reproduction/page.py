"""All parts as one page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.lab.reproduction.parts import Part

PAGE = "reproduction.md"
INTRODUCTION = """\
# The paper's experiments, run again

`manage.py reproduce` runs the experiments of Ebtekar and Liu, “Elo-MMR: A Rating System for Massive
Multiplayer Competitions” (2021), that need no data but made-up ones, with every rating system of
this library, and writes this page."""


def page(parts: Sequence[Part]) -> str:
    """The page in Markdown; plots are beside it."""
    sections = [INTRODUCTION]
    for part in parts:
        plots = [f"![{part.title}]({name})" for name in part.plots]
        sections.append("\n\n".join([f"## {part.title}", *plots, f"```text\n{part.text}\n```"]))
    return "\n\n".join(sections) + "\n"
