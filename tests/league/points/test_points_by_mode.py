"""Ladder points by game mode: the match's mode chooses the table, from the file to the ledger."""

from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from league.models import Arena, Match, Player, PointEntry
from league.services.core.types import ReportedSide
from league.services.integrity.points import differences
from league.services.integrity.ratings import verify
from league.services.points import points_leaderboard
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.transfer.configuration.configuration_exports import export_configuration
from league.services.transfer.configuration.configurations import Import, import_configuration
from matchmaking.io.xmlfile import read
from ratings.points import tables
from ratings.points.rules import CONQUEST, STRONGHOLD
from ratings.seasons.rules import read_rules
from tests.support.admin_steps import arena_page, browser_of, errors_of, send
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW, side
from tests.support.correction_steps import correct
from tests.support.matchmaking_xml import PUBLISHED
from tests.support.point_steps import with_points
from tests.support.result_steps import user_of
from tests.support.web_steps import words

MODES = ["Conquest", "Stronghold", "Courtyard"]
OWN = "[Stronghold]\n0: 0 = -1, 0.5 = 7\n\n[Courtyard]\n0: 0 = 5"


@pytest.fixture
def ladder(db: None) -> Arena:
    made = with_points(modes=MODES)
    season = made.seasons.get()
    made.season_rules["mode_points"] = tables.mode_tables_as_json(tables.parse_mode_tables(OWN))
    made.full_clean()
    made.save()
    season.rules = made.season_rules
    season.save()
    return made


def plays(arena: Arena, first: ReportedSide, second: ReportedSide, mode: str) -> Match:
    made = report(
        arena,
        [first, second],
        reporter=first.captain,
        played_at=NOW,
        now=NOW,
        client_token=uuid4(),
        mode=mode,
    )
    return confirm(made.pk, by=second.captain, now=NOW)


def points_of(match: Match) -> dict[str, int]:
    return dict(PointEntry.objects.filter(match=match).values_list("player__name", "points"))


