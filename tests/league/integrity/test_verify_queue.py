"""Checking the queue tables, rule by rule."""

from collections.abc import Iterable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from league.models import Arena, ArenaQueue, Match, Player, Proposal, Ticket, User
from league.services.dishonor import abandons
from league.services.integrity.queue import LAWS_OF_SEATS, breaches, laws, summarize_queue
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept, decline, members_of
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, finish
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY

SOON = NOW + timedelta(seconds=10)
LATER = NOW + timedelta(minutes=2)

LIVE = "SELECT m.id FROM league_match AS m WHERE m.status = 'live'"
RATED = "SELECT m.id FROM league_match AS m WHERE m.status = 'rated'"
WAITS = "SELECT min(player_id) FROM league_ticketmember WHERE open"
PLAYS = "SELECT min(player_id) FROM league_participant WHERE live"
DUEL = "SELECT id FROM league_arena WHERE slug = 'duel'"
SOMEBODY = "SELECT id FROM league_player WHERE name = 'Nobody'"

BROKEN = [
    (
        "is queued in more than one roster",
        (
            "INSERT INTO league_ticketmember (ticket_id, player_id, profession, open) SELECT "
            f"min(id), ({WAITS}), '', false FROM league_ticket WHERE state = 'waiting'"
        ),
    ),
    (
        "is in more than one live match",
        (
            "UPDATE league_participant SET live = false WHERE live; UPDATE league_match SET "
            "status = 'live', rated_order = NULL WHERE status = 'rated'; UPDATE "
            f"league_participant SET player_id = ({SOMEBODY}) WHERE id IN (SELECT max(id) "
            "FROM league_participant WHERE NOT quit GROUP BY match_id)"
        ),
    ),
    (
        "is in a queue and in a live match at the same time",
        (
            "UPDATE league_participant SET live = false WHERE live; UPDATE league_participant "
            f"SET player_id = ({WAITS}) WHERE id = (SELECT max(id) FROM league_participant)"
        ),
    ),
    (
        "is marked as waiting but is not",
        f"UPDATE league_ticketmember SET open = false WHERE player_id = ({WAITS})",
    ),
    (
        "has players marked as playing who are not",
        f"UPDATE league_participant SET live = false WHERE player_id = ({PLAYS})",
    ),
    (
        "is in an impossible state",
        "UPDATE league_ticket SET closed_at = NULL WHERE state = 'played'",
    ),
    (
        "has no members",
        "DELETE FROM league_ticketmember WHERE ticket_id = (SELECT max(id) FROM league_ticket)",
    ),
    (
        "is neither open before its deadline nor closed",
        "UPDATE league_proposal SET closed_at = NULL WHERE state = 'cancelled'",
    ),
    (
        "is neither open before its deadline nor closed",
        ("UPDATE league_proposal SET deadline = deadline - interval '1 day' WHERE state = 'open'"),
    ),
    (
        "is open without its rosters",
        (
            "UPDATE league_ticket SET team = 3 - team WHERE id = (SELECT min(id) FROM "
            "league_ticket WHERE state = 'proposed')"
        ),
    ),
    (
        "became a match of different players",
        (
            f"UPDATE league_participant SET player_id = ({SOMEBODY}) WHERE id = (SELECT min(id) "
            f"FROM league_participant WHERE match_id IN ({LIVE}))"
        ),
    ),
    (
        "has a game mode that one of its rosters does not want",
        "UPDATE league_proposal SET mode = 'Chess'",
    ),
    (
        "is matched in an arena where one of its rosters does not wait",
        f"UPDATE league_ticket SET arena_id = ({DUEL}) WHERE state = 'proposed'",
    ),
    (
        "is closed but still waits in another arena",
        (
            "INSERT INTO league_ticketarena (ticket_id, arena_id, modes, place) SELECT min(id), "
            f"({DUEL}), '{{}}', 1 FROM league_ticket WHERE state = 'played'"
        ),
    ),
    (
        "became a match in another game mode or region",
        "UPDATE league_proposal SET mode = 'Chess' WHERE match_id IS NOT NULL",
    ),
    (
        "has penalties that do not match the players who missed it",
        "UPDATE league_proposal SET missed = '{}'",
    ),
    (
        "has penalties that do not match the players who left it",
        f"UPDATE league_participant SET quit = NOT quit WHERE match_id IN ({RATED})",
    ),
    (
        "has penalties for players who did not play in it",
        (
            "WITH act AS (INSERT INTO league_staffaction (actor_id, kind, reason, details, at) "
            "SELECT min(id), 'penalised', '', '{}', now() FROM league_user RETURNING id) "
            "INSERT INTO league_dishonoraward (player_id, arena_id, at, offence, stacks, match_id, "
            f"action_id) SELECT ({SOMEBODY}), m.arena_id, now(), 'Insults', 1, m.id, act.id "
            f"FROM act, league_match AS m WHERE m.id = (SELECT min(id) FROM ({RATED}) AS one)"
        ),
    ),
    *(
        (
            rule,
            (
                f"UPDATE league_participant SET player_id = ({SOMEBODY}) WHERE id = (SELECT min(id)"
                f" FROM league_participant WHERE match_id IN ({RATED}))"
            ),
        )
        for rule in (
            "was rated for players who did not play in it",
            "was rated without one of its players",
        )
    ),
]
"""Each rule by the start of its name, with a statement that breaks it."""


