"""Cases of moderators."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import (
    Arena,
    Case,
    CaseNote,
    Flag,
    Player,
    PlayerReport,
    Season,
    StaffAction,
    User,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.moderation import cases
from league.services.moderation.reports import report
from tests.support.admin_steps import browser_of as admin_of
from tests.support.cast import NOW, account, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words


@pytest.fixture
def staff(olga: Player) -> Client:
    return admin_of(olga.user)


def moderator(player: Player) -> User:
    """Let a player's account work on cases."""
    user = user_of(player)
    User.objects.filter(pk=user.pk).update(is_staff=True)
    wanted = Permission.objects.filter(content_type__model="case")
    user.user_permissions.add(*wanted)
    return User.objects.get(pk=user.pk)


def page(case: Case) -> str:
    return reverse("admin:league_case_change", args=[case.pk])


def step(staff: Client, case: Case, name: str, **given: Any) -> Any:
    fields = {f"{name}-{field}": value for field, value in given.items()}
    return staff.post(page(case), {"step": name, **fields})


def test_a_case_goes_from_a_report_to_its_outcome(
    staff: Client, duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    one = report(charlie, "cheating", "He saw all.", by=alice, now=NOW, match=match)
    listed = reverse("admin:league_playerreport_changelist")
    chosen = {"action": "open_case", "_selected_action": [one.pk]}
    new = staff.post(listed, chosen)["Location"]
    assert_strict(staff, new)
    initial = staff.get(new).context["form"].initial
    assert (initial["players"], initial["matches"]) == ([charlie.pk], str(match.pk))
    form = {
        "title": "A bot?",
        "players": [charlie.pk],
        "matches": str(match.pk),
        "reports": [one.pk],
        "note": "Asked him.",
    }
    assert staff.post(new, form).status_code == 302
    (case,) = Case.objects.all()
    assert case.reports.get() == one

    frank = moderator(eve)
    assert step(staff, case, "assign", assignee=frank.pk).status_code == 302
    assert step(staff, case, "note", text="He has no answer.").status_code == 302
    flag = Flag.objects.create(
        kind=Flag.Kind.DODGING,
        season=Season.objects.get(arena=duel),
        player=charlie,
        evidence={"dodges": 9, "offered": 10},
        raised_at=NOW,
    )
    assert step(staff, case, "link", flags=[flag.pk], players=[alice.pk]).status_code == 302
    assert_strict(staff, page(case))
    with CaptureQueriesContext(connection) as asked:
        text = words(staff.get(page(case)))
    assert len(asked) <= 20
    for said in ("Asked him.", "He has no answer.", "He saw all.", "did not accept 9 of 10", "eve"):
        assert said in text
    assert "Write" not in text
    assert step(staff, case, "close", outcome=" ").status_code == 200
    assert step(staff, case, "close", outcome="Banned for a year.").status_code == 302
    one.refresh_from_db()
    flag.refresh_from_db()
    assert one.note == flag.note == "Banned for a year."
    assert step(staff, case, "reopen", reason="He wrote.").status_code == 302
    notes = list(case.notes.values_list("text", flat=True))
    assert notes == ["Asked him.", "He has no answer.", "Outcome until now: Banned for a year."]
    done = StaffAction.objects.filter(kind="case", details__case=case.pk).order_by("pk")
    assert [action.details["step"] for action in done] == [
        "opened", "assigned", "closed", "opened again",
    ]  # fmt: skip
    assert done[1].after == {"assignee": "eve"}

    for address in (charlie.get_absolute_url(), match.get_absolute_url(), reverse("inbox")):
        assert "A bot?" not in words(browser_of(charlie).get(address))


def test_notes_are_never_changed(alice: Player, olga: Player) -> None:
    case = cases.open_case("So.", [alice], by=user_of(olga), now=NOW, note="First.")
    for change in (
        lambda: CaseNote.objects.update(text="Other."),
        lambda: CaseNote.objects.filter(case=case).delete(),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_a_moderator_sees_no_case_about_themselves_and_gets_none(
    staff: Client, alice: Player, charlie: Player, olga: Player
) -> None:
    frank = moderator(alice)
    case = cases.open_case("Strange wins", [alice], by=user_of(olga), now=NOW)
    theirs = admin_of(frank)
    assert "Strange wins" not in words(theirs.get(reverse("admin:league_case_changelist")))
    assert theirs.get(page(case)).status_code == 404
    for refused in (
        lambda: cases.add_note(case.pk, "No.", by=frank, now=NOW),
        lambda: cases.close(case.pk, "Nothing.", by=frank, now=NOW),
        lambda: cases.open_case("So.", [alice], by=frank, now=NOW),
        lambda: cases.add_note(case.pk, "No.", by=user_of(charlie), now=NOW),
        lambda: cases.open_case("So.", [alice], by=user_of(charlie), now=NOW),
    ):
        with pytest.raises(Forbidden):
            refused()
    assert step(staff, case, "assign", assignee=frank.pk).status_code == 200
    other = cases.open_case("Other", [charlie], by=frank, now=NOW, assignee=frank)
    with pytest.raises(Forbidden):  # it would become a case about them
        cases.link(other.pk, by=frank, players=[alice])
    assert list(other.players.all()) == [charlie]


@pytest.mark.parametrize("language", ["en", "zh-hans", "ar"])
def test_a_form_that_names_matches_can_be_sent_as_it_is(
    staff: Client, alice: Player, duel: Arena, language: str
) -> None:
    numbers = [str(beats(alice, account(name), duel).pk) for name in ("Bo", "Cy")]
    address = f"{reverse('admin:league_case_add')}?match={'&match='.join(numbers)}"
    given = staff.get(address, headers={"accept-language": language}).context["form"]
    for comma in (",", "，", "、", "،"):
        typed = given["matches"].value().replace(",", comma)
        sent = {"title": "So.", "players": [alice.pk], "matches": typed}
        assert staff.post(address, sent).status_code == 302
    assert {case.matches.count() for case in Case.objects.all()} == {2}


def test_bad_input_is_refused_at_its_field(staff: Client, alice: Player, olga: Player) -> None:
    new = reverse("admin:league_case_add")
    good = {"title": "So.", "players": [alice.pk]}
    for field, value in (
        ("title", ""),
        ("title", "x" * 201),
        ("players", []),
        ("players", [10**12]),
        ("matches", "one"),
        ("matches", "99999999"),
        ("matches", str(10**40)),
        ("assignee", "777"),
    ):
        answer = staff.post(new, good | {field: value})
        assert answer.status_code == 200, field
        assert answer.context["form"].errors[field], field
    assert not Case.objects.exists()
    assert staff.get(f"{new}?report=x&player={10**30}&flag=-1").status_code == 200
    case = cases.open_case("So.", [alice], by=user_of(olga), now=NOW)
    assert step(staff, case, "link").status_code == 200
    with pytest.raises(Conflict):
        cases.reopen(case.pk, "So.", by=user_of(olga), now=NOW)
    with pytest.raises(Refused):
        cases.reopen(case.pk, "", by=user_of(olga), now=NOW)
    assert PlayerReport.objects.count() == 0


def test_a_case_is_opened_from_flags(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    flag = Flag.objects.create(
        kind=Flag.Kind.DODGING,
        season=Season.objects.get(arena=duel),
        player=charlie,
        evidence={"dodges": 9, "offered": 10},
        raised_at=NOW,
    )
    listed = reverse("admin:league_flag_changelist")
    new = staff.post(listed, {"action": "open_case", "_selected_action": [flag.pk]})["Location"]
    on_page = staff.get(reverse("admin:league_flag_change", args=[flag.pk]))
    assert f'href="{new}"' in on_page.content.decode()
    form = {"title": "Dodging", "players": [charlie.pk], "flags": [flag.pk]}
    assert staff.post(new, form).status_code == 302
    assert Case.objects.get().flags.get() == flag
