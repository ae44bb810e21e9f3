"""Reasons for penalties in the files of arenas."""

import pytest

from league.models import Arena, Discipline, PenaltyReason
from league.services.transfer.configuration.configuration_exports import (
    CannotExport,
    export_configuration,
)
from league.services.transfer.configuration.configurations import Import, import_configuration
from matchmaking.dishonor import DishonorRules, Penalty
from matchmaking.io.xmlfile import read
from matchmaking.io.xmltree import XmlError
from tests.support.cast import NOW


def test_a_file_gives_its_arenas_its_reasons_and_takes_them_back(duel: Arena) -> None:
    penalties = '<Penalty reason="{}" stacks="{}"/>'
    own = [("Abandon", 10), ("QueueDodge", 3), ("Banned", 5), ("Insults", 7)]
    text = (
        '<Configuration><Arena name="{}"><Queue/><Matcher/></Arena><Dishonor>'
        + "".join(penalties.format(*one) for one in own)
        + "</Dishonor></Configuration>"
    )
    (made,) = import_configuration(text.format("One"), Import("f.xml", NOW)).arenas
    assert [(one.name, one.stacks) for one in made.arena.penalty_reasons.all()] == [("Insults", 7)]
    assert [one.reason for one in Discipline.objects.get().dishonor().penalties] == [
        "Abandon",
        "QueueDodge",
        "Banned",
    ]
    made.arena.penalty_reasons.create(name="Delay", stacks=2)
    exported = export_configuration([made.arena])
    (dishonor,) = read(exported).all(DishonorRules)
    assert dishonor.penalties[3:] == (
        Penalty(reason="Insults", stacks=7),
        Penalty(reason="Delay", stacks=2),
    )
    import_configuration(text.format("One").replace('"7"', '"8"'), Import("f.xml", NOW))
    assert [(one.name, one.stacks) for one in made.arena.penalty_reasons.all()] == [("Insults", 8)]
    (other,) = import_configuration(
        '<Arena name="Two"><Queue/><Matcher/></Arena>', Import("f.xml", NOW)
    ).arenas
    with pytest.raises(CannotExport, match="reasons for penalties of Two differ"):
        export_configuration([made.arena, other.arena])
    alone = text.format("One").split("</Arena>")[1].removesuffix("</Configuration>")
    remarks = import_configuration(alone, Import("f.xml", NOW)).remarks
    assert any("“Insults” has no effect" in one for one in remarks)


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        (["abandon"], "penalties: “abandon” is a name of the league’s own rules"),
        (["Another"], "penalties: “Another” is a name of the league’s own rules"),
        (["Bad  words", "Bad words"], "one penalty per reason; repeated: Bad words"),
    ],
)
def test_a_file_declares_no_reason_that_the_page_of_its_arena_refuses(
    reasons: list[str], said: str
) -> None:
    with pytest.raises(XmlError, match=f"line 2: <Dishonor>.*{said}"):
        import_configuration(file_with(reasons), Import("f.xml", NOW))
    assert not PenaltyReason.objects.exists()
    import_configuration(file_with(["Bad  words "]), Import("f.xml", NOW))
    import_configuration(file_with(["Bad words"]), Import("f.xml", NOW))
    assert PenaltyReason.objects.get().name == "Bad words"


def file_with(reasons: list[str]) -> str:
    own = ("Abandon", "QueueDodge", "Banned")
    penalties = "".join(f'<Penalty reason="{one}" stacks="1"/>' for one in (*own, *reasons))
    return (
        '<Configuration><Arena name="One"><Queue/><Matcher/></Arena>\n'
        f"<Dishonor>{penalties}</Dishonor></Configuration>"
    )
