"""Previews beside the fields: computed by the site's own code, and in words where it cannot be."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from league.admin.arenas import previews as of_arenas
from league.admin.arenas.forms import ArenaForm
from league.admin.core.previews import Figure, Saved
from league.admin.dishonor import previews as of_dishonor
from league.admin.dishonor.forms import DisciplineForm
from league.admin.queue import previews as of_queues
from league.admin.queue.forms import QueueForm
from league.models import Arena, ArenaQueue, Discipline, Player, Ticket
from league.services.core.clock import database_now
from league.services.queue import statistics, ticks
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.results.reports.answers import confirm
from matchmaking.dishonor import DishonorRules, timeout
from matchmaking.rules.readings import Choices
from ratings.registry import SYSTEMS
from tests.support.admin_steps import arena_page, form_on, staff
from tests.support.cast import NOW, beats, put_in_order
from tests.support.queue_steps import crowd, everyone_is_there

__all__ = ["staff"]

WRONG = ["", "0", "-1", "1e999", "nan", "1e308", "99999w", "<b>"]


def route(model: str, kind: str, row: Any = None) -> str:
    url = reverse(f"admin:league_{model}_preview", args=[kind])
    return f"{url}?of={row.pk}" if row else url


def ask(staff: Client, url: str, values: dict[str, Any]) -> Any:
    response = staff.post(url, values, headers={"HX-Request": "true"})
    assert response.status_code == 200, url
    return response.context["figure"]


def rows_of(figure: Any) -> dict[str, tuple[str, ...]]:
    assert not figure.problems, figure.problems
    return {row[0]: tuple(row[1:]) for row in figure.rows}


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams)


def test_the_page_shows_the_saved_values_without_a_script(staff: Client, duel: Arena) -> None:
    page = staff.get(arena_page(duel))
    shown = {one.key: one.preview["figure"].text for one in page.context["sections"] if one.preview}
    assert set(shown) == set(of_arenas.PREVIEWS)
    assert shown["decay"] == "Nothing decays with 0 points."
    assert f'formaction="{route("arena", "decay", duel)}"' in page.content.decode()


def test_decay_is_drawn_as_typed_and_as_the_rules_take_it(staff: Client, duel: Arena) -> None:
    typed = form_on(staff, arena_page(duel)) | {
        "season_decay__points": "700",
        "season_decay__grace_period": "1d",
        "season_decay__decay_period": "7d",
    }
    figure = ask(staff, route("arena", "decay", duel), typed)
    assert figure.text.startswith(
        "A player who stops playing loses 100 points a day after 1 day, and all 700 after 8 days."
    )
    assert min(y for _x, y in figure.chart.points) == -700
    duel.refresh_from_db()
    assert not duel.rules().decays  # nothing is saved


def test_the_draw_of_starting_ratings_keeps_the_average(staff: Client, duel: Arena) -> None:
    typed = form_on(staff, arena_page(duel)) | {
        "rating_system": "fermi",
        "season_start__day_one": "100",
    }
    figure = ask(staff, route("arena", "start", duel), typed)
    assert sum(int(count) for (count,) in rows_of(figure).values()) == of_arenas.EXAMPLE
    assert "average of exactly" in figure.text


def test_divisions_count_today_s_players_under_the_typed_cuts(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for loser in (bob, charlie):
        confirm(beats(alice, loser, duel).pk, by=loser, now=NOW)
    put_in_order()
    typed = form_on(staff, arena_page(duel))
    by = {"season_cuts__by": "rank", "season_divisions": "Rest\nTop, #8a6a00, 1"}
    figure = ask(staff, route("arena", "cuts", duel), typed | by)
    assert rows_of(figure) == {
        "Top": ("1", "1", "33\u00a0%"),
        "Rest": ("all others", "2", "67\u00a0%"),
    }
    by = {"season_cuts__by": "rating", "season_divisions": "Low\nHigh, #8a6a00, 1200"}
    figure = ask(staff, route("arena", "cuts", duel), typed | by)
    assert rows_of(figure) == {
        "High": ("1200", "1", "33\u00a0%"),
        "Low": ("all others", "2", "67\u00a0%"),
    }
    by = {"season_cuts__by": "percentile", "season_divisions": "Low\nHigh, #8a6a00, 50"}
    figure = ask(staff, route("arena", "cuts", duel), typed | by)
    assert rows_of(figure)["High"][1] == "2"
    assert figure.chart.columns[1]["colour"] == "#8a6a00"


def test_chances_rise_with_the_lead_and_are_even_without_one(duel: Arena) -> None:
    sent = Saved(ArenaForm(instance=duel))
    for name, system in SYSTEMS.items():
        figure = of_arenas.chances(duel, {**sent, "rating_system": name})
        assert figure is not None
        if system.shows.lowest_first:
            assert figure.chart is None
            continue
        assert rows_of(figure)["0"][0] == "50\u00a0%"
        assert figure.chart is not None
        chances = [y for _x, y in figure.chart.points]
        assert chances == sorted(chances), name


def test_points_are_those_of_the_chosen_table(staff: Client, duel: Arena) -> None:
    typed = form_on(staff, arena_page(duel)) | {"season_points__counts": "on"}
    figure = ask(staff, route("arena", "points", duel), typed)
    assert rows_of(figure)["from 0\u00a0%"] == ("-1", "0", "1", "2", "3")
    own = {"season_points__table": "own", "season_point_table": "0: 0 = -1, 1 = 2"}
    figure = ask(staff, route("arena", "points", duel), typed | own)
    assert rows_of(figure) == {"from 0\u00a0%": ("-1", "2")}


def test_timeouts_of_one_to_fifty_stacks(staff: Client) -> None:
    law = Discipline.objects.create()
    page = reverse("admin:league_discipline_change", args=[law.pk])
    figure = ask(staff, route("discipline", "stacks", law), form_on(staff, page))
    assert len(figure.rows) == of_dishonor.MOST
    third = timeout(3, DishonorRules(), Choices())
    assert figure.chart.points[2] == (3, third)


def test_a_search_widens_as_the_queue_says(staff: Client, queue: ArenaQueue) -> None:
    page = reverse("admin:league_arenaqueue_change", args=[queue.pk])
    typed = form_on(staff, page)
    figure = ask(staff, route("arenaqueue", "queue", queue), typed)
    expected = statistics.spread(queue.matching(), 2.0 * 2 * 60)
    assert rows_of(figure)["1 minute"] == (f"{expected:.0f}",)
    figure = ask(staff, route("arenaqueue", "queue", queue), typed | {"matcher": "new"})
    assert rows_of(figure)["1 minute"] == (f"{statistics.window(queue.matching(), 60):.0f}",)


def test_a_wrong_value_gives_its_error_in_place_of_the_figure(staff: Client, duel: Arena) -> None:
    typed = form_on(staff, arena_page(duel)) | {"season_decay__points": "-1"}
    response = staff.post(route("arena", "decay", duel), typed)
    [problem] = response.context["figure"].problems
    assert problem.startswith("Decay: points: Must be from 0 to ")
    assert problem in response.content.decode()
    assert "<figure" not in response.content.decode()


READS = {
    "decay": "season_decay",
    "start": "season_start",
    "cuts": ("season_cuts", "season_divisions"),
    "fair_play": ("season_fair", "season_fair_play", "rating_system"),
    "points": ("season_points", "season_point_table", "season_mode_points"),
    "rating": ("rating_system", *(f"{name}__" for name in SYSTEMS)),
    "queue": ("matcher", "queue__", "laurel__"),
    "matcher": ("matcher__age", "rank_filter__", "region__"),
    "stacks": "",
}
"""What the names of the fields that a preview reads begin with."""


def test_no_value_of_any_setting_is_a_fault(duel: Arena, queue: ArenaQueue) -> None:
    """Each setting of each preview in turn, without the detour through a request."""
    law = Discipline()
    forms: tuple[Any, ...] = (
        ArenaForm(instance=duel),
        QueueForm(instance=queue),
        DisciplineForm(instance=law),
    )
    for form, row in zip(forms, (duel, queue, law), strict=True):
        site: Any = admin.site._registry[type(row)]
        sent = {**Saved(form), "season_points__counts": "on", "season_points__table": "own"}
        for kind in site.previews:
            for name in form.fields:
                if not name.startswith(READS[kind]):
                    continue
                system = name.partition("__")[0]
                chosen = {"rating_system": system} if system in SYSTEMS else {}
                for wrong in WRONG:
                    figure = site.figure_of(kind, row, sent | chosen | {name: wrong})
                    assert isinstance(figure, Figure), (kind, name, wrong)
                    assert figure.problems or figure.text, (kind, name, wrong)
                    if figure.chart:
                        drawn = figure.chart.line + str(figure.chart.columns)
                        assert "nan" not in drawn, (kind, name, wrong)


def test_those_who_wait_are_matched_by_the_typed_rules(staff: Client, queue: ArenaQueue) -> None:
    for player in crowd(4):
        join(queue.arena, player, [], now=database_now())
    everyone_is_there()
    page = reverse("admin:league_arenaqueue_change", args=[queue.pk])
    typed = form_on(staff, page)
    figure = ask(staff, route("arenaqueue", "matcher", queue), typed)
    assert figure.text == "Of 4 waiting rosters, 4 would be in 1 match now."
    assert len(figure.rows) == 1
    asking = {"laurel__asking": "1000000"}
    figure = ask(staff, route("arenaqueue", "matcher", queue), typed | asking)
    assert figure.text == "Of 4 waiting rosters, 0 would be in 0 matches now."
    assert Ticket.objects.waiting().count() == 4


def test_a_preview_of_nothing_is_not_found(staff: Client) -> None:
    url = reverse("admin:league_arena_preview", args=["decay"])
    for of in ("0", "-1", "x", "9" * 30, "999999"):
        assert staff.post(f"{url}?of={of}").status_code == 404, of
    assert staff.put(url).status_code == 405
    assert staff.post(reverse("admin:league_arena_preview", args=["weather"])).status_code == 404


def test_a_slow_reading_of_the_queue_leaves_the_matcher_less_time(
    queue: ArenaQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.arena.team_size_max = queue.arena.team_size_min = 1
    queue.arena.save()
    now = database_now()
    for player in crowd(4):
        join(queue.arena, player, [], now=now)
    everyone_is_there()
    left: list[float] = []
    read, run = take_snapshot, ticks.run_matcher

    def slowly(*given: Any) -> Any:
        time.sleep(2 * of_queues.PATIENCE)
        return read(*given)

    def timed(*given: Any, deadline: Callable[[], bool], **more: Any) -> Any:
        began = time.monotonic()
        found = run(*given, deadline=lambda: False, **more)
        while not deadline():
            time.sleep(0.001)
        left.append(time.monotonic() - began)
        return found

    monkeypatch.setattr(of_queues, "take_snapshot", slowly)
    monkeypatch.setattr(ticks, "run_matcher", timed)
    figure = of_queues.matched_now(queue, Saved(QueueForm(instance=queue)))
    assert figure
    assert "4 waiting rosters" in figure.text
    assert left[0] < of_queues.PATIENCE
