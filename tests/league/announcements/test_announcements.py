"""Announcements on pages and as notices."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Announcement, Arena, Job, Notice, Player, Roster, StaffAction
from league.services.announcements.announcing import announce
from league.services.core.errors import Forbidden
from league.services.jobs import jobs
from league.services.results.reports.answers import confirm
from league.services.site import frame
from league.work import WORK
from tests.support.admin_steps import browser_of as admin_of
from tests.support.admin_steps import form_on
from tests.support.cast import NOW, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

NEW = reverse("admin:league_announcement_add")


@pytest.fixture
def staff(olga: Player) -> Client:
    return admin_of(olga.user)


def save(staff: Client, url: str = NEW, **changes: Any) -> Any:
    return staff.post(url, form_on(staff, url) | changes)


def test_an_announcement_is_on_the_pages_it_is_for_until_it_ends(
    staff: Client, duel: Arena, teams: Arena
) -> None:
    assert_strict(staff, NEW)
    assert save(staff, text="Finals **tonight**").status_code == 302
    assert save(staff, text="Duels only", arena=duel.pk).status_code == 302
    (league, of_duel) = Announcement.objects.order_by("pk")
    in_duel, in_teams = duel.get_absolute_url(), teams.get_absolute_url()
    assert "Finals <strong>tonight</strong>" in Client().get(in_teams).content.decode()
    assert "Duels only" in words(Client().get(in_duel))
    assert "Duels only" not in words(Client().get(in_teams))
    assert_strict(Client(), in_duel)

    change = reverse("admin:league_announcement_change", args=[league.pk])
    now = timezone.now()
    start = {"starts_at": f"{now - timedelta(days=2):%Y-%m-%dT%H:%M}"}
    ended = start | {"ends_at": f"{now - timedelta(days=1):%Y-%m-%dT%H:%M}"}
    assert save(staff, change, **ended).status_code == 302
    assert "tonight" not in words(Client().get(in_teams))
    actions = StaffAction.objects.filter(kind=StaffAction.Kind.ANNOUNCED).order_by("pk")
    assert actions[2].before
    assert actions[2].before["Until"] == ""
    later = reverse("admin:league_announcement_change", args=[of_duel.pk])
    tomorrow = {"starts_at": f"{now + timedelta(days=1):%Y-%m-%dT%H:%M}"}
    assert save(staff, later, **tomorrow).status_code == 302
    assert "Duels only" not in words(Client().get(in_duel))


def test_a_reader_closes_a_banner_and_others_still_see_it(staff: Client, duel: Arena) -> None:
    save(staff, text="Finals tonight")
    one = Announcement.objects.get()
    reader, close = Client(), reverse("announcement_dismiss", args=[one.pk])
    answer = reader.post(close, {"next": duel.get_absolute_url()})
    assert answer["Location"] == duel.get_absolute_url()
    assert "Finals tonight" not in words(reader.get("/"))
    assert "Finals tonight" in words(Client().get("/"))
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        assert reader.post(close, {"next": elsewhere})["Location"] == "/"
    reader.cookies["dismissed"] = "x." * 500
    assert reader.get("/").status_code == 200
    assert reader.post(close).status_code == 302


def test_pages_do_not_ask_the_database_for_announcements(staff: Client, duel: Arena) -> None:
    save(staff, text="Finals tonight")
    frame.current()
    with CaptureQueriesContext(connection) as asked:
        Client().get("/players/")
    assert not [query for query in asked if "announcement" in query["sql"]]


def test_the_players_of_an_arena_get_a_notice_too(
    staff: Client, duel: Arena, alice: Player, charlie: Player, eve: Player, owls: Roster
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    refused = save(staff, text="Duels tonight", tell="on")
    assert "Choose an arena" in words(refused)
    led = save(staff, text="Duels tonight", arena=duel.pk, tell="on")
    job = Job.objects.get()
    assert led["Location"] == reverse("admin:league_job_change", args=[job.pk])
    for _twice in range(2):
        jobs.carry_out(job.pk, WORK, timezone.now())
    told = Notice.objects.filter(kind="letter").values_list("player__name", flat=True)
    assert sorted(told) == ["Alice", "Charlie"]
    assert "Staff wrote to you: “Duels tonight”" in words(browser_of(alice).get(reverse("inbox")))
    assert browser_of(eve).get("/").status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", ""),
        ("text", "x" * 1001),
        ("starts_at", "soon"),
        ("ends_at", "2020-01-01T00:00"),
        ("arena", "777777"),
    ],
)
def test_bad_input_is_refused_at_its_field(staff: Client, field: str, value: str) -> None:
    answer = save(staff, **({"text": "Finals"} | {field: value}))
    assert answer.status_code == 200
    errors = answer.context["adminform"].form.errors
    assert errors.get(field) or errors["__all__"]
    assert not Announcement.objects.exists()


def test_only_staff_with_the_permission_announce(alice: Player) -> None:
    one = Announcement(text="Me!", starts_at=NOW)
    with pytest.raises(Forbidden):
        announce(one, by=user_of(alice), now=NOW)


@pytest.mark.parametrize("when", ["0001-01-01T00:00", "9999-12-31T23:59"])
@pytest.mark.parametrize("field", ["starts_at", "ends_at"])
def test_a_year_that_other_time_zones_do_not_have_is_refused(
    staff: Client, duel: Arena, field: str, when: str
) -> None:
    """Nobody west or east of the writer could open the list any more."""
    answer = save(staff, text="Finals", **{field: when})
    assert answer.status_code == 200
    assert "The year must be from 1000 to 2999." in words(answer)
    maintenance = reverse("admin:league_maintenance_changelist")
    off = staff.post(maintenance, {"message": "So.", "until": when})
    assert "The year must be from 1000 to 2999." in words(off)
