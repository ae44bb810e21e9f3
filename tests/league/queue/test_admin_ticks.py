"""Olga reads a tick's matches and ready checks, and runs the tick again."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, Player, Proposal, Roster, Tick, Ticket
from league.services.queue import tick_summaries
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept, decline
from league.services.queue.ticks import tick
from tests.support.admin_steps import messages_of, staff
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY, everyone_is_there
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import words

__all__ = ["staff"]


SOON = NOW + timedelta(seconds=5)


@pytest.fixture
def past_tick(
    teams: Arena, owls: Roster, alice: Player, bob: Player, charlie: Player, dora: Player
) -> Tick:
    """Alice's Owls are matched with Charlie and Dora, who queued alone."""
    queue = ArenaQueue(arena=teams, matcher="new", rules={"queue": ANYBODY})
    queue.full_clean()
    queue.save()
    apps.get_model("league", "HistoricalArenaQueue").objects.update(
        history_date=NOW - timedelta(days=1)
    )
    join(teams, alice, [bob], now=NOW - timedelta(seconds=40), roster=owls)
    for player in (charlie, dora):
        join(teams, player, [], now=NOW)
    everyone_is_there()
    run = tick(teams.pk, now=NOW, seed=7)
    assert run
    return run


def page_of(row: Tick | Proposal | Ticket) -> str:
    return reverse(f"admin:league_{row._meta.model_name}_change", args=[row.pk])


def list_of(model: str) -> str:
    return reverse(f"admin:league_{model}_changelist")


def shown(response: Any) -> list[Any]:
    return list(response.context["cl"].result_list)


def test_a_tick_shows_its_seed_figures_rules_and_settings(staff: Client, past_tick: Tick) -> None:
    said = words(staff.get(page_of(past_tick)))
    for part in ("Alice, Bob", "Charlie, Dora", "Seed: 7", "4 players were waiting."):
        assert part in said
    assert "Tickets had waited 0 s (median), 40 s at most." in said
    assert "The queue's settings of" in said
    own = {label for label, _value, own in staff.get(page_of(past_tick)).context["rules"] if own}
    assert own == {"Minimum potentials", "Narrowest rating window"}
    assert_strict(staff, page_of(past_tick))


def test_a_tick_run_again_finds_the_same_and_changes_nothing(
    staff: Client, past_tick: Tick
) -> None:
    before = list(Tick.objects.values())
    answer = staff.post(reverse("admin:league_tick_run_again", args=[past_tick.pk]))
    assert answer["Location"] == page_of(past_tick)
    assert "finds the same match, team for team" in messages_of(answer)
    assert list(Tick.objects.values()) == before
    assert Proposal.objects.count() == 1


def test_a_tick_that_does_not_repeat_is_told_from_one_that_was_cut_short(
    staff: Client, past_tick: Tick
) -> None:
    where = reverse("admin:league_tick_run_again", args=[past_tick.pk])
    Tick.objects.update(found=[])
    assert "finds something else" in messages_of(staff.post(where))
    past_tick.refresh_from_db()
    assert past_tick.rules
    past_tick.rules["queue"]["iteration_limit"] = "1ms"
    past_tick.seconds = 0.002
    past_tick.save()
    assert tick_summaries.was_cut_short(past_tick)
    assert "The tick ran out of time" in messages_of(staff.post(where))


def test_a_tick_without_matches_or_settings_can_still_be_read(
    staff: Client, past_tick: Tick
) -> None:
    ArenaQueue.objects.all().delete()
    Tick.objects.update(found=[], matches=0)
    assert "is no longer stored" in words(staff.get(page_of(past_tick)))


def test_a_tick_that_is_no_longer_kept_says_so(staff: Client, past_tick: Tick) -> None:
    again = reverse("admin:league_tick_run_again", args=[past_tick.pk])
    Tick.objects.all().delete()
    for answer in (staff.get(page_of(past_tick)), staff.post(again)):
        assert answer["Location"] == list_of("tick")
        assert f"Tick {past_tick.pk} is not kept" in messages_of(answer)
    said = words(staff.get(page_of(past_tick), follow=True))
    assert "Ticks are deleted after the time in their queue’s settings" in said.replace("'", "’")


def test_tickets_and_ready_checks_are_found_by_player(
    staff: Client, past_tick: Tick, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    tickets = list_of("ticket")
    assert [ticket.captain for ticket in shown(staff.get(tickets, {"q": "BOB"}))] == [alice]
    assert len(shown(staff.get(tickets, {"state__exact": "proposed"}))) == 3
    assert "Bob" in words(staff.get(page_of(Ticket.objects.of(bob).get())))
    proposal = Proposal.objects.get()
    assert shown(staff.get(list_of("proposal"), {"q": "dora"})) == [proposal]
    accept(proposal.pk, by=alice, now=SOON)
    assert "Alice (ready)" in words(staff.get(page_of(proposal)))
    decline(proposal.pk, by=dora, now=SOON)
    said = words(staff.get(page_of(proposal)))
    assert "Dora (missed it)" in said
    assert "Alice, Bob" in said
    assert shown(staff.get(list_of("proposal"), {"q": "dora"})) == [proposal]
    assert shown(staff.get(list_of("proposal"), {"q": "charlie"})) == []


def test_many_ticks_are_listed_in_few_queries(
    staff: Client, past_tick: Tick, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        Tick.objects.create(
            arena=past_tick.arena,
            at=NOW + timedelta(minutes=number),
            seed=number,
            matcher="new",
            rules=past_tick.rules,
            queue=past_tick.queue,
            tickets=0,
            matches=0,
            proposed=0,
            seconds=0,
        )
    with django_assert_max_num_queries(15):
        assert len(shown(staff.get(list_of("tick")))) == 31
