"""Olga sets the rules by which results count. Wrong values are refused beside their field."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.test import Client

from league.models import Arena, Player, User
from league.models.result_rules import ResultRules, read_result_rules
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError
from ratings.tunables.wording import plain
from tests.support.admin_steps import arena_page, browser_of, errors_of, form_on, send, staff
from tests.support.web_steps import words

__all__ = ["staff"]


def saved(arena: Arena) -> ResultRules:
    return Arena.objects.get(pk=arena.pk).result_settings()


def test_every_rule_is_a_field_with_the_safe_default(staff: Client, duel: Arena) -> None:
    form = form_on(staff, arena_page(duel))
    defaults = ResultRules().to_json()
    assert {name: form[f"results__{name}"] for name in defaults} == {
        name: plain(value) if isinstance(value, int | float) else value
        for name, value in defaults.items()
    }
    assert (defaults["reporters"], defaults["silence"]) == ("captains", "confirms-agreed")
    assert (defaults["quorum_share"], defaults["quorum_least"]) == (0.5, 2)
    assert all(declaration.source == "Laurel" for declaration in declarations(ResultRules))


def test_olga_changes_the_rules_and_the_arena_says_so(staff: Client, duel: Arena) -> None:
    chosen = {
        "results__reporters": "organisers",
        "results__silence": "never",
        "results__quorum_share": "0.75",
        "results__quorum_least": "3",
        "results__scores": "lower",
        "results__score_steps": "thousandths",
        "results__lowest_score": "-20",
        "results__highest_score": "99.5",
        "results__objection_window": "0",
    }
    assert errors_of(send(staff, arena_page(duel), chosen)) == {}
    assert saved(duel).to_json() == {
        "reporters": "organisers",
        "silence": "never",
        "quorum_share": 0.75,
        "quorum_least": 3,
        "scores": "lower",
        "score_steps": "thousandths",
        "lowest_score": -20,
        "highest_score": 99.5,
        "objection_window": "0s",
    }
    page = words(Client().get(duel.get_absolute_url()))
    assert "Only organisers and game servers enter results. The lower score wins." in page
    assert "A score is from −20 to 99.5." in page
    assert "Rated results are final." in page
    history = words(staff.get(f"/admin/league/arena/{duel.pk}/history/"))
    assert "Who reports" in history
    assert "only organisers and game servers" in history


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({}, "a result counts only for sides that had agreed to the match beforehand"),
        ({"silence": "never"}, "Silence never confirms: the report lapses."),
        ({"scores": "higher"}, "The higher score wins."),
        ({}, "can object to a rated result for 2 days, and to a late one until the season is"),
        ({"objection_window": "36h"}, "can object to a rated result for 1 day 12 hours"),
        ({"objection_window": 0}, "Rated results are final."),
        ({"quorum_share": 0.25}, "25 % of the others and at least 2 have to confirm"),
    ],
)
def test_an_arena_shows_its_rules_in_words(
    melee: Arena, rules: dict[str, Any], sentence: str
) -> None:
    melee.result_rules = rules
    melee.save()
    assert sentence in words(Client().get(melee.get_absolute_url()))


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("quorum_share", "1.01", "from 0 to 1"),
        ("quorum_share", "-0.1", "from 0 to 1"),
        ("quorum_share", "nan", "from 0 to 1"),
        ("quorum_share", "half", "a number"),
        ("quorum_least", "0", "from 1 to 10000"),
        ("quorum_least", "10001", "from 1 to 10000"),
        ("quorum_least", "1.5", "a whole number"),
        ("objection_window", "31d", "30d"),
        ("objection_window", "-1d", "30d"),
        ("objection_window", "soon", "3d"),
        ("silence", "always", "confirms-agreed"),
        ("reporters", "everybody", "captains"),
        ("scores", "longest", "higher"),
    ],
)
def test_a_wrong_value_is_refused_beside_its_field(
    staff: Client, duel: Arena, field: str, typed: str, sentence: str
) -> None:
    errors: Mapping[str, list[str]] = errors_of(
        send(staff, arena_page(duel), {f"results__{field}": typed})
    )
    assert list(errors) == [f"results__{field}"]
    assert sentence in errors[f"results__{field}"][0]
    assert saved(duel) == ResultRules()


@pytest.mark.parametrize(
    ("share", "least", "others", "needed"),
    [
        (0.5, 2, 2, 2),
        (0.5, 2, 3, 2),
        (0.5, 2, 9, 5),
        (0.0, 1, 9_999, 1),
        (1.0, 1, 9_999, 9_999),
        (0.0, 10_000, 3, 3),
        (0.07, 1, 100, 7),
        (1 / 3, 1, 9, 3),
    ],
)
def test_the_quorum_is_a_share_of_the_others_capped_at_all_of_them(
    share: float, least: int, others: int, needed: int
) -> None:
    assert ResultRules(quorum_share=share, quorum_least=least).quorum(others) == needed


@pytest.mark.parametrize(
    "rules", [{"quorum_share": "NaN"}, {"quorum_share": True}, {"unknown": 1}, {"silence": None}]
)
def test_stored_rules_are_validated(duel: Arena, rules: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        read_result_rules(rules)
    duel.result_rules = rules
    with pytest.raises(ValidationError) as error:
        duel.full_clean()
    assert list(error.value.message_dict) == ["result_rules"]


def test_staff_who_may_only_read_see_the_rules(duel: Arena, alice: Player) -> None:
    user = User.objects.get(player=alice)
    user.is_staff = True
    user.save()
    user.user_permissions.add(Permission.objects.get(codename="view_arena"))
    page = words(browser_of(user).get(arena_page(duel)))
    assert "Better score: the higher score wins" in page
