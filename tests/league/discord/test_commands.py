"""Slash commands follow the same rules as forms and answer in the site's own words."""

from datetime import timedelta

import pytest

from league.models import (
    Arena,
    ArenaQueue,
    Arrangement,
    Match,
    Offence,
    Player,
    Proposal,
    Roster,
    Status,
    Ticket,
)
from league.services.core.clock import database_now
from league.services.dishonor import bans, discipline
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from tests.support.cast import account, beats, put_in_order
from tests.support.discord_steps import (
    buttons_of,
    completes,
    is_private,
    linked,
    presses,
    said,
    types,
)
from tests.support.queue_steps import ANYBODY


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=database_now())
    put_in_order()
    return match


@pytest.fixture
def queue(duel: Arena) -> ArenaQueue:
    rules = {"queue": {**ANYBODY, "roster_min": 1, "roster_max": 1}, "team_size": 1}
    return ArenaQueue.objects.create(arena=duel, matcher="new", rules=rules)


def test_rank_says_where_i_stand_with_links_to_the_site(rated_match: Match, alice: Player) -> None:
    message = types(linked(alice), "rank")
    assert "Alice" in said(message)
    assert "rank 1, " in said(message)
    assert f"/players/{alice.pk}/" in message["embeds"][0]["url"]
    assert "/arenas/duel/leaderboard/" in said(message)
    assert message["allowed_mentions"] == {"parse": []}
    assert not is_private(message)


def test_rank_of_another_in_an_arena_needs_no_account(rated_match: Match) -> None:
    assert "rank 2, " in said(types("7", "rank", player="charlie", arena="Duel"))
    assert "There is no arena “Nowhere”" in said(
        types("7", "rank", player="Alice", arena="Nowhere")
    )
    assert "Did you mean Alice?" in said(types("7", "rank", player="Alicia"))


