"""Tournaments of other programs that go on here: a Swiss of their pairings, and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Player
from league.models.names import fold
from league.services.competitions.running import reports
from league.services.core.errors import Refused
from league.services.transfer.files import file_imports
from league.services.transfer.files.reading import read_results, refusing, say
from ratings.files import trf, trf_reading
from ratings.files.choices import Choices
from ratings.files.documents import Document

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Competition, FileImport, User


def bring(
    one: Competition, *, name: str, content: bytes, by: User, now: datetime
) -> FileImport | None:
    """Let an empty Swiss go on with a report, and upload its results to be checked and imported.

    Return the upload, ``None`` if others have to import it. A report without dates is of today.

    Raises as :func:`reports.go_on`, and ``Refused`` if the file is no report or contradicts itself.
    """
    arena = one.season.arena
    report = read_report(content)
    if report.day_of(0) is None:
        report.starts = now.astimezone(arena.zone).date()
        content = trf.write(report).encode()
    what, chosen = file_imports.What.RESULTS, players_in_other_order(report)
    with transaction.atomic():
        reports.go_on(one.pk, report, chosen, by=by, now=now)
        if not file_imports.may_bring(by, arena, what):
            return None
        file = file_imports.upload(
            arena, what, name=name, content=content, season=None, by=by, now=now
        )
        file.mapping = {**file.mapping, "names": chosen}
        file.save(update_fields=["mapping"])
        return file


def players_in_other_order(report: trf.Trf) -> dict[str, int]:
    """Return the players who are called “Ann Ames” here, by the folded name “Ames, Ann”."""
    swapped: dict[str, list[str]] = {}
    for player in report.players.values():
        last, comma, first = player.name.partition(",")
        if comma and first.strip():
            swapped.setdefault(fold(f"{first.strip()} {last.strip()}"), []).append(player.name)
    rows = Player.objects.filter(folded_name__in=swapped).values_list("folded_name", "pk")
    return {fold(swapped[name][0]): pk for name, pk in rows if len(swapped[name]) == 1}


def read_report(content: bytes) -> trf.Trf:
    """Return the tournament of a report. Raises ``Refused``."""
    with refusing():
        if not trf_reading.is_trf(Document(content).text):
            raise Refused("no_report", _("This is no tournament report (TRF)."), field="file")
        found = read_results(content, Choices())
        if found.problems:
            raise Refused("file", say(found.problems[0].sentence), field="file")
        return trf_reading.parse(Document(content).text)
