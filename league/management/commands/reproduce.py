"""Repeat the Elo-MMR paper's experiments with every rating system."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from ratings.io.contestfiles import ContestError, read_folder
from ratings.lab.reproduction.accuracy import accuracy
from ratings.lab.reproduction.farming import farming
from ratings.lab.reproduction.groups import group_sizes
from ratings.lab.reproduction.page import PAGE, page
from ratings.lab.reproduction.parts import SIZES, Part, Size
from ratings.lab.reproduction.real import real_contests
from ratings.registry import SYSTEMS, UnknownSystem, find

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

PARTS = ("tables", "attack", "groups")


class Command(BaseCommand):
    help = (
        "Repeat the experiments of the Elo-MMR paper on synthetic data: tables 2 and 3 (accuracy "
        "and time), figure 2 (losing on purpose) and figure 3 (group sizes). Needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; default: all"
        )
        parser.add_argument(
            "--size",
            choices=list(SIZES),
            default="full",
            help="full is the paper's size and takes minutes, quick takes seconds",
        )
        parser.add_argument(
            "--systems", metavar="NAME,NAME", help="only these systems; see manage.py systems"
        )
        parser.add_argument(
            "--docs", type=Path, metavar="FOLDER", help=f"also write {PAGE} and the plots there"
        )

        parser.add_argument(
            "--contests",
            type=Path,
            metavar="FOLDER",
            help="evaluate the systems on these contests instead, in the JSON form of the paper's "
            "program: 0.json, 1.json and so on",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        systems = _systems(options["systems"])
        if options["contests"]:
            self._on_contests(options["contests"], systems, options)
            return
        chosen = options["parts"] or PARTS
        unknown = [name for name in chosen if name not in PARTS]
        if unknown:
            raise CommandError(f"There is no part {unknown[0]}; choose from {', '.join(PARTS)}.")
        folder: Path | None = options["docs"]
        if folder and not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.")
        parts = []
        for name in chosen:
            part = self._run(name, SIZES[options["size"]], systems)
            self.stdout.write(f"{part.title}\n\n{part.text}\n")
            parts.append(part)
        if folder:
            _write(folder, parts)

    def _on_contests(self, folder: Path, systems: Sequence[str], options: dict[str, Any]) -> None:
        if options["parts"] or options["docs"]:
            raise CommandError("--contests stands alone, without parts and --docs.")
        if not folder.is_dir():
            raise CommandError(f"There is no folder {folder}.")
        try:
            history = read_folder(folder)
        except ContestError as error:
            raise CommandError(f"{error}.") from None
        name = folder.resolve().name
        part = real_contests(name, history, systems, time.process_time, self._report)
        self.stdout.write(f"{part.title}\n\n{part.text}\n")

    def _report(self, step: str) -> None:
        self.stderr.write(f"{step} ...")

    def _run(self, name: str, size: Size, systems: Sequence[str]) -> Part:
        if name == "tables":
            return accuracy(size, systems, time.process_time, self._report)
        return {"attack": farming, "groups": group_sizes}[name](size, systems, self._report)


def _systems(names: str | None) -> list[str]:
    chosen = [name.strip() for name in names.split(",")] if names else list(SYSTEMS)
    for name in chosen:
        try:
            find(name)
        except UnknownSystem as error:
            raise CommandError(f"{error}.") from None
    return chosen


def _write(folder: Path, parts: Sequence[Part]) -> None:
    files = {PAGE: page(parts)}
    for part in parts:
        files |= part.plots
    for name, text in files.items():
        try:
            (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"Cannot write {folder / name}: {error.strerror}.") from None