def test_each_mode_has_its_points_and_all_others_the_general_ones(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    def won(mode: str) -> dict[str, int]:
        sides = side(alice, place=0, score=500), side(bob, place=1, score=300)
        return points_of(plays(ladder, *sides, mode))

    assert won("Conquest") == {"Alice": 1, "Bob": -1}
    assert won("Stronghold") == {"Alice": 7, "Bob": 7}
    assert won("Courtyard") == {"Alice": 5, "Bob": 5}
    assert differences(ladder.seasons.get()) == []
    said = StringIO()
    call_command("verify_ratings", stdout=said)
    assert "no differences" in said.getvalue()


def test_a_corrected_match_keeps_the_points_of_its_mode(
    ladder: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    sides = side(alice, place=0, score=500), side(bob, place=1, score=100)
    first = plays(ladder, *sides, "Stronghold")
    plays(ladder, *sides, "Conquest")
    assert points_of(first) == {"Alice": 7, "Bob": -1}
    correct(first, user_of(olga), [(1, 100), (0, 500)])
    assert points_of(first) == {"Alice": -1, "Bob": 7}
    assert differences(ladder.seasons.get()) == []


def test_staff_correct_the_mode_of_a_rated_match_and_with_it_its_points(
    ladder: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    sides = side(alice, place=0, score=500), side(bob, place=1, score=300)
    match = plays(ladder, *sides, "Conquest")
    later = plays(ladder, *sides, "Conquest")
    others = points_of(later)
    ratings = list(match.events.values_list("player", "rating_after"))
    where = f"/matches/{match.pk}/correct/"
    form = {"verdict": "corrected", "reason": "Seen", "outcome": "0", "mode": "Conquest"}
    form |= {"score-0": "500", "score-1": "300"}
    assert "already the result that counts" in words(browser_of(olga.user).post(where, form))
    form["mode"] = "Courtyard"
    page = words(browser_of(olga.user).post(where, form))
    assert "No rating would change." in page
    assert "The ladder points of 2 players would change." in page
    address, staff = f"/api/v1/matches/{match.pk}/correction", by_token(olga)
    result: dict[str, Any] = {"placings": [{"place": 0, "score": 500}, {"place": 1, "score": 300}]}
    for wrong in ({"mode": "Courtyard"}, {**result, "mode": "Chess"}):
        refused = staff.post(f"{address}-preview/", wrong, format="json")
        assert fields_at_fault(refused) == {"mode"}
    result["mode"] = "courtyard"
    previewed = staff.post(f"{address}-preview/", result, format="json").json()
    result |= {"reason": "Seen", "digest": previewed["digest"], "horizon": previewed["horizon"]}
    assert staff.post(f"{address}s/", result, format="json").json()["state"] == "done"
    match.refresh_from_db()
    assert match.mode == "Courtyard"
    assert points_of(match) == {"Alice": 5, "Bob": 5}
    assert points_of(later) == others
    assert list(match.events.values_list("player", "rating_after")) == ratings
    assert "Game mode: Courtyard" in words(Client().get(match.get_absolute_url()))
    assert differences(ladder.seasons.get()) == []
    assert verify(ladder.seasons.get()) == []


def test_changing_a_mode_behind_the_ledger_is_found(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    match = plays(ladder, side(alice, place=0), side(bob, place=1), "Stronghold")
    Match.objects.filter(pk=match.pk).update(mode="Courtyard")
    found = differences(ladder.seasons.get())
    assert any("5 computed" in one for one in found)


def test_pages_explain_the_points_of_the_mode(ladder: Arena, alice: Player, bob: Player) -> None:
    match = plays(ladder, side(alice, place=0, score=9), side(bob, place=1, score=6), "Stronghold")
    season = ladder.seasons.get()
    (mine,), _more = points_leaderboard.history(season, bob)
    assert (mine.checkpoint.points, mine.raised) == (7, False)
    page = words(Client().get(f"/players/{bob.pk}/points/{season.pk}/"))
    assert "lost with 66 % of the winning score: +7 points." in page
    assert "lost with 66 % of the winning score: +7 points." in words(
        Client().get(match.get_absolute_url())
    )
    rules = words(Client().get("/arenas/ladder/points/"))
    assert "Stronghold Expected result from" in rules
    assert "Courtyard Expected result from" in rules
    assert "Conquest Expected result from" in rules


def test_the_file_with_both_modes_keeps_both_tables() -> None:
    [*_others, found] = import_configuration(PUBLISHED, Import("published.xml", NOW)).arenas
    arena = Arena.objects.get(pk=found.arena.pk)
    assert arena.modes == ["Conquest", "Stronghold"]
    points = arena.rules().points
    assert points.table_of("Conquest").rules == CONQUEST.rules
    assert points.table_of("stronghold").rules == STRONGHOLD.rules
    again = export_configuration(list(Arena.objects.order_by("pk")))
    assert read(again) == read(PUBLISHED)


def test_olga_types_tables_by_mode(ladder: Arena, olga: Player) -> None:
    staff, form = browser_of(user_of(olga)), arena_page(ladder)
    field = "season_mode_points"

    def problem(text: str) -> str:
        found = errors_of(send(staff, form, {field: text}))
        assert found.keys() == {field}
        return " ".join(found[field])

    assert problem("[Chess]\n0: 0 = 1") == "Chess is not a game mode of this arena."
    assert "begin at 0" in problem("[Conquest]\n0.5: 0 = 1")
    assert "names the mode" in problem("0: 0 = 1")
    assert "two tables" in problem("[Conquest]\n0: 0 = 1\n[conquest]\n0: 0 = 1")
    assert "[]" in problem("[]\n0: 0 = 1") or "needs a name" in problem("[]\n0: 0 = 1")
    assert not errors_of(send(staff, form, {field: "[Conquest]\n0: 0 = 3"}))
    ladder.refresh_from_db()
    assert [table.mode for table in ladder.rules().points.by_mode] == ["Conquest"]
    assert not errors_of(send(staff, form, {field: ""}))
    ladder.refresh_from_db()
    assert "mode_points" not in ladder.season_rules, "the release before reads these rules, too"


def test_tables_come_back_from_text_and_json() -> None:
    found = tables.parse_mode_tables(OWN)
    assert tables.parse_mode_tables(tables.format_mode_tables(found)) == found
    assert tables.mode_tables_from_json(tables.mode_tables_as_json(found)) == found
    written = read_rules({"mode_points": tables.mode_tables_as_json(found)}).to_json()
    assert read_rules(written).points.by_mode == found
