"""The steps of an import: accessible, on phones and in dark mode, with errors and empty names."""

import pytest
from django.urls import reverse

from league.models import Arena, FileImport, Player
from league.services.transfer.files import file_imports
from tests.browser.conftest import House
from tests.support.browser_steps import troubles
from tests.support.import_steps import done, upload
from tests.support.result_steps import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]

SWISS = (
    "Rk.,,Name,Rtg,1.Rd,2.Rd,Pts\n1,GM,Ann,1900,2w1,3b1,2\n2,,Bob,1800,1b0,-1,1\n3,,Cid,,-1,1w0,1\n"
)
ERRORS = "date,home,away,score\n" + "2026-01-02,Ann,Bob,what\n" * 12 + "2026-01-03,,Bob,3-1\n"


@pytest.mark.parametrize("text", [SWISS, ERRORS, "place,user,score\n1,Ann,9\n2,Bob,8\n"])
def test_every_step_of_an_import_is_accessible_on_a_phone(
    house: House, duel: Arena, olga: Player, text: str
) -> None:
    boss = user_of(olga)
    reader = house.reader(olga, width=390)
    page = reader.open(reverse("admin:league_arena_import", args=[duel.pk]))
    found = troubles(page)
    file = upload(duel, boss, text)
    address = reverse("admin:league_fileimport_change", args=[file.pk])
    found += troubles(reader.open(address))
    done(file_imports.ask_check(file, by=boss, now=file.at))
    assert FileImport.objects.get(pk=file.pk).state == FileImport.State.CHECKED
    found += troubles(reader.open(address))
    assert found == []
