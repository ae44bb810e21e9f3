"""Dishonor in the admin: rules, penalties and amnesties."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import (
    Amnesty,
    Arena,
    ArenaQueue,
    Discipline,
    DishonorAward,
    Offence,
    Player,
    StaffAction,
    User,
)
from league.services.dishonor.discipline import penalise, rules, status_of
from tests.support.admin_steps import (
    FormReader,
    browser_of,
    errors_of,
    form_on,
    messages_of,
    send,
    staff,
)
from tests.support.cast import NOW
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import words

__all__ = ["staff"]


AWARDS = reverse("admin:league_dishonoraward_changelist")
GRANT = reverse("admin:league_amnesty_add")
RULES = reverse("admin:league_discipline_add")


def shown(response: Any) -> list[Any]:
    return list(response.context["cl"].result_list)


def incident(**changes: object) -> dict[str, Any]:
    """The form of an amnesty for noon in the reader's zone, which is UTC here."""
    return {
        "since": "2026-03-01T11:59",
        "until": "2026-03-01T12:00",
        "offences": ["QueueDodge", "Abandon"],
        "reason": "The server fell.",
        **changes,
    }


@pytest.fixture
def fallen(duel: Arena, teams: Arena, alice: Player, bob: Player) -> None:
    """Alice and Bob are penalised at noon, in the last second of a minute; Bob elsewhere too."""
    last = NOW + timedelta(seconds=59)
    penalise([alice, bob], Offence.QUEUE_DODGE, duel, now=last)
    penalise([bob], Offence.ABANDON, teams, now=NOW)
    penalise([bob], Offence.BANNED, teams, now=NOW)


def test_penalties_are_found_by_player_offence_and_amnesty(
    staff: Client, fallen: None, alice: Player, bob: Player
) -> None:
    assert_strict(staff, reverse("admin:league_dishonoraward_change", args=[first_award().pk]))
    page = staff.get(AWARDS, {"q": "ＢＯＢ", "offence": "Abandon"})
    assert [award.player for award in shown(page)] == [bob]
    assert "Penalties never change, but an amnesty makes them void." in words(page)
    staff.post(GRANT, incident(player=alice.pk, _grant="", seen="1"))
    assert [award.player for award in shown(staff.get(AWARDS, {"void": "yes"}))] == [alice]
    assert len(shown(staff.get(AWARDS, {"void": "no"}))) == 3
    void = words(staff.get(AWARDS, {"void": "yes"}))
    assert "Void, by olga (granted an amnesty): The server fell." in void
    export: Any = staff.get(reverse("admin:league_dishonoraward_export"), {"void": "yes"})
    head, alices = b"".join(export.streaming_content).decode().splitlines()
    assert head.startswith("id,at,player_name,arena_slug,offence")
    assert ",Alice,duel,QueueDodge,3," in alices


def test_olga_previews_an_amnesty_and_grants_exactly_that(
    staff: Client, fallen: None, bob: Player
) -> None:
    look = staff.post(GRANT, incident(_look="Show"))
    said = words(look)
    assert "3 penalties would become void" in said
    assert "Not accepting a match: 2" in said
    assert "2 players lose 16 stacks." in said
    assert not Amnesty.objects.exists()
    seen = form_on_page(look)["seen"]
    granted = staff.post(GRANT, incident(_grant="Grant", seen=seen))
    assert "3 penalties are void." in messages_of(granted)
    assert StaffAction.objects.get().reason == "The server fell."
    assert status_of(bob, NOW + timedelta(hours=1)).until is None  # his ban stays
    again = staff.post(GRANT, incident(_grant="Grant", seen=seen))
    assert "There are no penalties to make void" in words(again)
    assert StaffAction.objects.count() == 1


def first_award() -> DishonorAward:
    return DishonorAward.objects.earliest("pk")


def form_on_page(page: Any) -> dict[str, str]:
    reader = FormReader()
    reader.feed(page.content.decode())
    return reader.values


def test_an_amnesty_with_an_outdated_preview_is_previewed_again(
    staff: Client, fallen: None, duel: Arena, alice: Player
) -> None:
    penalise([alice], Offence.QUEUE_DODGE, duel, now=NOW)
    answer = staff.post(GRANT, incident(_grant="Grant", seen="3"))
    assert "More has happened since this preview" in words(answer)
    assert form_on_page(answer)["seen"] == "4"
    assert not Amnesty.objects.exists()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"reason": " "}, "Give a reason."),
        ({"since": ""}, "This field is required."),
        ({"until": "2026-02-28T12:00"}, "The incident must not end before it starts."),
        ({"since": "noon"}, "Enter a day and a time such as"),
        ({"offences": []}, "This field is required."),
        ({"offences": ["Rudeness"]}, "Select a valid choice."),
        ({"player": "999999"}, "Select a valid choice."),
    ],
)
def test_an_incomplete_amnesty_is_refused(
    staff: Client, fallen: None, changes: dict[str, Any], sentence: str
) -> None:
    answer = staff.post(GRANT, incident(_grant="Grant", seen="3", **changes))
    assert sentence in words(answer)
    assert not Amnesty.objects.exists()


