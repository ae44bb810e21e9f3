"""The reproduction as a page of the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.lab.reproduction.parts import Part

PAGE = "reproduction.md"
INTRODUCTION = """\
# The paper's experiments, run again

`manage.py reproduce` repeats the experiments of Ebtekar and Liu, “Elo-MMR: A Rating System for
Massive Multiplayer Competitions” (2021), that need only synthetic data, with every rating system of
this library, and writes this page."""


def page(parts: Sequence[Part]) -> str:
    """Return the page in Markdown, with its plots in the same folder."""
    sections = [INTRODUCTION]
    for part in parts:
        plots = [f"![{part.title}]({name})" for name in part.plots]
        sections.append("\n\n".join([f"## {part.title}", *plots, f"```text\n{part.text}\n```"]))
    return "\n\n".join(sections) + "\n"
