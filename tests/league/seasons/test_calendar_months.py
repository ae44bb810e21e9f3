"""Seasons of calendar months: their ends do not drift, and pages show them in words."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Season
from league.services.seasons.opening import open_planned, open_season
from league.services.seasons.planning import plan_following, plan_season
from tests.support.cast import NOW
from tests.support.season_steps import set_season_rules

BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def monthly(duel: Arena) -> Arena:
    """An arena in Berlin whose seasons of a month follow each other."""
    Season.objects.filter(arena=duel).update(ends_at=NOW)
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel, calendar={"length": "1 month", "follows": True})
    return duel


def followed(season: Season) -> Season:
    """Return the season after one, planned by the sweeper and opened."""
    assert season.ends_at
    (planned,) = plan_following(season.ends_at)
    assert open_planned(planned.pk, now=planned.starts_at)
    planned.refresh_from_db()
    return planned


def ends(season: Season) -> str:
    assert season.ends_at
    return f"{season.ends_at.astimezone(BERLIN):%m-%d %H:%M}"


def test_seasons_from_the_31st_end_on_the_last_day_of_each_month(monthly: Arena) -> None:
    season = open_season(monthly, starts_at=datetime(2027, 12, 31, 20, tzinfo=BERLIN))
    found = [ends(season)]
    for _each in range(4):
        season = followed(season)
        found.append(ends(season))
    # 2028 is a leap year, and the clocks go forward on 26 March.
    assert found == ["01-31 20:00", "02-29 20:00", "03-31 20:00", "04-30 20:00", "05-31 20:00"]
    assert season.months_from == datetime(2027, 12, 31, 20, tzinfo=BERLIN)


def test_a_longer_season_counts_on_from_the_same_first_start(monthly: Arena) -> None:
    first = open_season(monthly, starts_at=datetime(2027, 1, 31, 20, tzinfo=BERLIN))
    set_season_rules(monthly, calendar={"length": "3 months", "follows": True, "pause": "1 month"})
    second = followed(first)
    assert second.starts_at == datetime(2027, 3, 31, 20, tzinfo=BERLIN)
    assert ends(second) == "06-30 20:00"


def test_a_season_that_ended_early_or_paused_for_days_begins_a_new_count(monthly: Arena) -> None:
    first = open_season(monthly, starts_at=datetime(2027, 1, 31, 20, tzinfo=BERLIN))
    Season.objects.filter(pk=first.pk).update(ends_at=first.starts_at + timedelta(days=9))
    first.refresh_from_db()
    second = followed(first)
    assert (second.months_from, ends(second)) == (None, "03-09 20:00")
    set_season_rules(monthly, calendar={"length": "1 month", "follows": True, "pause": "2 weeks"})
    third = followed(second)
    assert third.starts_at == datetime(2027, 3, 23, 20, tzinfo=BERLIN)
    assert (third.months_from, ends(third)) == (None, "04-23 20:00")


def test_a_season_planned_by_hand_right_after_another_keeps_its_day(monthly: Arena) -> None:
    first = open_season(monthly, starts_at=datetime(2027, 1, 31, 20, tzinfo=BERLIN))
    assert first.ends_at
    second = plan_season(monthly, starts_at=first.ends_at)
    assert ends(second) == "03-31 20:00"
    assert second.months_from == first.starts_at


def test_after_a_standstill_the_months_go_on_from_the_first_start(monthly: Arena) -> None:
    first = open_season(monthly, starts_at=datetime(2027, 1, 31, 20, tzinfo=BERLIN))
    assert first.ends_at
    (planned,) = plan_following(first.ends_at + timedelta(days=80))
    assert planned.starts_at == datetime(2027, 4, 30, 20, tzinfo=BERLIN)
    assert ends(planned) == "05-31 20:00"


def test_the_archive_can_wait_for_a_month(monthly: Arena) -> None:
    set_season_rules(monthly, calendar={"length": "1 month", "archive_after": "1 month"})
    season = open_season(monthly, starts_at=datetime(2027, 1, 15, 20, tzinfo=BERLIN))
    assert season.archive_due_at == datetime(2027, 3, 15, 20, tzinfo=BERLIN)


def test_pages_and_the_api_show_the_calendar_in_words(monthly: Arena, client: Client) -> None:
    set_season_rules(monthly, calendar={"length": "3 months", "follows": True, "pause": "2 weeks"})
    open_season(monthly, starts_at=NOW + timedelta(hours=1))
    page = client.get(reverse("how_it_works", args=[monthly.slug])).text
    assert "A season lasts 3 months." in page
    assert "The next season follows 2 weeks after its end." in page
    shown = client.get(reverse("api:arena", args=[monthly.slug])).json()
    assert shown["time_zone"] == "Europe/Berlin"
    calendar = {each["name"]: each["value"] for each in shown["calendar"]}
    assert (calendar["length"], calendar["pause"]) == ("3 months", "2w")
