"""Results count for fixtures by whatever path they come."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, Arrangement, FileImport, Fixture, Job, Match, Player, RosterMember
from league.services.competitions import counting, progress
from league.services.competitions.running import entering
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.transfer.evenings import evening_undoing, evenings
from league.services.transfer.evenings.evening_rows import EveningRow
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.api_steps import by_token, win
from tests.support.cast import account, side
from tests.support.competition_steps import START, begun, date_of, opened, sides_of
from tests.support.counting_steps import CORRECTED, LATER, PLAYED, due, evening, wins
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, confirms, reports, result_form, words


def done(job: Job) -> Job:
    jobs.carry_out(job.pk, WORK, LATER)
    job.refresh_from_db()
    return job


def names_of(fixture: Fixture) -> tuple[str, str]:
    home, away = sides_of(fixture)
    return home.name, away.name


def imported(arena: Arena, by: Player, text: str) -> FileImport:
    """Check and import a file of results, and return it."""
    boss = user_of(by)
    file = file_imports.upload(
        arena, "results", name="a.csv", content=text.encode(), season=None, by=boss, now=LATER
    )
    done(file_imports.ask_check(file, by=boss, now=LATER))
    file.refresh_from_db()
    assert file.report
    assert file.report["errors"] == []
    seen = file.report["fixtures"]
    assert done(file_imports.ask_import(file, by=boss, now=LATER)).state == Job.State.DONE
    file.refresh_from_db()
    assert file.report
    assert file.report["fixtures"] == seen
    return file


def test_an_evening_counts_for_fixtures_until_it_is_undone(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, account("Dora")])
    first = one.fixtures.filter(round__number=1).order_by("number")[0]
    home, away = names_of(first)
    rows = [EveningRow(away, home, "1:3"), EveningRow("Olga", home, "1:0")]
    boss = user_of(olga)
    tried = evenings.try_out(duel, rows, by=boss, played_at=PLAYED, now=LATER)
    assert [tried[row].counts_for for row in (0, 1)] == ["Spring Cup, Round 1", ""]
    assert date_of(first).match is None

    action = evening(duel, olga, (away, home, "1:3"))
    date = date_of(first)
    assert date.match
    assert (date.state, date.match.first_side) == ("played", 1)
    assert wins(one, home) == 1
    assert verify(duel.seasons.get()) == []

    done(evening_undoing.ask_undo(action, duel, by=boss, reason="Wrong.", now=LATER))
    assert (date_of(first).state, date_of(first).match) == ("accepted", None)
    assert wins(one, home) == 0


@pytest.mark.parametrize("games", [1, 2])
def test_a_series_keeps_one_date_when_an_evening_is_undone(
    duel: Arena, alice: Player, bob: Player, olga: Player, games: int
) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 5})
    fixture = one.fixtures.get()
    actions = []
    for _game in range(games):
        actions.append(evening(duel, olga, ("Alice", "Bob", "1")))
        progress.sweep(CORRECTED)
    dates = Arrangement.objects.filter(game__fixture=fixture).order_by("pk")
    assert [date.state for date in dates] == [*["played"] * games, "accepted"]
    for action in reversed(actions):
        boss = user_of(olga)
        done(evening_undoing.ask_undo(action, duel, by=boss, reason="Wrong.", now=LATER))
    assert [date.state for date in dates.all()] == [*["called_off"] * games, "accepted"]
    progress.sweep(CORRECTED)
    evening(duel, olga, ("Alice", "Bob", "1"))
    progress.sweep(CORRECTED)
    assert [date.state for date in dates.all()][games:] == ["played", "accepted"]
    assert verify(duel.seasons.get()) == []


def test_nobody_guesses_which_of_two_rows_is_the_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    evening(duel, olga, ("Alice", "Bob", "1"), ("Bob", "Alice", "1"))
    assert date_of(one.fixtures.get()).match is None


@pytest.mark.parametrize(
    ("days", "for_fixtures"), [(-2, True), (5, False)], ids=["before its round", "not asked to"]
)
def test_other_games_of_the_two_are_no_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player, days: int, *, for_fixtures: bool
) -> None:
    one = begun(duel, olga, [alice, bob])
    played_at = START + timedelta(days=days)
    evening(duel, olga, ("Alice", "Bob", "1"), played_at=played_at, for_fixtures=for_fixtures)
    assert Match.objects.rated().count() == 1
    assert date_of(one.fixtures.get()).match is None


def test_the_games_of_a_series_count_one_after_the_other(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 3})
    action = evening(duel, olga, ("Alice", "Bob", "1"), ("Alice", "Bob", "2"))
    assert date_of(one.fixtures.get()).match_id == action.details["matches"][0]


def test_an_organiser_who_plays_decides_nothing_in_their_competition_while_others_can(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, olga])
    boss = user_of(olga)
    home, away = names_of(next(each for each in one.fixtures.all() if "Olga" not in names_of(each)))
    account("Boss", superuser=True)
    rows = [EveningRow(home, away, "1")]
    tried = evenings.try_out(duel, rows, by=boss, played_at=PLAYED, now=LATER)
    assert (tried[0].errors, tried[0].counts_for) == ([], "")


def test_the_page_of_an_evening_says_what_counts(
    client: Any, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    begun(duel, olga, [alice, bob])
    client.force_login(user_of(olga))
    address = reverse("admin:league_arena_evening", args=[duel.pk])
    assert "Results count for open fixtures" in words(client.get(address))
    sent = {
        "side_1": ["Alice"],
        "side_2": ["Bob"],
        "outcome": ["2"],
        "played_at": f"{PLAYED:%Y-%m-%dT%H:%M}",
        "reason": "Club evening",
        "token": str(uuid4()),
        "check": "1",
    }
    asked = client.post(address, {**sent, "for_fixtures": "on"})
    assert "Counts for Spring Cup, Round 1." in words(asked)
    assert "Counts for" not in words(client.post(address, sent))


def test_rosters_count_for_their_fixture_whoever_is_named_first(
    teams: Arena, owls: Any, foxes: Any, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=START - timedelta(days=1))
    progress.sweep(START)
    one.refresh_from_db()
    evening(teams, olga, ("Bob, Alice", "Foxes", "2:1"))
    assert date_of(one.fixtures.get()).match
    assert wins(one, "Owls") == 1


def test_lines_of_a_table_count_for_fixtures_until_the_import_is_undone(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    fixture = one.fixtures.get()
    home, away = names_of(fixture)
    line = f"played_at,side_1,side_2,winner\n{PLAYED.isoformat()},{away},{home},2\n"
    file = imported(duel, olga, line)
    match = date_of(fixture).match
    assert file.report
    assert match
    assert (file.report["fixtures"], file.matches, match.first_side) == (1, [match.pk], 1)
    assert wins(one, home) == 1
    assert verify(duel.seasons.get()) == []
    done(file_imports.ask_undo(file, reason="A test.", by=user_of(olga), now=LATER))
    assert (date_of(fixture).match, wins(one, home)) == (None, 0)


def test_a_column_tells_fixtures_of_the_same_two_sides_apart(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play={"legs": 2})
    progress.sweep(LATER)
    first, second = one.fixtures.order_by("number")
    for number, in_round in enumerate(("", "Final", "3", "1")):
        time = (START + timedelta(days=8, hours=number)).isoformat()
        imported(duel, olga, f"played_at,side_1,side_2,winner,round\n{time},Alice,Bob,1,{in_round}")
        assert (date_of(first).match is None) == (in_round != "1")
    assert date_of(second).match is None


def test_a_captain_reports_the_fixture_from_the_page_of_plain_reports(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    address = reverse("report", args=["duel"])
    page = browser_of(alice).get(address, {"opponent": "Bob"})
    assert "Counts for Spring Cup, Round 1" in words(page)
    answer = reports(alice, duel, result_form("Bob", for_fixture="on"))
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert date_of(fixture).match == match
    shown = words(browser_of(bob).get(match.get_absolute_url()))
    assert "If you confirm, this is your result in Spring Cup, Round 1." in shown
    assert "Counts for Spring Cup, Round 1" in words(browser_of(bob).get(reverse("waiting")))
    assert wins(fixture.competition, "Alice") == 0
    confirms(bob, match)
    assert wins(fixture.competition, "Alice") == 1


def test_a_friendly_game_is_no_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    reports(alice, duel, result_form("Bob"))
    match = Match.objects.get()
    assert "Counts for" not in words(browser_of(bob).get(match.get_absolute_url()))
    confirms(bob, match)
    assert (Match.objects.rated().count(), date_of(fixture).match) == (1, None)


def test_a_report_before_the_date_is_no_fixture_and_says_so(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    tomorrow = database_now() + timedelta(days=1)
    Arrangement.objects.filter(pk=date_of(fixture).pk).update(play_at=tomorrow)
    page = words(browser_of(alice).get(reverse("report", args=["duel"]), {"opponent": "Bob"}))
    assert "A result that is reported before then does not count for it" in page
    reports(alice, duel, result_form("Bob", for_fixture="on"))
    assert by_token(alice).post("/api/v1/arenas/duel/reports/", win(alice, bob), format="json")
    assert date_of(fixture).match is None


def test_an_organiser_enters_the_result_of_a_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    browser, address = browser_of(olga), reverse("enter", args=["duel"])
    asked = browser.post(address, {"sides": "Bob\nAlice", "step": "who"})
    assert "Counts for Spring Cup, Round 1" in words(asked)
    form = result_form("", sides="Bob\nAlice", reason="On site.", weight="1")
    browser.post(address, {**form, "for_fixture": "on"})
    match = Match.objects.get()
    assert date_of(fixture).match == match
    assert wins(fixture.competition, "Bob") == 1
    assert verify(duel.seasons.get()) == []
    home = sides_of(fixture)[0].name
    assert match.first_side == ["Bob", "Alice"].index(home)


def test_programs_read_for_which_fixture_their_result_counts(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    address, token = "/api/v1/arenas/duel/reports/", str(uuid4())
    other = win(bob, alice, for_fixture=False)
    answer = by_token(bob).post(address, other, format="json").json()
    assert (answer["fixture"], date_of(fixture).match) == (None, None)
    by_token(alice).post(f"/api/v1/matches/{answer['id']}/confirm/", {}, format="json")

    body = win(alice, bob, client_token=token)
    answer = by_token(alice).post(address, body, format="json").json()
    assert answer["fixture"] == {
        "competition": fixture.competition_id,
        "name": "Spring Cup",
        "round": 1,
        "number": fixture.number,
    }
    assert date_of(fixture).match_id == answer["id"]
    again = by_token(alice).post(address, body, format="json")
    assert (again.status_code, again.json()["id"]) == (200, answer["id"])
    assert wins(fixture.competition, "Alice") == 0
    by_token(bob).post(f"/api/v1/matches/{answer['id']}/confirm/", {}, format="json")
    assert wins(fixture.competition, "Alice") == 1


def test_a_program_still_answers_a_report_that_counts_for_no_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    address, played_at = "/api/v1/arenas/duel/reports/", database_now().isoformat()
    body = win(alice, bob, played_at=played_at)
    by_token(alice).post(address, {**body, "for_fixture": False}, format="json")
    answer = by_token(bob).post(address, body, format="json").json()
    assert (answer["status"], answer["fixture"]) == ("rated", None)
    assert date_of(fixture).match is None


def test_an_entry_through_the_api_counts_for_the_fixture(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    body = win(alice, bob, reason="On site.")
    answer = by_token(olga).post("/api/v1/arenas/duel/results/", body, format="json").json()
    assert answer["fixture"]["number"] == fixture.number
    assert wins(fixture.competition, "Alice") == 1


def test_a_date_that_the_other_captain_has_just_reported_is_answered(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = due(begun(duel, olga, [alice, bob]))
    date, now = date_of(fixture), database_now()
    sides = [side(alice, place=0), side(bob, place=1)]
    given: dict[str, Any] = {"played_at": now, "now": now, "date": date}
    match = counting.report(duel, sides, reporter=alice, **given)
    assert counting.report(duel, sides, reporter=bob, **given) == match
    assert (Match.objects.rated().count(), wins(fixture.competition, "Alice")) == (1, 1)


def test_one_player_in_both_rosters_does_not_turn_the_sides_round(
    teams: Arena, owls: Any, foxes: Any, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=START - timedelta(days=1))
    progress.sweep(START)
    RosterMember.objects.create(roster=foxes, player=bob)
    evening(teams, olga, ("Bob", "Charlie", "2:1"))
    match = date_of(one.fixtures.get()).match
    assert match
    rosters = match.sides.order_by("index").values_list("roster__name", "captain__name")
    assert list(rosters) == [("Owls", "Alice"), ("Foxes", "Charlie")]
    assert wins(one, "Owls") == 1
