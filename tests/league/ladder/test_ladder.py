"""Newcomers on a ladder take the next ranks in the order of results."""

from functools import partial
from pathlib import Path

import pytest

from league.models import Arena, Match, Player, Rating
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.transfer.files.result_files import read
from league.services.transfer.histories.imports import import_history
from tests.support.cast import NOW, account, arena, beats
from tests.support.concurrency import all_at_once


@pytest.fixture
def ladder(db: None) -> Arena:
    return arena("ladder", rating_system="ladder")


def ranks(ladder: Arena) -> dict[str, float]:
    rows = Rating.objects.filter(season__arena=ladder).order_by("rating")
    return dict(rows.values_list("player__name", "rating"))


def win(ladder: Arena, winner: Player, loser: Player) -> Match:
    return confirm(beats(winner, loser, ladder).pk, by=loser, now=NOW)


def test_newcomers_take_the_next_ranks_in_the_order_of_their_match(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    win(ladder, dora, charlie)
    win(ladder, bob, alice)
    assert ranks(ladder) == {"Dora": 1, "Charlie": 2, "Bob": 3, "Alice": 4}
    win(ladder, alice, dora)
    assert ranks(ladder) == {"Alice": 1, "Charlie": 2, "Bob": 3, "Dora": 4}
    assert verify(ladder.seasons.get()) == []


def pairs_of_newcomers(ladder: Arena, count: int) -> list[tuple[Match, Player]]:
    """Results awaiting confirmation between players who have played nothing yet, and the losers."""
    pairs = [
        # The loser is there first, so that the order of ids is not the order of appearance.
        (account(f"Loser {number}"), account(f"Winner {number}"))
        for number in range(count)
    ]
    return [(beats(winner, loser, ladder), loser) for loser, winner in pairs]


@pytest.mark.django_db(transaction=True)
def test_newcomers_of_concurrent_matches_get_the_ranks_of_a_replay(
    ladder: Arena,
) -> None:
    waiting = pairs_of_newcomers(ladder, 12)
    all_at_once([partial(confirm, match.pk, by=loser, now=NOW) for match, loser in waiting])
    assert sorted(ranks(ladder).values()) == list(range(1, 25))
    assert verify(ladder.seasons.get()) == []


@pytest.mark.django_db(transaction=True)
def test_a_newcomer_in_two_matches_at_once_takes_one_rank(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    waiting = [(beats(alice, bob, ladder), bob), (beats(charlie, alice, ladder), alice)]
    all_at_once([partial(confirm, match.pk, by=loser, now=NOW) for match, loser in waiting])
    assert sorted(ranks(ladder).values()) == [1, 2, 3]
    assert verify(ladder.seasons.get()) == []


def test_imported_newcomers_join_in_the_order_of_the_file(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, tmp_path: Path
) -> None:
    win(ladder, alice, bob)
    file = tmp_path / "results.csv"
    file.write_text(
        "match_id,played_at,side,place,player\n"
        "m1,2026-03-01T12:00:00Z,1,1,Zoe\nm1,2026-03-01T12:00:00Z,2,0,Charlie\n"
        "m2,2026-03-01T12:00:00Z,1,0,Eve\nm2,2026-03-01T12:00:00Z,2,1,Alice\n"
    )
    import_history(ladder, read(file), now=NOW)
    assert ranks(ladder) == {"Eve": 1, "Bob": 2, "Charlie": 3, "Zoe": 4, "Alice": 5}
    assert verify(ladder.seasons.get()) == []
