"""Histories that are split: the matches before teach, those after count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ratings.commands.inputs import HISTORY, CommandProblem, add_encoding, read_history
from ratings.io.csvfile import microseconds
from ratings.lab.trial import split_at

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ratings.history import History


def add_history_arguments(parser: ArgumentParser) -> None:
    """Add the history, how to read its columns, and the split."""
    parser.add_argument(
        "history", type=Path, metavar="HISTORY.csv", help=f"{HISTORY}; others are ignored"
    )
    add_reading_arguments(parser)


def add_reading_arguments(parser: ArgumentParser) -> None:
    """Add how to read the columns of a history, and the split."""
    add_encoding(parser)
    parser.add_argument(
        "--context", default="", metavar="COLUMN", help="read this column as the profession"
    )
    parser.add_argument(
        "--first-side",
        default="",
        metavar="COLUMN",
        help="the column that says which side is at home or begins; default: first or neutral",
    )
    parser.add_argument(
        "--split",
        default="0.5",
        metavar="SHARE|DATE",
        help="judge the matches after this share of them, or from this date on; 0.5 by default",
    )


def read_split(options: Namespace) -> tuple[History, int]:
    """Return the history and the first match after the split."""
    history = read_history(options.history, options.context, options.first_side, options.encoding)
    return history, first_after(history, options.split)


def first_after(history: History, split: str) -> int:
    """Return the first match after a split: a share of the matches, or a date."""
    first = split_at(history, _split(split))
    if first >= len(history):
        raise CommandProblem(f"No match is left after the split {split}.")
    return first


def _split(text: str) -> float | int:
    try:
        share = float(text)
    except ValueError:
        try:
            return microseconds(text)
        except (ValueError, OverflowError):
            raise CommandProblem(
                f"The split “{text}” is not a share such as 0.5, or a date such as 2024-05-31."
            ) from None
    if not 0 <= share < 1:
        raise CommandProblem(f"The split must be from 0 to less than 1; you gave {text}.")
    return share
