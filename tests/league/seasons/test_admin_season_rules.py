"""Olga sets the season rules, each in a typed field, and plans the next season."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils.html import escape

from league.admin.core.fields import declared_fields
from league.models import Arena, Player, Season
from league.models.explained import translate
from league.services.core.clock import database_now
from ratings.seasons.rules import SEASON_RULES
from tests.support.admin_steps import (
    arena_page,
    errors_of,
    form_on,
    messages_of,
    open_season_page,
    send,
    staff,
)
from tests.support.season_steps import set_season_rules, win

__all__ = ["staff"]


def test_every_rule_of_seasons_is_a_field_and_saving_untouched_changes_none(
    staff: Client, duel: Arena
) -> None:
    page = f"{arena_page(duel)}?with=challenges"
    form = staff.get(page).context["adminform"].form
    for group, model in SEASON_RULES.items():
        for declaration in declared_fields(model):
            field = form[f"season_{group}__{declaration.name}"]
            assert field.label == declaration.label
            assert escape(translate(declaration.help)) in str(field.help_text)
    set_season_rules(
        duel,
        challenges={"draws": True, "sent": 2},  # they are for ladders, and not on the page
        start={"placement": "carry-over", "full_reset_before": "2026-01-31T00:00Z"},
        cuts={"by": "rank", "rank_margin": 0.1 + 0.2},
        divisions=[{"name": "All", "first": None}, {"name": "Ten", "first": 10}],
    )
    before = Arena.objects.get(pk=duel.pk).season_rules
    assert errors_of(send(staff, arena_page(duel), {})) == {}
    assert Arena.objects.get(pk=duel.pk).season_rules == before


def test_typed_rules_are_those_of_the_next_season(staff: Client, duel: Arena) -> None:
    typed = {
        "season_start__placement": "linear-scale",
        "season_start__ratio": "0.25",
        "season_calendar__length": "90d",
        "season_decay__points": "700",
        "season_cuts__by": "rating",
        "season_divisions": "Novice\nExpert, #8A6A00, 1500",
        "time_zone": "Europe/Berlin",
    }
    assert errors_of(send(staff, arena_page(duel), typed)) == {}
    rules = Arena.objects.get(pk=duel.pk).rules()
    assert (rules.start.placement, rules.start.ratio) == ("linear-scale", 0.25)
    assert (float(rules.calendar.length), rules.decay.points) == (90 * 86_400, 700)
    assert [(one.name, one.first) for one in rules.divisions.divisions] == [
        ("Novice", float("-inf")),
        ("Expert", 1500),
    ]
    assert Season.objects.get(arena=duel).season_rules() == rules  # it has no result yet
    page = staff.get(f"/admin/league/arena/{duel.pk}/history/").content.decode()
    assert "Length of a season" in page


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({"season_start__ratio": "2"}, "season_start__ratio", "from 0 to 1; you gave"),
        (
            {"season_start__full_reset_before": "31 January"},
            "season_start__full_reset_before",
            "a time with its UTC offset, written like 2026-01-31",
        ),
        ({"season_calendar__length": "soon"}, "season_calendar__length", "written like"),
        ({"season_calendar__follows": "on"}, "season_calendar__length", "above 0 to plan"),
        ({"season_divisions": "Gold, 1\nSilver, 1"}, "season_divisions", "must begin above Gold"),
        ({"season_divisions": "Low\nHigh"}, "season_divisions", "line 2: High needs a cut"),
        ({"season_divisions": "Low\nHigh, red, 9"}, "season_divisions", "like #b87333"),
        (
            {"season_cuts__by": "rank", "season_divisions": "All\nTen, 10\nTop, 20"},
            "season_divisions",
            "Top must begin above Ten",
        ),
        ({"time_zone": "Berlin"}, "time_zone", "no time zone “Berlin”"),
        (
            {"rating_system": "ladder", "season_start__placement": "linear-scale"},
            "season_start__placement",
            "Ranks can only be kept",
        ),
        (
            {"rating_system": "ladder", "season_decay__points": "7"},
            "season_decay__points",
            "Ranks do not decay",
        ),
        (
            {"rating_system": "ladder", "season_cuts__by": "rating", "season_divisions": "All"},
            "season_cuts__by",
            "must be cut by percentile or rank",
        ),
        ({"season_cuts__percentile_margin": "100"}, "season_cuts__percentile_margin", "to 99"),
    ],
)
def test_an_invalid_rule_is_refused_beside_its_field(
    staff: Client, duel: Arena, typed: dict[str, str], field: str, said: str
) -> None:
    before = duel.rules()
    errors = errors_of(send(staff, arena_page(duel), typed))
    assert said.lower() in " ".join(errors.pop(field)).lower()
    assert errors == {}
    assert Arena.objects.get(pk=duel.pk).rules() == before


def test_olga_sees_what_the_next_season_starts_with_before_she_plans_it(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    page = staff.get(open_season_page(duel)).content.decode()
    assert "All players start the new season unrated." in page
    win(duel, alice, charlie, database_now())
    set_season_rules(duel, start={"placement": "linear-scale", "ratio": 0.5})
    page = staff.get(open_season_page(duel)).content.decode()
    assert "2 players carry ratings over from <b>Season 1</b>" in page
    assert "Alice" in page
    assert Season.objects.count() == 1


def test_olga_plans_a_season_in_the_time_zone_of_the_arena(staff: Client, duel: Arena) -> None:
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel, calendar={"length": "30d"})
    day = (database_now() + timedelta(days=700)).replace(month=7, day=1)
    response = send(staff, open_season_page(duel), {"starts_at": f"{day:%Y-%m-%d}T18:00"})
    assert "is planned" in messages_of(response)
    season = duel.seasons.get(name="Season 2")
    assert season.starts_at == datetime(day.year, 7, 1, 16, tzinfo=UTC)
    assert season.ends_at == season.starts_at + timedelta(days=30)
    assert season.opened_at is None
    assert duel.seasons.get(name="Season 1").ends_at == season.starts_at


def test_an_hour_that_the_clocks_leave_out_is_refused_and_so_is_the_past(
    staff: Client, duel: Arena
) -> None:
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel)
    answer = form_on(staff, open_season_page(duel))

    def said(**typed: str) -> str:
        response = staff.post(open_season_page(duel), {**answer, **typed})
        assert response.status_code == 200
        return response.content.decode()

    assert "may not exist" in said(starts_at="2032-03-28T02:30")  # clocks go forward that night
    assert "must be in the future" in said(starts_at="2020-01-01T00:00").lower()
    assert "must end after it starts" in said(
        starts_at="2032-03-28T04:00", ends_at="2032-03-28T03:00"
    )
    assert Season.objects.count() == 1
