"""Drafts from a configuration in the published XML form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models.explained import translate
from league.services.arenas.starting import record
from league.services.transfer.configuration.configurations import (
    Import,
    import_configuration,
    names_of_arenas,
)
from matchmaking.dishonor import DishonorRules
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, User

MOST_ARENAS = 50
DISHONOR = "league.change_discipline"


def drafts_from(
    text: str, source: str, *, by: User, now: datetime
) -> tuple[list[Arena], list[str]]:
    """Create a draft for each ``<Arena>`` of a file. Return them, and remarks on the file.

    Its ``<Dishonor>`` holds for the whole league at once.

    Raises:
        XmlError: the file cannot be read, has no arena, or would change what is there. Nothing has
            changed.
    """
    document = read(text)
    dishonor = bool(document.all(DishonorRules))
    count = len(names_of_arenas(document))
    if not count:
        raise XmlError([Sentence("The file has no <Arena> and no <Settings>.")])
    if count > MOST_ARENAS:
        problem = Sentence(
            "The file has %(count)d arenas. At most %(most)d can be imported at once.",
            count=count,
            most=MOST_ARENAS,
        )
        raise XmlError([problem])
    if dishonor and not by.has_perm(DISHONOR):
        raise XmlError(
            [Sentence("<Dishonor> holds for the whole league, which you may not change.")]
        )
    with transaction.atomic():
        outcome = import_configuration(text, Import(source, now, by=by, drafts=True))
        arenas = [each.arena for each in outcome.arenas]
        for arena in arenas:
            record(arena, by, now, f"the file {source}", "")
    league = [_("Its <Dishonor> now holds for the whole league.")] if dishonor else []
    return arenas, [*league, *map(translate, outcome.remarks)]
