"""Rules and steps for tests of queues."""

from collections import Counter

from league.models import Arena, Player, Proposal, Rating, Ticket, TicketMember
from tests.support.cast import NOW

ANYBODY = {"potentials_min": 1, "rating_min": 1000, "iteration_interval": "30s"}


def everyone_is_there() -> None:
    """Let all members of all rosters open the page of their queue."""
    TicketMember.objects.filter(seen_at=None).update(seen_at=NOW)


def crowd(count: int) -> list[Player]:
    known = Player.objects.count()
    return [Player.objects.create(name=f"Player {known + number}") for number in range(count)]


def assert_laws(*, players: int) -> None:
    """Check that everyone is in one open ticket and each proposed match has two full teams."""
    places = Counter(TicketMember.objects.filter(open=True).values_list("player", flat=True))
    assert len(places) == players
    assert set(places.values()) == {1}
    open_proposals = Proposal.objects.filter(state="open")
    seats = Counter(open_proposals.values_list("pk", "tickets__team", "tickets__members"))
    teams = Counter((proposal, team) for proposal, team, _member in seats)
    for proposal in open_proposals:
        assert (teams[proposal.pk, 1], teams[proposal.pk, 2]) == (2, 2)
    assert len(teams) == 2 * open_proposals.count()
    assert not Ticket.objects.waiting().exclude(proposal=None).exists()


def rated(player: Player, arena: Arena, rating: float) -> None:
    season = arena.current_season(NOW)
    assert season
    Rating.objects.create(
        season=season, player=player, rating=rating, deviation=0, volatility=0.06, games=20
    )
