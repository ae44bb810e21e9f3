"""Every page of the admin obeys the strict content policy."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.support.admin_steps import errors_of, staff

__all__ = ["staff"]


admin.autodiscover()


@pytest.mark.parametrize("number", ["NaN", "abc"])
def test_a_forged_key_gets_a_message(staff: Client, number: str) -> None:
    forged = {"action": "merge_selected", "_selected_action": [number]}
    answer = staff.post(reverse("admin:league_player_changelist"), forged)
    assert answer.status_code == 400
    assert "text where a number belongs" in answer.text
    answer = staff.post(reverse("admin:league_announcement_add"), {"arena": number})
    assert errors_of(answer)["arena"] == [f"{number} was not found. Give the whole name."]


@pytest.mark.parametrize(
    "sent",
    [
        {"month": "9" * 23},
        {"month": "9999"},
        {"month": "9999-12"},
        {"month": "1"},
        {"q": "9" * 5000},
        {"arena": "9" * 5000},
    ],
)
def test_numbers_of_any_size_in_a_list_are_no_error_of_the_site(
    staff: Client, sent: dict[str, str]
) -> None:
    answer = staff.get(reverse("admin:league_staffaction_changelist"), sent)
    assert answer.status_code in {200, 302, 400}
