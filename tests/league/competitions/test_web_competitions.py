"""The pages of competitions, as captains and staff use them."""

import csv
import io
import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Arena, Competition, Entrant, Fixture, Player, User
from league.services.competitions import decisions, pages, progress
from league.services.competitions.standings.tie_breaks import TIE_BREAKS
from tests.support.cast import NOW, account, roster
from tests.support.competition_steps import (
    START,
    begun,
    competition,
    crowd,
    enter,
    fixture_of,
    opened,
    play,
    sides_of,
)
from tests.support.result_steps import user_of


@pytest.fixture
def open_competition(duel: Arena, olga: Player) -> Competition:
    """A competition that takes entries on the day of the test."""
    one = opened(duel, olga)
    Competition.objects.filter(pk=one.pk).update(starts_at=timezone.now() + timedelta(days=1))
    return one


def say(client: Client, one: Competition, answer: str, **more: object) -> Any:
    address = f"{one.get_absolute_url()}entry/"
    return client.post(address, {"answer": answer, **more}, follow=True)


def test_a_player_enters_and_leaves(
    client: Client, open_competition: Competition, alice: Player
) -> None:
    client.force_login(user_of(alice))
    assert (
        "You have entered Spring Cup." in say(client, open_competition, "register").content.decode()
    )
    assert "You have left Spring Cup." in say(client, open_competition, "leave").content.decode()
    refused = say(client, open_competition, "leave")
    assert (refused.status_code, "You have not entered" in refused.content.decode()) == (409, True)


@pytest.mark.parametrize("answer", ["", "win", "check-in\x00"])
def test_unknown_steps_are_refused(
    client: Client, open_competition: Competition, alice: Player, answer: str
) -> None:
    client.force_login(user_of(alice))
    assert say(client, open_competition, answer).status_code == 400


def test_drafts_are_for_staff(client: Client, duel: Arena, alice: Player, olga: Player) -> None:
    address = competition(duel).get_absolute_url()
    client.force_login(user_of(alice))
    assert client.get(address).status_code == 404
    client.force_login(user_of(olga))
    assert client.get(address).status_code == 200


