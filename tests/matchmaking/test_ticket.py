"""The queue as arrays."""

import numpy as np
import pytest

from matchmaking.ticket import Player, Queue, Ticket
from tests.support.matchmaking_queues import ANY_MODE, random_tickets, seeded

OWLS = Ticket(
    "Owls",
    queued_at=-30.0,
    players=(
        Player("Alice", 1600, 100, rank=40, games=10, profession="Thief", dishonor=2),
        Player("Bob", 1400, 50, rank=20, games=30, profession="Mesmer"),
    ),
    modes=frozenset({"conquest"}),
    guild_team=True,
)
CHARLIE = Ticket("Foxes", 5.0, (Player("Charlie", 1500, profession="Thief"),))


def test_a_rosters_figures_come_from_its_players() -> None:
    queue = Queue.of([CHARLIE, OWLS])
    assert queue.sizes.tolist() == [1, 2]
    assert queue.rating_mean.tolist() == [1500, 1500]
    assert queue.effective_total.tolist() == [1500, 2850]
    assert queue.effective_mean.tolist() == [1500, 1425]
    assert queue.rank_mean.tolist() == [0, 30]
    assert queue.rank_min.tolist() == [0, 20]
    assert queue.games_mean.tolist() == [0, 20]
    assert queue.dishonor_total.tolist() == [0, 2]
    assert queue.professions == ("Mesmer", "Thief")
    assert queue.profession_counts.tolist() == [[0, 1], [1, 1]]
    assert queue.guild_team.tolist() == [False, True]
    assert queue.player_ids[queue.members(1)] == ("Alice", "Bob")


def test_no_wait_is_negative() -> None:
    assert Queue.of([CHARLIE, OWLS]).waits(0.0).tolist() == [0, 30]


def test_a_roster_without_players_is_refused() -> None:
    with pytest.raises(ValueError, match="ticket Ghosts has no players"):
        Queue.of([CHARLIE, Ticket("Ghosts", 0.0, ())])


def test_taking_tickets_gives_the_queue_of_those_tickets() -> None:
    tickets = random_tickets(seeded(5), 30, coarse=False, modes=ANY_MODE)
    order = [29, 3, 3 + 4, 0]
    taken, made = Queue.of(tickets).take(order), Queue.of([tickets[place] for place in order])
    assert taken.ids == made.ids
    assert taken.player_ids == made.player_ids
    for name in ("queued_at", "guild_team", "starts", "rating", "deviation", "rank", "games"):
        assert getattr(taken, name).tolist() == getattr(made, name).tolist()
    names = np.array([*taken.professions, ""])
    assert names[taken.profession].tolist() == [
        player.profession for place in order for player in tickets[place].players
    ]


def test_taking_tickets_renumbers_pairs_that_met() -> None:
    queue = Queue.of([CHARLIE, OWLS, Ticket("Eve", 0.0, (Player("Eve", 1500),))])
    met = Queue(**{**vars(queue), "met": np.array([[0, 1], [0, 2]])})
    assert met.take([2, 0]).met.tolist() == [[1, 0]]
