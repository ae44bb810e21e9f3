"""A free-for-all reported as a list of names in order of finish."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Format, Match, Player, User
from tests.support.cast import arena
from tests.support.web_steps import browser_of, words


def pastes(player: Player, arena: Arena, order: str, **more: object) -> Any:
    form = {
        "order": order,
        "zone": "UTC",
        "played_at": f"{timezone.now():%Y-%m-%dT%H:%M}",
        "client_token": str(uuid4()),
        **more,
    }
    return browser_of(player).post(reverse("report_order", args=[arena.slug]), form)


def finish(match: Match) -> list[tuple[str, int | None]]:
    return [(side.captain.name, side.place) for side in match.sides.order_by("index")]


def test_alice_pastes_the_order_of_finish_with_a_shared_place(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    answer = pastes(bob, melee, "\n  Alice \r\nbob\n\n= CHARLIE\n=Dora\n")
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert finish(match) == [("Alice", 0), ("Bob", 1), ("Charlie", 1), ("Dora", 1)]
    assert match.reported_by == bob
    assert [part.player.name for part in match.participants.order_by("side__index")] == [
        "Alice",
        "Bob",
        "Charlie",
        "Dora",
    ]


def test_a_tie_skips_the_next_place(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    pastes(alice, melee, "Alice\n=Bob\nCharlie")
    assert finish(Match.objects.get()) == [("Alice", 0), ("Bob", 0), ("Charlie", 2)]


def test_every_invalid_line_is_reported(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    order = "= Alice\nCharly\n\nbob\nBOB\n="
    answer = pastes(alice, melee, order)
    page = words(answer)
    assert answer.status_code == 400
    assert "Line 1: there is no player above to tie with." in page
    assert "Line 2: there is no player “Charly”. Did you mean Charlie?" in page
    assert "Line 5: “BOB” is already on line 4." in page
    assert "Line 6: the name is missing." in page
    assert "= Alice\nCharly" in answer.content.decode()
    assert not Match.objects.exists()


def test_a_tie_is_refused_by_its_line_in_an_arena_without_draws(alice: Player, bob: Player) -> None:
    strict = arena("strict", format=Format.FREE_FOR_ALL, sides_max=5, draws_allowed=False)
    answer = pastes(alice, strict, "Alice\n= Bob")
    assert "Line 2: Strict has no ties." in words(answer)
    assert pastes(alice, strict, "Alice\nBob").status_code == 302


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("", "List the players, winner first."),
        ("Alice", "A match in Melee has 2 to 5 players. This list has 1."),
        ("a\nb\nc\nd\ne\nf", "A match in Melee has 2 to 5 players. This list has 6."),
        ("Bob\nCharlie", "You are not in the list. Add your own name."),
        ("Alice\n" + "x" * 5000, "Line 2: there is no player “" + "x" * 59 + "…”."),
    ],
)
def test_an_invalid_list_is_refused(
    melee: Arena, alice: Player, bob: Player, charlie: Player, order: str, sentence: str
) -> None:
    answer = pastes(alice, melee, order)
    assert answer.status_code == 400
    assert sentence in words(answer)


def test_a_future_match_is_refused_at_its_date(melee: Arena, alice: Player, bob: Player) -> None:
    answer = pastes(alice, melee, "Alice\nBob", played_at="2999-01-01T10:00")
    assert "A match cannot end in the future." in words(answer)
    incomplete = pastes(alice, melee, "Alice\nBob", client_token="")
    assert "Parts of the form are missing." in words(incomplete)
    assert not Match.objects.exists()


def test_a_list_sent_twice_creates_one_match(melee: Arena, alice: Player, bob: Player) -> None:
    token = str(uuid4())
    first, second = (pastes(alice, melee, "Alice\nBob", client_token=token) for _ in range(2))
    assert first["Location"] == second["Location"] == Match.objects.get().get_absolute_url()


def test_a_list_in_the_wrong_format_does_not_search_for_every_line(
    alice: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    crowd = arena("crowd", format=Format.FREE_FOR_ALL, sides_max=1000)
    order = "\n".join(f"{place}. Runner {place}" for place in range(1, 301))
    with django_assert_max_num_queries(40):
        page = words(pastes(alice, crowd, order))
    assert "Line 1: there is no player “1. Runner 1”." in page
    assert "Line 50:" in page
    assert "Line 51:" not in page
    assert "And 250 more lines." in page


def test_a_contest_of_three_hundred_is_reported_in_one_step(alice: Player) -> None:
    crowd = arena("crowd", format=Format.FREE_FOR_ALL, sides_max=1000, rating_system="elo-mmr")
    names = [f"Runner {number}" for number in range(299)]
    users = User.objects.bulk_create(User(username=name.casefold()) for name in names)
    Player.objects.bulk_create(
        Player(name=name, folded_name=name.casefold(), user=user)
        for name, user in zip(names, users, strict=True)
    )
    assert pastes(alice, crowd, "\n".join([*names, "alice"])).status_code == 302
    assert finish(Match.objects.get())[-1] == ("Alice", 299)
    # Step one of the other way takes as many names: they come by POST, not in an address.
    by_field = browser_of(alice).post(
        reverse("report", args=["crowd"]), {"step": "who", "opponent": "\n".join(names)}
    )
    assert by_field.status_code == 200
    assert 'name="place-299"' in by_field.content.decode()


def test_free_for_alls_link_to_the_list(
    melee: Arena, duel: Arena, teams: Arena, alice: Player
) -> None:
    browser = browser_of(alice)
    assert "Paste the order of finish" in words(browser.get(reverse("report", args=["melee"])))
    assert "order of finish" not in words(browser.get(reverse("report", args=["duel"])))
    answer = browser.get(reverse("report_order", args=["teams"]))
    assert answer["Location"] == reverse("report", args=["teams"])