def test_rank_of_an_unlisted_player_is_not_told_to_the_channel(
    rated_match: Match, alice: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(is_unlisted=True)
    assert is_private(types(linked(alice), "rank"))
    assert completes("7", "rank", "player", player="Ali") == []


def test_odds_are_those_of_the_site(rated_match: Match, alice: Player, bob: Player) -> None:
    message = types(linked(alice), "odds", opponent="Bob")
    assert "Your expected result: " in said(message)
    assert "If you win: +" in said(message)
    assert "If you lose: −" in said(message)
    assert is_private(message)
    assert "You cannot play against yourself" in said(types(linked(bob), "odds", opponent="Bob"))


def test_odds_between_rosters(owls: Roster, foxes: Roster, alice: Player, eve: Player) -> None:
    message = types(linked(alice), "odds", opponent="Foxes", arena="teams")
    assert "Owls against Foxes, Teams" in said(message)
    refused = said(types(linked(eve), "odds", opponent="Foxes", arena="teams"))
    assert "Choose one of the rosters that you lead." in refused


def test_names_cannot_format_link_or_mention(duel: Arena, alice: Player) -> None:
    put_in_order()
    rude = Player.objects.create(name="x")
    name = "**a** @everyone <@1> [b](http://c) `d` ||e|| # f"
    Player.objects.filter(pk=rude.pk).update(name=name, folded_name="rude")
    text = str(types("7", "rank", player="rude"))
    assert "@everyone" not in text
    for forbidden in ("**a**", "<@1>", "](http", "||e||", "`d`"):
        assert forbidden not in text
    wrong = str(types(linked(alice), "odds", opponent="@everyone **x**"))
    assert "@everyone" not in wrong
    assert "**x**" not in wrong


def test_alice_and_charlie_queue_accept_and_report_in_discord(
    queue: ArenaQueue, duel: Arena, alice: Player, charlie: Player
) -> None:
    one, other = linked(alice), linked(charlie)
    joined = said(types(one, "queue", "join"))
    assert "place 1 of 1" in joined
    assert "Keep the queue page open" in joined
    assert "place 1 of 1" in said(types(one, "queue", "status"))
    assert Ticket.objects.of(alice).get().captain == alice
    types(other, "queue", "join", arena="duel")
    tick(duel.pk, now=database_now() + timedelta(minutes=1), seed=1)
    Proposal.objects.update(deadline=database_now() + timedelta(minutes=1))
    asked = types(one, "queue", "status")
    assert "A match was found" in said(asked)
    accept, _decline = buttons_of(asked)
    answer = presses(one, accept)
    assert answer["type"] == 7
    assert answer["data"]["components"] == []
    assert "Waiting for the others" in said(answer["data"])
    assert buttons_of(types(one, "queue", "status")) == []
    stranger = presses(linked(account("Eva")), accept)
    assert stranger["type"] == 4
    assert "was not proposed to you" in said(stranger["data"])
    assert "the match is on" in said(presses(other, accept)["data"])
    match = Match.objects.get(status=Status.LIVE)
    assert "You are in a live match" in said(types(one, "queue", "status"))

    (choice,) = completes(one, "report", "match", match="")
    assert choice == {"name": "Alice – Charlie · Duel", "value": str(match.pk)} or (
        choice == {"name": "Charlie – Alice · Duel", "value": str(match.pk)}
    )
    told = types(one, "report", match=choice["value"], result="won")
    assert "Reported." in said(told)
    match.refresh_from_db()
    assert (match.status, match.reported_by) == (Status.REPORTED, alice)
    assert match.sides.get(captain=alice).place == 0
    assert completes(one, "report", "match", match="") == []
    assert completes(other, "report", "match", match="") == [choice]
    assert "another result" in said(types(other, "report", match=choice["value"], result="won"))
    assert "Confirmed." in said(types(other, "report", match=choice["value"], result="lost"))
    match.refresh_from_db()
    assert match.status == Status.RATED


def test_a_declined_match_counts_as_a_dodge(
    queue: ArenaQueue, duel: Arena, alice: Player, charlie: Player
) -> None:
    one, other = linked(alice), linked(charlie)
    for uid in (one, other):
        types(uid, "queue", "join")
    tick(duel.pk, now=database_now() + timedelta(minutes=1), seed=1)
    Proposal.objects.update(deadline=database_now() + timedelta(minutes=1))
    _accept, decline = buttons_of(types(one, "queue", "status"))
    assert "counts as a dodge" in said(presses(one, decline)["data"])
    assert discipline.status_of(alice, database_now()).in_timeout
    assert "This match is off" in said(presses(other, decline)["data"])


def test_leaving_the_queue(queue: ArenaQueue, alice: Player) -> None:
    uid = linked(alice)
    assert "You are not in a queue" in said(types(uid, "queue", "leave"))
    types(uid, "queue", "join")
    assert "You have left the queue" in said(types(uid, "queue", "leave"))
    assert "You are not in a queue" in said(types(uid, "queue", "status"))


def test_the_queue_refuses_for_the_same_reasons_as_on_the_site(
    queue: ArenaQueue, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one, other = linked(alice), linked(bob)
    discipline.penalise([alice], Offence.QUEUE_DODGE, duel, now=database_now())
    assert "timeout" in said(types(one, "queue", "join"))
    assert olga.user
    bans.ban(bob, by=olga.user, arena=duel, reason="Cheating", now=database_now())
    assert "Bob is banned" in said(types(other, "queue", "join"))
    queue.is_open = False
    queue.save()
    assert "The queue of Duel is closed." in said(types(one, "queue", "join", arena="duel"))
    assert not Ticket.objects.exists()


def test_a_captain_queues_a_roster_and_nobody_elses(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player
) -> None:
    ArenaQueue.objects.create(arena=teams, matcher="new", rules={"queue": ANYBODY})
    uid = linked(alice)
    refused = types(uid, "queue", "join", arena="teams", roster="Foxes")
    assert "Choose one of the rosters that you lead." in said(refused)
    (choice,) = completes(uid, "queue", "roster", "join", arena="teams", roster="owl")
    assert choice == {"name": "Owls, Teams", "value": "Owls"}
    types(uid, "queue", "join", arena="teams", roster="owls")
    assert Ticket.objects.get().roster == owls
    absent = Ticket.objects.get().members.get(seen_at=None).player
    types(linked(absent), "queue", "status")
    assert not Ticket.objects.get().members.filter(seen_at=None).exists()


def agreed(duel: Arena, one: Player, other: Player) -> Arrangement:
    now = database_now()
    return Arrangement.objects.create(
        arena=duel,
        proposer=one,
        opponent=other,
        asked=other,
        state=Arrangement.State.ACCEPTED,
        play_at=now + timedelta(days=1),
        created_at=now,
        answered_at=now,
        accepted_at=now,
    )


def test_fixtures_are_mine_or_those_of_an_arena(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    date = agreed(duel, alice, charlie)
    mine = types(linked(alice), "fixtures")
    assert "Alice against Charlie" in said(mine)
    assert f"<t:{int(date.play_at.timestamp())}:f>" in mine["embeds"][0]["description"]
    assert is_private(mine)
    assert "No matches are scheduled." in said(types(linked(eve), "fixtures"))
    Player.objects.filter(pk=charlie.pk).update(is_unlisted=True)
    everybody = types("7", "fixtures", arena="duel")
    assert not is_private(everybody)
    assert "Alice against Unlisted player" in said(everybody)


def test_a_member_of_a_roster_sees_its_dates(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    date = agreed(teams, alice, charlie)
    date.proposer_roster, date.opponent_roster = owls, foxes
    date.save()
    assert "Owls against Foxes" in said(types(linked(bob), "fixtures"))


def test_arenas_and_players_complete(duel: Arena, teams: Arena, alice: Player) -> None:
    assert completes("7", "rank", "arena", arena="ue") == [{"name": "Duel", "value": "duel"}]
    assert completes("7", "rank", "player", player="al") == [{"name": "Alice", "value": "Alice"}]
    uid = linked(alice)
    found = completes(uid, "odds", "opponent", arena="duel", opponent="al")
    assert found == [{"name": "Alice", "value": "Alice"}]


def test_a_draft_arena_is_not_known(duel: Arena, alice: Player) -> None:
    Arena.objects.filter(pk=duel.pk).update(is_draft=True)
    assert "There is no arena" in said(types("7", "rank", player="Alice", arena="duel"))
    assert completes("7", "rank", "arena", arena="") == []


def test_which_arena_is_asked_if_it_is_not_clear(
    duel: Arena, teams: Arena, alice: Player, rated_match: Match, bob: Player
) -> None:
    assert "Choose an arena." in said(types(linked(bob), "odds", opponent="Alice"))
    assert "Alice against Bob, Duel" in said(types(linked(alice), "odds", opponent="Bob"))
