"""An organiser enters a game of teams in which somebody plays for a member."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    Competition,
    Fixture,
    Match,
    Player,
    Rating,
    Roster,
    RosterMember,
    StaffAction,
)
from league.services.competitions import progress
from league.services.competitions.running import entering_by_staff, starting
from league.services.people.entry_lists import read_list
from league.services.transfer.evenings import evenings
from league.services.transfer.evenings.evening_rows import EveningRow
from tests.support.admin_steps import staff
from tests.support.cast import NOW, arena
from tests.support.competition_steps import START, begun, crowd, date_of, opened
from tests.support.merge_steps import all_differences
from tests.support.result_steps import user_of
from tests.support.web_steps import words

__all__ = ["staff"]
HOUR = timedelta(hours=1)


@pytest.fixture
def cup(db: None, olga: Player) -> Competition:
    """A league of Owls (Ann, Bob) and Crows (Cy, Dee), whose only round is open."""
    teams = arena("pairs", team_size_min=2, team_size_max=2)
    one = opened(teams, olga)
    entries = read_list("Owls: Ann, Bob\nCrows: Cy, Dee").entries
    entering_by_staff.enter(one.pk, entries, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=START)
    one.refresh_from_db()
    return one


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def page_of(fixture: Fixture) -> str:
    one = fixture.competition
    slug = one.season.arena.slug
    return reverse("fixture_line_up", args=[slug, one.pk, fixture.number])


def fill_form(result: str, **substitutes: str) -> dict[str, str]:
    """Return the form with the substitute of each member, empty for nobody."""
    found = {"result": result, "after": "0"}
    for member, substitute in substitutes.items():
        found |= {f"away-{player(member).pk}": "on", f"for-{player(member).pk}": substitute}
    return found


def test_the_result_counts_for_the_team_and_rates_those_who_played(
    staff: Client, cup: Competition
) -> None:
    Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    run = reverse("competition_run", args=["pairs", cup.pk])
    assert page_of(fixture) in staff.get(run).content.decode()
    home_is_owls = str(fixture.home) == "Owls"
    answer = staff.post(page_of(fixture), fill_form("2-0" if home_is_owls else "0-2", Bob="xaver"))
    assert answer.status_code == 302, words(answer)
    assert "Xaver (for Bob)" in words(staff.get(answer["Location"]))
    assert "Xaver (for Bob)" in words(staff.get(run))
    match = Match.objects.get()
    assert "Xaver (for Bob)" in words(staff.get(match.get_absolute_url()))
    rated = {row.player.name: row.rating for row in Rating.objects.select_related("player")}
    assert set(rated) == {"Ann", "Xaver", "Cy", "Dee"}
    assert rated["Xaver"] > 1200 > rated["Cy"]
    stand_ins = match.participants.filter(stand_in=True)
    assert list(stand_ins.values_list("player__name", flat=True)) == ["Xaver"]
    owls = match.sides.get(roster__name="Owls")
    assert (owls.place, owls.captain.name) == (0, "Ann")
    table = words(staff.get(cup.get_absolute_url()))
    assert "Owls" in table
    assert "Xaver" not in [str(one) for one in fixture.competition.entrants.all()]
    assert all_differences() == []


def test_a_captain_can_be_replaced_and_the_result_sent_twice_is_entered_once(
    staff: Client, cup: Competition
) -> None:
    Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    form = fill_form("1", Ann="Xaver")
    del form[f"away-{player('Ann').pk}"]  # the name alone says so
    assert staff.post(page_of(fixture), form).status_code == 302
    assert staff.post(page_of(fixture), form).status_code == 409  # the competition is over
    match = Match.objects.get()
    names = set(match.participants.values_list("player__name", flat=True))
    assert names == {"Xaver", "Bob", "Cy", "Dee"}
    action = StaffAction.objects.get(match=match)
    assert action.details["substitutes"] == [["Xaver", "Ann"]]
    assert "Xaver (for Ann)" in action.reason


@pytest.mark.parametrize(
    ("substitutes", "problem"),
    [
        ({"Bob": "Nobody"}, "There is no player “Nobody”"),
        ({"Bob": "Cy"}, "Cy is in this match twice."),
        ({"Bob": "Ann"}, "Ann is in this match twice."),
        ({"Ann": "Bob", "Bob": "Ann"}, ""),
        ({"Ann": "", "Bob": ""}, "Nobody would play for Owls."),
        ({"Bob": ""}, "players"),
        ({"Ann": "Xaver", "Bob": "xaver"}, "Xaver is in this match twice."),
        ({"Bob": "x" * 200}, "A name has at most 60"),
        ({"Bob": "a\x00b"}, ""),
    ],
)
def test_line_ups_that_cannot_be_change_nothing(
    staff: Client, cup: Competition, substitutes: dict[str, str], problem: str
) -> None:
    Player.objects.create(name="Xaver")
    answer = staff.post(page_of(cup.fixtures.get()), fill_form("1", **substitutes))
    assert answer.status_code in {400, 409}
    assert problem in words(answer)
    assert not Match.objects.exists()


@pytest.mark.parametrize("result", ["", "three", "9" * 200, "1\x00"])
def test_what_is_no_result_is_refused(staff: Client, cup: Competition, result: str) -> None:
    Player.objects.create(name="Xaver")
    answer = staff.post(page_of(cup.fixtures.get()), fill_form(result, Bob="Xaver"))
    assert answer.status_code in {400, 409}
    assert 'value="Xaver"' in answer.content.decode()
    assert not Match.objects.exists()


def test_members_of_other_teams_do_not_help_out(db: None, staff: Client, olga: Player) -> None:
    teams = arena("pairs", team_size_min=2, team_size_max=2)
    one = opened(teams, olga)
    entries = read_list("Owls: Ann, Bob\nCrows: Cy, Dee\nJays: Eve, Fay\nEmus: Gus, Hal").entries
    entering_by_staff.enter(one.pk, entries, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=START)
    fixture = one.fixtures.filter(round__number=1).first()
    assert fixture
    assert fixture.home
    member = fixture.home.player.name
    playing = {fixture.home_id, fixture.away_id}
    other = one.entrants.exclude(pk__in=playing).first()
    assert other
    answer = staff.post(page_of(fixture), fill_form("1", **{member: other.player.name}))
    assert f"{other.player} plays for {other} in this competition." in words(answer)


def test_players_who_enter_alone_are_replaced_for_good(
    staff: Client, duel: Arena, olga: Player
) -> None:
    fixture = begun(duel, olga, crowd(2)).fixtures.get()
    page = page_of(fixture)
    shown = staff.get(page)
    assert shown.status_code == 200
    assert "plays alone, so nobody can play a single game for them." in words(shown)
    assert reverse("competition_entrants", args=["duel", fixture.competition_id]) in str(
        shown.content
    )
    assert staff.post(page, {"result": "1"}).status_code == 400
    assert (
        page
        not in staff.get(
            reverse("competition_run", args=["duel", fixture.competition_id])
        ).content.decode()
    )
    assert not Match.objects.exists()


def test_new_players_come_with_the_game_alone(staff: Client, cup: Competition) -> None:
    Player.objects.create(name="Inès Solé")
    page, tick = page_of(cup.fixtures.get()), {"add_players": "on"}
    assert staff.post(page, fill_form("three", Bob="Newman") | tick).status_code == 400
    assert not Player.objects.filter(name="Newman").exists()
    alike = words(staff.post(page, fill_form("1", Bob="Ines Sole") | tick))
    assert "There is no player “Ines Sole”. Did you mean Inès Solé (#" in alike
    assert staff.post(page, fill_form("1", Bob="Newman") | tick).status_code == 302
    assert Match.objects.get().participants.filter(player__name="Newman", stand_in=True).exists()
    assert player("Newman").user is None


def planned_form(**substitutes: str) -> dict[str, str]:
    return {**fill_form("", **substitutes), "answer": "plan"}


def test_a_line_up_is_named_before_the_game_and_its_result_counts_for_it(
    staff: Client, cup: Competition
) -> None:
    Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    assert staff.post(page_of(fixture), planned_form(Bob="Xaver", Dee="")).status_code == 302
    assert not Match.objects.exists()
    run = reverse("competition_run", args=["pairs", cup.pk])
    paper = reverse("competition_print", args=["pairs", cup.pk])
    pages = [run, f"{paper}?part=pairings", f"{paper}?part=slips", fixture.get_absolute_url()]
    for page in [*pages, cup.get_absolute_url()]:
        assert "Xaver (for Bob)" in words(staff.get(page)), page
        assert "without Dee" in words(staff.get(page)), page
    assert 'value="Xaver"' in staff.get(page_of(fixture)).content.decode()
    log = StaffAction.objects.get(kind="competition", details__has_key="fixture")
    assert "Xaver (for Bob), without Dee" in log.reason


@pytest.mark.parametrize("change", ["none", "renamed", "merged", "left"])
def test_a_result_typed_later_uses_the_line_up_that_was_named(
    staff: Client, cup: Competition, olga: Player, change: str
) -> None:
    xaver = Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    staff.post(page_of(fixture), planned_form(Bob="Xaver"))
    wanted = {"Ann", "Xaver", "Cy", "Dee"}
    if change == "renamed":
        Player.objects.filter(pk=xaver.pk).update(name="Yann", folded_name="yann")
        wanted = {"Ann", "Yann", "Cy", "Dee"}
    if change == "merged":
        other = Player.objects.create(name="Yann")
        Player.objects.filter(pk=xaver.pk).update(merged_into=other)
        wanted = {"Ann", "Yann", "Cy", "Dee"}
    if change == "left":  # then nobody plays for them
        RosterMember.objects.filter(player__name="Bob").delete()
        RosterMember.objects.create(
            roster=Roster.objects.get(name="Owls"), player=Player.objects.create(name="Zoe")
        )
        wanted = {"Ann", "Zoe", "Cy", "Dee"}
    run = reverse("competition_run", args=["pairs", cup.pk])
    answer = staff.post(run, {"answer": "save", f"result-{fixture.pk}": "2-1"})
    assert answer.status_code == 302, words(answer)
    assert set(Match.objects.get().participants.values_list("player__name", flat=True)) == wanted
    fixture.refresh_from_db()
    assert fixture.line_up == []


@pytest.mark.parametrize("first", ["Owls", "Ann, Bob"])
def test_an_evening_names_teams_and_uses_the_line_up_that_was_named(
    staff: Client, cup: Competition, olga: Player, first: str
) -> None:
    """Whoever types players says who played, whatever was planned."""
    Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    staff.post(page_of(fixture), planned_form(Bob="Xaver"))
    rows = [EveningRow(first, "Crows", "2:1")]
    progress.sweep(START)
    played_at = date_of(fixture).play_at
    given: dict[str, Any] = {"reason": "Tuesday", "token": uuid4(), "now": played_at + HOUR}
    action = evenings.save(cup.season.arena, rows, by=user_of(olga), played_at=played_at, **given)
    match = Match.objects.get()
    second = "Xaver" if first == "Owls" else "Bob"
    assert set(match.participants.values_list("player__name", flat=True)) == {
        "Ann", second, "Cy", "Dee"
    }  # fmt: skip
    fixture.refresh_from_db()
    assert (date_of(fixture).match, fixture.line_up) == (match, [])
    page = reverse("admin:league_arena_evening_entered", args=[cup.season.arena_id, action.pk])
    assert "Owls – Crows 2:1" in words(staff.get(page))


def test_a_line_up_is_for_one_game_of_a_series(db: None, staff: Client, olga: Player) -> None:
    teams = arena("pairs", team_size_min=2, team_size_max=2)
    one = opened(teams, olga, "single", play={"best_of": 3})
    entries = read_list("Owls: Ann, Bob\nCrows: Cy, Dee").entries
    entering_by_staff.enter(one.pk, entries, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=START)
    Player.objects.create(name="Xaver")
    fixture = one.fixtures.get()
    staff.post(page_of(fixture), planned_form(Bob="Xaver"))
    run = reverse("competition_run", args=["pairs", one.pk])
    for after, result in enumerate(["1-0", "0-1"]):
        form = {f"result-{fixture.pk}": result, f"after-{fixture.pk}": str(after)}
        assert staff.post(run, {"answer": "save", **form}).status_code == 302
    first, second = Match.objects.order_by("pk")
    assert first.participants.filter(player__name="Xaver").exists()
    assert not second.participants.filter(player__name="Xaver").exists()


def test_the_named_line_up_can_be_taken_back(staff: Client, cup: Competition) -> None:
    Player.objects.create(name="Xaver")
    fixture = cup.fixtures.get()
    staff.post(page_of(fixture), planned_form(Bob="Xaver"))
    assert staff.post(page_of(fixture), planned_form()).status_code == 302
    assert "Xaver" not in words(staff.get(fixture.get_absolute_url()))
    staff.post(page_of(fixture), planned_form(Bob="Xaver"))
    # With a result, what the form says holds.
    assert staff.post(page_of(fixture), fill_form("1")).status_code == 302
    names = set(Match.objects.get().participants.values_list("player__name", flat=True))
    assert names == {"Ann", "Bob", "Cy", "Dee"}
    assert staff.post(page_of(fixture), planned_form(Bob="Xaver")).status_code == 409


@pytest.mark.parametrize(
    ("substitutes", "problem"),
    [
        ({"Bob": "Nobody"}, "There is no player “Nobody”"),
        ({"Bob": "Cy"}, "Cy is in this match twice."),
        ({"Ann": "", "Bob": ""}, "Nobody would play for Owls."),
        ({"Bob": "x" * 200}, "A name has at most 60"),
    ],
)
def test_line_ups_that_cannot_be_are_not_kept(
    staff: Client, cup: Competition, substitutes: dict[str, str], problem: str
) -> None:
    fixture = cup.fixtures.get()
    answer = staff.post(page_of(fixture), planned_form(**substitutes))
    assert answer.status_code in {400, 409}
    assert problem in words(answer)
    fixture.refresh_from_db()
    assert fixture.line_up == []