def crowd(count: int) -> list[Player]:
    known = Player.objects.count()
    return [Player.objects.create(name=f"Player {known + number}") for number in range(count)]


def propose(arena: Arena, players: Iterable[Player]) -> Proposal:
    """The ready check of four who have just queued alone."""
    tickets = [join(arena, player, [], now=NOW) for player in players]
    # A queue's ticks are an interval apart.
    arena.ticks.all().delete()
    assert tick(arena.pk, now=SOON, seed=1)
    tickets[0].refresh_from_db()
    assert tickets[0].proposal
    return tickets[0].proposal


def play(proposal: Proposal) -> Match:
    for member in members_of(proposal).select_related("player"):
        accept(proposal.pk, by=member.player, now=SOON)
    return Match.objects.get(proposal=proposal)


@pytest.fixture
def league(teams: Arena, duel: Arena) -> Arena:
    """A match that is rated and that somebody left, one that is played, a ready check that was
    called off, one that is open, and somebody who waits."""
    ArenaQueue.objects.create(arena=teams, matcher="new", rules={"queue": ANYBODY})
    Player.objects.create(name="Nobody")
    User.objects.create(username="olga")
    rated = play(propose(teams, crowd(4)))
    first, second = (side.captain for side in rated.sides.all())
    abandons.leave(rated.pk, by=second, now=SOON)
    finish(rated.pk, [Finish(0), Finish(1)], reporter=first, now=SOON)
    confirm(rated.pk, by=second, now=SOON)
    play(propose(teams, crowd(4)))
    four = crowd(4)
    decline(propose(teams, four).pk, by=four[0], now=SOON)
    for ticket in Ticket.objects.waiting():
        ticket.delete()
    propose(teams, crowd(4))
    join(teams, crowd(1)[0], [], now=NOW)
    return teams


def test_a_regular_league_breaks_no_rule(league: Arena) -> None:
    assert breaches(SOON) == []
    known = summarize_queue(league)
    assert known.matches == {"rated": 1, "live": 1}
    assert known.checks == {"accepted": 2, "cancelled": 1, "open": 1}
    assert (known.let_down, known.waiting, known.served) == (1, 1, 8)
    assert known.wait_median == known.wait_longest == 10.0


def test_each_broken_rule_is_reported_with_its_offenders(league: Arena) -> None:
    for law, deed in BROKEN:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(deed)
            found = [breach for breach in breaches(LATER) if breach.rule.startswith(law)]
            transaction.set_rollback(True)
        assert [len(breach.offenders) > 0 for breach in found] == [True], law
        assert law in str(found[0])
    assert all(
        any(name.startswith(law) for law, _deed in BROKEN)
        for name in (*laws(LATER), *LAWS_OF_SEATS)
    )


def test_the_command_prints_figures_and_fails_if_a_rule_is_broken(league: Arena) -> None:
    Proposal.objects.filter(state="open").update(deadline=NOW + timedelta(days=10_000))
    said = StringIO()
    call_command("verify_queue", stdout=said)
    assert "Teams: 2 matches (1 live, 1 rated); 4 ready checks" in said.getvalue()
    assert "The queues obey all their rules." in said.getvalue()
    Proposal.objects.update(missed=[])
    with pytest.raises(CommandError, match="Broken rules of the queues: 1"):
        call_command("verify_queue", stdout=said)
    assert "ready check" in said.getvalue()
