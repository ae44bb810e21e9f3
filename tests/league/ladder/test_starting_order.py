"""Olga gives a ladder the order of the club's list, on which nobody has an account."""

import random

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Season, StaffAction
from league.services.core.errors import Conflict, Forbidden
from league.services.people.entry_lists import read_list
from league.services.results.reports.answers import confirm
from league.services.seasons import starting_lists
from tests.support.admin_steps import staff
from tests.support.cast import NOW, account, arena, beats
from tests.support.challenge_steps import ranks
from tests.support.effort import examples
from tests.support.merge_steps import all_differences, merged
from tests.support.result_steps import user_of
from tests.support.web_steps import words

__all__ = ["staff"]

CLUB = [f"Player {number:02}" for number in range(1, 21)]


@pytest.fixture
def ladder(db: None) -> Arena:
    return arena("ladder", rating_system="ladder")


def set_order(ladder: Arena, *names: str, by: Player) -> Season:
    entries = read_list("\n".join(names)).complete()
    return starting_lists.give(ladder, entries, {}, by=user_of(by), now=NOW)


def won(winner: Player, loser: Player, ladder: Arena) -> None:
    confirm(beats(winner, loser, ladder).pk, by=loser, now=NOW)


def test_a_list_of_twenty_without_accounts_becomes_the_ladder(staff: Client, ladder: Arena) -> None:
    page = reverse("starting_list", args=["ladder"])
    for leads_there in (
        reverse("leaderboard", args=["ladder"]),
        reverse("challenges", args=["ladder"]),
        reverse("admin:index"),
        reverse("admin:league_arena_change", args=[ladder.pk]),
    ):
        assert page in staff.get(leads_there).content.decode()
    sent = {"names": "\n".join(CLUB)}
    assert "20 players" in words(staff.post(page, sent))
    assert Player.objects.filter(name__in=CLUB).count() == 0
    assert "Player 20</textarea>" in staff.post(page, {**sent, "answer": "edit"}).content.decode()
    shown = words(staff.post(page, {**sent, "answer": "save"}, follow=True))
    assert "20 players are on the ladder." in shown
    assert shown.index("Player 01") < shown.index("Player 02") < shown.index("Player 20")
    assert list(ranks(ladder)) == CLUB
    assert not Player.objects.filter(name__in=CLUB, user__isnull=False).exists()
    logged = StaffAction.objects.get(kind="season").after
    assert logged is not None
    ranked = [f"{player} (#{player.pk})" for player in Player.objects.filter(name__in=CLUB)]
    assert {name: int(logged.pop(name)) for name in sorted(ranked)} == {
        name: rank for rank, name in enumerate(sorted(ranked), 1)
    }
    assert logged == {"Players with a starting rating": 20}
    assert all_differences() == []