def test_the_table_explains_its_tie_breaks(
    client: Client, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    play(fixture_of(one, alice, bob), alice)
    page = client.get(one.get_absolute_url()).content.decode()
    assert "How places are decided" in page
    assert "Direct encounter" in page
    assert page.index("Alice") < page.index("Bob")


def rules_on(client: Client, one: Competition) -> str:
    """Return the text of the rules on a competition's page, without tags."""
    page = client.get(one.get_absolute_url()).content.decode()
    part = page[page.index('id="rules"') : page.index("Calendar of this competition")]
    return " ".join(re.sub(r"<[^>]*>", " ", part).split())


@pytest.mark.parametrize(
    ("format_", "rules", "sentences"),
    [
        (
            "swiss",
            {
                "entry": {"rating_from": 1200, "rating_to": 1800.5, "late_until": 3},
                "play": {"rounds": 5, "pairing": "even", "apart": True},
            },
            [
                "Ratings from 1200 to 1800. Unrated players have the rating of a newcomer.",
                "Late entries are possible until round 3 is drawn.",
                "A Swiss of 5 rounds.",
                "Entrants of one team or club do not meet as long as that can be avoided.",
            ],
        ),
        (
            "table",
            {
                "table": {"win": 2, "forfeit": -1, "tie_breaks": "direct, sonneborn_berger"},
                "play": {"legs": 2, "relegated": 2, "promoted": 1},
                "dates": {"unplayed": "draw", "beyond": "2d", "postponements": 0},
            },
            [
                "Points: 2 for a win, 1 for a draw, 0 for a loss, −1 for the side that forfeits.",
                "Sonneborn–Berger ·",
                "The last 2 of the table are proposed for the level below.",
                "Captains cannot move dates. A fixture can be played up to 2 days after its round.",
                "A fixture that is not played in its round counts as a draw.",
            ],
        ),
        ("double", {"play": {"second_final": False}}, ["Those who lose twice are out."]),
        (
            "groups-knockout",
            {},
            ["If only some of them can go on to the bracket, those with the higher seeds do."],
        ),
    ],
)
def test_the_rules_can_be_read_before_entering(
    client: Client,
    duel: Arena,
    olga: Player,
    format_: str,
    rules: dict[str, Any],
    sentences: list[str],
) -> None:
    told = rules_on(client, opened(duel, olga, format_, **rules))
    assert [sentence for sentence in sentences if sentence not in told] == []
    assert "level above" not in told, "nothing is above level 1"
    assert ("Points:" in told) == (format_ != "double")
    assert "roster" not in told


def test_the_rules_have_no_empty_words(client: Client, duel: Arena, olga: Player) -> None:
    """Football sets no time after the opening of a round, and table tennis has no draws."""
    one = opened(duel, olga, "table", dates={"default_after": "0s"})
    assert "a fixture is played when its round opens." in rules_on(client, one)
    assert "no time" not in rules_on(client, one)
    assert "1 for a draw" in rules_on(client, one)
    Arena.objects.filter(pk=duel.pk).update(draws_allowed=False)
    assert "for a draw" not in rules_on(client, one)


def test_who_has_no_player_is_not_asked_to_log_in_again(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "table")
    Competition.objects.filter(pk=one.pk).update(starts_at=timezone.now() + timedelta(days=1))
    assert "Log in to enter" in client.get(one.get_absolute_url()).content.decode()
    client.force_login(User.objects.create_superuser("boss", password="kicker-Wald-77"))
    page = client.get(one.get_absolute_url()).content.decode()
    assert "Log in to enter" not in page
    assert 'first <a href="/settings/">choose a player name</a>' in page


def test_a_forfeit_is_no_score_and_a_final_has_no_group(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(8), "groups-knockout", play={"groups": 2, "qualify": 2})
    for week in range(1, 8):
        for fixture in one.fixtures.undecided().filter(home__isnull=False, away__isnull=False):
            decisions.decide(
                fixture.pk, "home", by=user_of(olga), reason="No show.", now=NOW, forfeit=True
            )
        progress.sweep(START + week * timedelta(days=7))
    page = pages.load(Competition.objects.get(pk=one.pk))
    lines = [line for some in page.lines.values() for line in some if line.without_game]
    assert {line.score for line in lines if not line.is_bye} == {"+:−"}
    assert {bool(line.group) for line in lines if line.fixture.round.is_in_bracket} == {False}
    assert {line.group for line in lines if not line.fixture.round.is_in_bracket} == {"A", "B"}


def test_of_those_who_are_level_the_higher_seeds_go_on(duel: Arena, olga: Player) -> None:
    """Each of three wins once, so that the table leaves them level."""
    one = begun(duel, olga, crowd(6), "groups-knockout", play={"groups": 2, "qualify": 2})
    beaten: dict[int | None, int] = {}
    through: set[int] = set()
    for group in (0, 1):
        ids = list(one.entrants.filter(group=group).order_by("seed").values_list("pk", flat=True))
        beaten |= dict(zip(ids, [ids[2], ids[0], ids[1]], strict=True))
        through |= {*ids[:2]}
    for week in range(1, 5):
        for game in one.fixtures.undecided().filter(home__isnull=False, away__isnull=False):
            if not game.round.is_in_bracket:
                result = "home" if beaten[game.home_id] == game.away_id else "away"
                decisions.decide(game.pk, result, by=user_of(olga), reason="Played.", now=NOW)
        progress.sweep(START + week * timedelta(days=7))
    semi_finals = one.fixtures.filter(round__stage="winners", home__isnull=False)
    assert {pk for sides in semi_finals.values_list("home", "away") for pk in sides} == through


@pytest.mark.parametrize("format_", ["table", "swiss", "single"])
def test_who_withdraws_reads_what_it_costs(
    client: Client, duel: Arena, alice: Player, bob: Player, olga: Player, format_: str
) -> None:
    """In a Swiss and in a bracket, what was played always counts."""
    one = begun(duel, olga, [alice, bob], format_)
    client.force_login(user_of(alice))
    page = client.get(one.get_absolute_url()).content.decode()
    assert "You lose your remaining fixtures." in page
    assert ("none of your results count" in page) == (format_ == "table")


def test_the_number_of_statements_does_not_grow(client: Client, duel: Arena, olga: Player) -> None:
    counts = []
    for size in (4, 8):
        one = begun(duel, olga, crowd_from(size), "groups-knockout", play={"groups": 2})
        with CaptureQueriesContext(connection) as seen:
            client.get(one.get_absolute_url())
        counts.append(len(seen))
        Competition.objects.filter(pk=one.pk).update(name=f"Cup {size}")
    assert counts[0] == counts[1]


def crowd_from(size: int) -> list[Player]:
    return [account(f"Of {size}: {number}") for number in range(size)]


def test_a_bracket_names_where_its_sides_come_from(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single")
    page = client.get(one.get_absolute_url()).content.decode()
    assert "winner of 1" in page
    final = one.fixtures.get(round__stage="final")
    assert client.get(final.get_absolute_url()).status_code == 200


def test_the_date_leads_to_its_fixture(
    client: Client, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    fixture = fixture_of(begun(duel, olga, [alice, bob]), alice, bob)
    date = fixture.games.get().arrangement
    client.force_login(user_of(alice))
    page = client.get(date.get_absolute_url()).content.decode()
    assert fixture.get_absolute_url() in page
    assert "Call it off" not in page


def test_a_roster_is_chosen(
    client: Client, teams: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    owls = roster(teams, "Owls", alice, bob)
    one = opened(teams, olga)
    Competition.objects.filter(pk=one.pk).update(starts_at=timezone.now() + timedelta(days=1))
    client.force_login(user_of(alice))
    say(client, one, "register", roster=owls.pk)
    assert Entrant.objects.get().roster == owls
    assert say(client, one, "register", roster=999_999).status_code == 400


class TestAdmin:
    def test_staff_set_one_up_and_run_it(
        self, client: Client, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        client.force_login(user_of(olga))
        start = timezone.now() + timedelta(days=2)
        typed = {
            "season": duel.seasons.get().pk,
            "name": "Autumn Cup",
            "format": "table",
            "level": 1,
            "starts_at_0": start.date().isoformat(),
            "starts_at_1": "20:00",
            "table__win": "2",
        }
        client.post("/admin/league/competition/add/", typed)
        one = Competition.objects.get()
        assert one.ruled_by().table.win == 2
        step = f"/admin/league/competition/{one.pk}/"
        client.post(f"{step}open/")
        enter(Competition.objects.get(), alice, bob, now=timezone.now())
        client.post(f"{step}start/")
        one.refresh_from_db()
        assert one.state == Competition.State.RUNNING

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("entry__entrants", "1"),
            ("entry__entrants", "514"),
            ("entry__rating_from", "nan"),
            ("dates__round_length", "-1d"),
            ("dates__round_length", ""),
            ("table__win", "1e999"),
            ("table__tie_breaks", "luck"),
            ("play__best_of", "2"),
            ("starts_at_0", "2001-01-01"),
        ],
    )
    def test_wrong_settings_are_named(
        self, client: Client, duel: Arena, olga: Player, field: str, value: str
    ) -> None:
        client.force_login(user_of(olga))
        start = timezone.now() + timedelta(days=2)
        typed = {
            "season": duel.seasons.get().pk,
            "name": "Autumn Cup",
            "format": "table",
            "level": 1,
            "starts_at_0": start.date().isoformat(),
            "starts_at_1": "20:00",
            field: value,
        }
        answer = client.post("/admin/league/competition/add/", typed)
        assert (answer.status_code, "errorlist" in answer.content.decode()) == (200, True)
        if field == "table__tie_breaks":
            page = unescape(answer.content.decode())
            assert "“luck” is not a tie-break" in page
            assert all(f"{each.name}: {each.explanation}" in page for each in TIE_BREAKS.values())
        assert not Competition.objects.exists()

    def test_points_are_fixed_once_drawn_and_dates_for_organisers_who_play(
        self, client: Client, duel: Arena, alice: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, olga])
        address = f"/admin/league/competition/{one.pk}/change/"
        typed = {"name": "Cup", "level": 1, "table__win": "9", "dates__unplayed": "both-lose"}

        def saved_by(player: Player) -> tuple[str, float, str]:
            client.force_login(user_of(player))
            client.post(address, typed)
            found = Competition.objects.get()
            return found.name, found.ruled_by().table.win, found.ruled_by().dates.unplayed

        other = account("Oskar", superuser=True)
        before = one.ruled_by()
        assert saved_by(olga) == ("Spring Cup", before.table.win, before.dates.unplayed)
        assert saved_by(other) == ("Cup", before.table.win, "both-lose")
        client.force_login(user_of(olga))
        typed["dates__unplayed"] = "staff"
        answer = client.post(address, typed)
        assert "Ask another organiser to change its dates" in answer.content.decode()

    def test_staff_decide_a_fixture(
        self, client: Client, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, bob])
        fixture = fixture_of(one, alice, bob)
        client.force_login(user_of(olga))
        address = f"/admin/league/fixture/{fixture.pk}/decide/"
        assert client.get(address).status_code == 200
        client.post(address, {"result": "home", "reason": ""})
        assert Fixture.objects.get().result == ""
        client.post(address, {"result": "home", "reason": "Absent.", "forfeit": "on"})
        assert Fixture.objects.get().decided_by == "forfeit"
        page = client.get(fixture.get_absolute_url()).content.decode()
        assert "Absent." in page
        progress.sweep(timezone.now())


def file_of(one: Competition, what: str, kind: str) -> Any:
    return Client().get(f"{one.get_absolute_url()}{what}.{kind}")


def test_the_table_and_the_schedule_are_files(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    played = next(each for each in one.fixtures.with_sides() if each.home and each.away)
    home = sides_of(played)[0]
    play(played, home.player, score=(3, 1))
    answer = file_of(one, "table", "csv")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    first, *others = csv.DictReader(io.StringIO(answer.getvalue().decode()))
    assert (first["name"], first["won"], first["for"], first["place"]) == (home.name, "1", "3", "1")
    assert len(others) == 2
    assert [one["difference"] for one in (first, *others)] == ["2", "0", "-2"]
    rows = json.loads(file_of(one, "schedule", "json").getvalue())
    assert len(rows) == one.fixtures.count()
    decided = [row for row in rows if row["result"]]
    assert [(row["home"], row["home_score"], row["away_score"]) for row in decided] == [
        (home.name, 3, 1)
    ]
    assert file_of(one, "schedule", "xlsx").getvalue().startswith(b"PK")
    page = Client().get(one.get_absolute_url()).content.decode()
    assert f"{one.get_absolute_url()}table.csv" in page


def test_a_bracket_has_no_table_and_a_draft_no_file(
    duel: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    bracket = begun(duel, olga, [alice, bob], "single")
    assert file_of(bracket, "table", "csv").status_code == 404
    assert file_of(bracket, "schedule", "csv").status_code == 200
    assert file_of(bracket, "players", "csv").status_code == 404
    Competition.objects.update(name="Winter Cup")
    assert file_of(competition(duel), "schedule", "csv").status_code == 404


def test_the_round_that_is_played_stands_above_the_table(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(2), "table")
    page = client.get(one.get_absolute_url()).content.decode()
    assert page.index('id="fixtures"') < page.index('id="table-1"')
    fixture = one.fixtures.with_sides().get()
    assert fixture.home
    play(fixture, fixture.home.player, score=(3, 1))
    page = client.get(one.get_absolute_url()).content.decode()
    assert page.index('id="fixtures"') > page.index('id="table-1"')