def test_an_amnesty_needs_both_permissions(fallen: None, alice: Player) -> None:
    user = User.objects.get(player=alice)
    user.is_staff = True
    user.save()
    user.user_permissions.add(Permission.objects.get(codename="add_amnesty"))
    assert browser_of(user).get(GRANT).status_code == 403
    user.user_permissions.add(Permission.objects.get(codename="decide_match"))
    assert browser_of(user).get(GRANT).status_code == 200


def test_the_published_rules_apply_until_olga_saves_others(staff: Client) -> None:
    form = form_on(staff, RULES)
    assert form["timeout_duration"] == "30s"
    assert form["stacks_Abandon"] == "10"
    changes = {"timeout_duration": "2m", "stacks_Abandon": "12"}
    assert errors_of(send(staff, RULES, changes)) == {}
    assert rules().timeout_duration == 120
    assert [penalty.stacks for penalty in rules().penalties] == [12, 3, 1_000_000]
    page = reverse("admin:league_discipline_change", args=[1])
    assert form_on(staff, page)["stacks_Abandon"] == "12"
    assert errors_of(send(staff, page, {"stacks_Abandon": "9"})) == {}
    assert rules().penalty("Abandon").stacks == 9
    assert apps.get_model("league", "HistoricalDiscipline").objects.count() == 2
    assert staff.get(RULES).status_code == 403


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("timeout_exponent", "-1", "from 0 to 10"),
        ("timeout_exponent", "nan", "Must be a number"),
        ("stack_duration", "soon", "written like 30s"),
        ("timeout_rounding", "-1m", "Must be a duration"),
        ("stacks_Abandon", "-1", "Must be a whole number from 0 to"),
        ("stacks_QueueDodge", "1e300", "Must be a whole number"),
        ("stacks_Banned", "many", "you gave “many”"),
    ],
)
def test_an_impossible_rule_is_refused_at_its_field(
    staff: Client, field: str, value: str, sentence: str
) -> None:
    errors = errors_of(send(staff, RULES, {field: value}))
    assert list(errors) == [field]
    assert sentence in errors[field][0]
    assert not Discipline.objects.exists()


def test_the_readings_of_the_published_rules_are_the_leagues_and_act_at_once(
    staff: Client, teams: Arena, bob: Player
) -> None:
    """After five hours, ten stacks are nine one after another, and none together."""
    penalise([bob], Offence.ABANDON, teams, now=NOW)
    later = NOW + timedelta(hours=5)
    assert status_of(bob, later).stacks == 9
    assert errors_of(send(staff, RULES, {"decay": "parallel"})) == {}
    assert status_of(bob, later).stacks == 0
    assert "decay" in errors_of(send(staff, change_page(), {"decay": "at once"}))
    assert errors_of(send(staff, change_page(), {"decay": "sequential"})) == {}
    assert status_of(bob, later).stacks == 9


def test_the_rounding_of_timeouts_acts(staff: Client, teams: Arena, bob: Player) -> None:
    """25 stacks earn 62.5 minutes as published."""
    rounded = {}
    assert errors_of(send(staff, RULES, {"stacks_Abandon": "25"})) == {}
    penalise([bob], Offence.ABANDON, teams, now=NOW)
    for rounding in ("half_up", "half_even"):
        assert errors_of(send(staff, change_page(), {"rounding": rounding})) == {}
        until = status_of(bob, NOW + timedelta(minutes=1)).until
        assert until
        rounded[rounding] = until - NOW
    assert rounded == {"half_up": timedelta(minutes=63), "half_even": timedelta(minutes=62)}


def change_page() -> str:
    return reverse("admin:league_discipline_change", args=[Discipline.objects.get().pk])


def test_a_queue_has_no_switches_of_dishonor(staff: Client, duel: Arena) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    page = reverse("admin:league_arenaqueue_change", args=[queue.pk])
    assert not {"choices__rounding", "choices__decay"} & form_on(staff, page).keys()
    assert errors_of(send(staff, page, {})) == {}