@pytest.mark.parametrize("seed", range(examples(5)))
def test_ranks_follow_from_the_order_by_hand(ladder: Arena, olga: Player, seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311 - repeatable
    people = [account(name) for name in ("Ann", "Bea", "Cem", "Dan", "Eva", "Fay")]
    names = [one.name for one in people]
    draw.shuffle(names)
    start = names[:4]  # the others join with their first match
    season = set_order(ladder, *start, by=olga)
    expected = list(start)
    for _match in range(10):
        winner, loser = draw.sample(people, 2)
        won(winner, loser, ladder)
        expected += [one.name for one in (winner, loser) if one.name not in expected]
        up, down = expected.index(winner.name), expected.index(loser.name)
        if up > down:
            expected[up], expected[down] = expected[down], expected[up]
    assert list(ranks(ladder)) == expected
    assert all_differences() == []
    season.refresh_from_db()
    starting_lists.start_again(season)  # as when the season gets other rules
    assert list(ranks(ladder)) == start


def test_the_order_can_change_until_the_first_result(ladder: Arena, olga: Player) -> None:
    set_order(ladder, "Ann", "Bea", "Cem", by=olga)
    set_order(ladder, "Cem", "Dan", by=olga)
    assert list(ranks(ladder)) == ["Cem", "Dan", "Ann", "Bea"]
    won(account("Eva"), account("Fay"), ladder)
    assert list(ranks(ladder)) == ["Cem", "Dan", "Ann", "Bea", "Eva", "Fay"]
    with pytest.raises(Conflict, match="New players join at the bottom"):
        set_order(ladder, "Ann", by=olga)


def test_a_ladder_with_results_says_why_its_order_is_fixed(staff: Client, ladder: Arena) -> None:
    won(account("Eva"), account("Fay"), ladder)
    page = reverse("starting_list", args=["ladder"])
    shown = staff.get(page)
    assert shown.status_code == 200
    assert "New players join at the bottom with their first result" in words(shown)
    assert "textarea" not in shown.content.decode()
    assert page not in staff.get(reverse("leaderboard", args=["ladder"])).content.decode()
    assert staff.post(page, {"names": "Ann", "answer": "save"}).status_code == 409


def test_a_likely_double_can_be_chosen_and_is_not_on_the_ladder_twice(
    staff: Client, ladder: Arena
) -> None:
    known = account("Inès Solé")
    page = reverse("starting_list", args=["ladder"])
    assert "Is Ines Sole somebody who is here already?" in words(
        staff.post(page, {"names": "Tom\nInes Sole"})
    )
    sent = {"names": "Tom\nInes Sole", "means-Ines Sole": known.pk, "answer": "save"}
    staff.post(page, sent)
    assert list(ranks(ladder)) == ["Tom", "Inès Solé"]
    sent["names"] = "Tom\nInes Sole\nInès Solé"
    again = staff.post(page, sent)
    assert again.status_code == 400
    assert "Line 3: “Inès Solé” and “Ines Sole” are the same player." in words(again)


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("", "The list has no names."),
        (" \n\n", "The list has no names."),
        ("Ann\nann", "“ann” is on line 1 already."),
        ("x" * 200, "at most"),
        ("Ann\nOwls: Bob, Cy", "Write one player on each line, not a team."),
        ("#99999", "There is no player number 99999."),
        ("\n".join(f"P {n}" for n in range(5_000)), "A list has at most 513 names."),
        ("Ann\x00", "Null characters are not allowed."),
    ],
)
def test_bad_lists_change_nothing(staff: Client, ladder: Arena, names: str, problem: str) -> None:
    page = reverse("starting_list", args=["ladder"])
    for answer in ("preview", "save"):
        shown = staff.post(page, {"names": names, "answer": answer})
        assert shown.status_code in {200, 400}
        assert problem in words(shown)
        assert 'value="save"' not in shown.content.decode()
    assert ranks(ladder) == {}
    assert not Player.objects.exclude(name="Olga").exists()


def test_only_organisers_who_are_not_on_it_set_the_order(
    ladder: Arena, alice: Player, olga: Player, boss: object
) -> None:
    with pytest.raises(Forbidden):
        set_order(ladder, "Ann", by=alice)
    set_order(ladder, "Olga", "Ann", by=olga)  # nobody else could
    account("Otto", superuser=True)
    with pytest.raises(Forbidden, match="Ask another organiser"):
        set_order(ladder, "Ann", "Olga", by=olga)


def test_merged_players_keep_the_order(ladder: Arena, olga: Player) -> None:
    set_order(ladder, "Ann", "Bea", "Cem", "Dan", by=olga)
    by_name = {one.name: one for one in Player.objects.all()}
    merged(by_name["Cem"], by_name["Ann"], user_of(olga))
    merged(account("New"), by_name["Dan"], user_of(olga))
    assert list(ranks(ladder)) == ["Bea", "Cem", "New"]
    assert all_differences() == []
    starting_lists.start_again(ladder.seasons.get())
    assert list(ranks(ladder)) == ["Bea", "Cem", "New"]


def test_the_check_of_ratings_finds_another_order(ladder: Arena, olga: Player) -> None:
    season = set_order(ladder, "Ann", "Bea", "Cem", by=olga)
    [first, *others] = season.starting_ratings["ladder"].items()
    season.starting_ratings = {"ladder": {**dict(others), first[0]: [9, None]}}
    season.save()
    assert any("starting rating" in one for one in all_differences())
