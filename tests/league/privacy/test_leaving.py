"""What players leave before their account is deleted: matches, dates, teams and challenges."""

from datetime import timedelta

from league.models import (
    Arena,
    Arrangement,
    Challenge,
    Entrant,
    Match,
    Notice,
    Participant,
    Player,
    Team,
    Ticket,
)
from league.services.dates import answers, proposals
from league.services.privacy import deleting, leaving
from league.services.results.reports.live import StartingSide, start
from tests.support import competition_steps
from tests.support.cast import NOW, roster
from tests.support.challenge_steps import ladder_of
from tests.support.date_steps import SATURDAY, state
from tests.support.deletion_steps import LATER, NAME, user_of
from tests.support.team_steps import current, joined, team_of
from tests.support.web_steps import browser_of, words


def test_deletion_waits_for_what_is_going_on(
    zoro: Player, alice: Player, bob: Player, duel: Arena
) -> None:
    live = start(duel, [StartingSide(zoro, [zoro]), StartingSide(alice, [alice])], now=NOW)
    deleting.ask(user_of(zoro), NOW)
    assert not deleting.attempt(user_of(zoro).pk, LATER)
    assert "without a final result" in words(browser_of(zoro).get("/settings/delete/"))
    assert Player.objects.get(pk=zoro.pk).name == NAME
    Match.objects.filter(pk=live.pk).update(status="void", settled_at=NOW)
    Participant.objects.update(live=False)
    assert deleting.attempt(user_of(zoro).pk, LATER)


def test_dates_are_called_off_and_proposals_withdrawn(
    zoro: Player, alice: Player, bob: Player, duel: Arena
) -> None:
    agreed = proposals.propose(duel, alice, SATURDAY, by=zoro, now=NOW)
    answers.accept(agreed.pk, by=alice, seen=agreed.revision, now=NOW)
    sent = proposals.propose(duel, bob, SATURDAY, by=zoro, now=NOW)
    received = proposals.propose(duel, zoro, SATURDAY + timedelta(days=1), by=bob, now=NOW)
    assert leaving.leave_everything(zoro, NOW) == []
    assert state(agreed) == Arrangement.State.CALLED_OFF
    assert state(sent) == Arrangement.State.WITHDRAWN
    assert state(received) == Arrangement.State.DECLINED


def test_teams_and_rosters_get_another_leader(
    zoro: Player, alice: Player, bob: Player, charlie: Player, teams: Arena
) -> None:
    team = joined(team_of(zoro), alice, bob)
    vice = team.members.get(player=bob)
    vice.role = "vice"
    vice.save()
    alone = team_of(zoro, "Lone Wolves", "LONE")
    party = roster(teams, "Owls", zoro, charlie)
    assert leaving.leave_everything(zoro, NOW) == []
    assert current(team) == {"Alice": "player", "Bob": "captain"}
    assert Team.objects.get(pk=alone.pk).disbanded_at
    party.refresh_from_db()
    assert party.captain == charlie
    assert list(party.members.all()) == [charlie]
    assert Notice.objects.filter(player=bob, kind="team_changed").exists()


def test_a_competition_and_a_queue_are_left_by_their_rules(
    zoro: Player, alice: Player, bob: Player, olga: Player, duel: Arena
) -> None:
    one = competition_steps.begun(duel, olga, [zoro, alice, bob])
    leaving.leave_everything(zoro, competition_steps.START)
    assert one.entrants.get(player=zoro).state == Entrant.State.WITHDRAWN
    left = competition_steps.fixture_of(one, zoro, alice)
    assert left.decided_by in {"withdrawal", ""} or left.result
    deleting.ask(user_of(zoro), NOW)
    if deleting.attempt(user_of(zoro).pk, LATER):
        assert one.entrants.get(player=zoro).name == f"Former player {zoro.pk}"
    assert not Ticket.objects.exists()


def test_an_open_challenge_costs_what_declining_costs() -> None:
    ladder, players = ladder_of(["Ann", "Ben", "Cid", NAME])
    zoro, ben = players[3], players[1]
    made = Challenge.objects.create(
        season=ladder.seasons.get(),
        challenger=zoro,
        challenged=ben,
        made_at=NOW,
        answer_by=NOW + timedelta(days=3),
    )
    leaving.leave_everything(zoro, NOW)
    made.refresh_from_db()
    assert made.state == Challenge.State.WITHDRAWN
