"""What the limits on the same opponents are worth is said in the arena's own points."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.admin.arenas import fair_play
from league.models import Arena, Player, Rating
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from ratings import registry
from ratings.seasons.fair_play import FairPlay
from tests.support.admin_steps import staff
from tests.support.cast import account, arena, roster, side
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]


def how(made: Arena, reader: Player) -> str:
    return words(browser_of(reader).get(reverse("how_it_works", args=[made.slug])))


@pytest.mark.parametrize(
    ("system", "parameters", "budget", "one", "restored"),
    [
        ("elo", {}, "48", "16", "4"),
        ("elo", {"max_gain": 10}, "15", "5", "1"),
        ("fermi", {"max_gain": 1}, "1.50", "0.50", "0.12"),
        ("wager", {"start": 21}, "3.15", "1.05", "0.26"),
    ],
)
def test_players_read_the_budget_in_points_of_the_arena(
    system: str,
    parameters: dict[str, float],
    budget: str,
    one: str,
    restored: str,
    alice: Player,
) -> None:
    made = arena("limited", rating_system=system, rating_parameters=parameters, season_rules={})
    said = how(made, alice)
    assert f"about {budget} points at your rating, {one} for each such win." in said
    assert "the second win in a row over an equal counts 67 %, and the third 44 %" in said
    assert f"Each match against others restores {restored} points." in said


def test_a_draft_says_what_newcomers_can_win(staff: Client) -> None:
    made = arena("draft", rating_system="elo", season_rules={})
    made.seasons.all().delete()
    Arena.objects.filter(pk=made.pk).update(is_draft=True)
    page = words(staff.get(f"/admin/league/arena/{made.pk}/draft/"))
    assert "about 48 points at your rating" in page


def test_the_budget_of_a_wager_grows_with_the_rank(alice: Player) -> None:
    made = arena("wagers", rating_system="wager", season_rules={})
    Rating.objects.create(season=made.seasons.get(), player=alice, rating=40, games=9)
    assert "about 6.00 points at your rating, 2.00 for each such win." in how(made, alice)


def test_a_member_of_a_team_reads_what_the_same_match_counts_next_time(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    made = arena("pairs", rating_system="elo", team_size_min=2, team_size_max=2, season_rules={})
    roster(made, "Owls", alice, bob)
    roster(made, "Foxes", charlie, dora)

    def win(ago: timedelta) -> float:
        now = timezone.now() - ago
        sides = [side(alice, bob, place=0), side(charlie, dora, place=1)]
        match = report(made, sides, reporter=alice, played_at=now, now=now)
        return confirm(match.pk, by=charlie, now=now).weight

    assert "again now" not in how(made, bob)
    assert win(timedelta(hours=5)) == 1
    said = how(made, bob)
    assert "If your last line-up plays Charlie, Dora again now, a win counts 53 %:" in said
    assert win(timedelta(0)) == pytest.approx(0.533, abs=0.001)
    assert "again now" not in how(made, account("Zoe"))


def test_rules_by_which_an_even_match_counts_less_than_half_are_warned_about(
    duel: Arena, staff: Client
) -> None:
    assert fair_play.warnings(FairPlay()) == []
    assert fair_play.warnings(FairPlay(repeat_factor=0.5, same_opponents=0)) == []
    for rules in ({"repeat_factor": 0.7}, {"repeat_factor": 0.4, "same_opponents": 0}):
        [warning] = fair_play.warnings(FairPlay(**rules))
        duel.season_rules = {"fair_play": rules}
        duel.save()
        page = words(staff.get(f"/admin/league/arena/{duel.pk}/change/"))
        assert " ".join(warning.split()) in page
        assert "the second match counts" in warning


def test_admins_see_what_ten_meetings_count() -> None:
    shown = fair_play.figure(FairPlay(), registry.build("fermi", {"max_gain": 1}))
    assert "worth 0.5 points, so they can win 1.5 from the same opponents" in shown.text
    assert [row[2] for row in shown.rows[:3]] == [
        "100\u00a0%",
        "53\u00a0%",
        "28\u00a0%",
    ]
    assert [row[1] for row in shown.rows[:3]] == [
        "100\u00a0%",
        "80\u00a0%",
        "64\u00a0%",
    ]
    assert "On a ladder" in fair_play.figure(FairPlay(), registry.build("ladder", {})).text
