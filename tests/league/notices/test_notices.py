"""Who is told what, and who is not."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    Arena,
    ArenaQueue,
    MailPreference,
    Notice,
    NoticeKind,
    Player,
    Roster,
    StaffAction,
    Ticket,
)
from league.services.ladder import challenges
from league.services.notices import reading
from league.services.notices.texts import TEXTS, tell
from league.services.notices.writing import MAIL_AFTER, notify
from league.services.people import invitations
from league.services.queue import ready_checks, ticks
from league.services.queue.queueing import join, mark_seen
from league.services.results.reports import live
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.staff.decisions import decide
from tests.support.cast import NOW, account, arena, beats, beats_as_agreed

LATER = NOW + timedelta(minutes=5)


def texts(player: Player) -> list[str]:
    """A player's inbox, newest first. Whatever its texts name comes in one statement."""
    found = list(reading.inbox(player))
    with CaptureQueriesContext(connection) as further:
        said = [tell(notice).text for notice in found]
    assert [query["sql"] for query in further] == []
    return said


def unread(player: Player) -> int:
    return reading.unread(player).count()


def test_a_report_tells_the_other_captain_once(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    [notice] = Notice.objects.all()
    assert (notice.player, notice.actor, notice.match) == (charlie, alice, match)
    assert (notice.created_at, notice.mail_at) == (NOW, NOW + MAIL_AFTER)
    assert texts(charlie) == ["Alice reported a result in Duel. Confirm or dispute it."]
    assert tell(notice).url == match.get_absolute_url()


def test_confirming_answers_the_request_and_tells_the_reporter(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=LATER)
    assert unread(charlie) == 0
    assert texts(charlie) == ["Alice reported a result in Duel. It has been answered."]
    assert texts(alice) == ["The result of your match in Duel counts: confirmed by the other side."]
    assert Notice.objects.get(player=alice).mail_at is None  # mailed only to those who ask


def test_silence_tells_both(duel: Arena, alice: Player, charlie: Player) -> None:
    beats_as_agreed(alice, charlie, duel)
    confirm_expired(NOW + timedelta(days=30))
    for player in (alice, charlie):
        assert "because nobody objected in time" in texts(player)[0]


def test_a_lapsed_report_tells_both(duel: Arena, alice: Player, charlie: Player) -> None:
    beats(alice, charlie, duel)
    confirm_expired(NOW + timedelta(days=30))
    told = "Nobody confirmed the result of your match in Duel in time. It does not count."
    assert texts(alice)[0] == texts(charlie)[0] == told


def test_a_dispute_and_its_decision_are_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    upheld, void = beats(alice, charlie, duel), beats(alice, charlie, duel)
    for match in (upheld, void):
        dispute(match.pk, by=charlie, reason="It was a draw.", now=LATER)
    assert texts(alice) == ["Charlie disputes the result of your match in Duel."] * 2
    assert unread(charlie) == 0
    assert olga.user
    decide(upheld.pk, verdict=StaffAction.Kind.UPHELD, by=olga.user, reason="So.", now=LATER)
    decide(void.pk, verdict=StaffAction.Kind.VOIDED, by=olga.user, reason="So.", now=LATER)
    decisions = [
        "Staff voided your match in Duel. It does not count.",
        "Staff decided your match in Duel. Its result counts.",
    ]
    assert texts(alice)[:2] == texts(charlie)[:2] == decisions
    assert not Notice.objects.filter(player=olga).exists()


def test_a_finished_live_match_tells_the_other_captain_only(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [StartingSide(one.captain, list(one.members.all()), one) for one in (owls, foxes)]
    match = live.start(teams, sides, now=NOW)
    live.finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    assert [notice.player for notice in Notice.objects.all()] == [charlie]
    confirm(match.pk, by=charlie, now=LATER)
    assert "counts" in texts(bob)[0]  # everyone who played


def test_players_without_an_account_are_told_nothing(duel: Arena) -> None:
    notify([Player.objects.create(name="Imported")], NoticeKind.QUEUED, NOW, arena=duel)
    assert not Notice.objects.exists()


def test_a_report_that_is_sent_twice_tells_once(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    for _time in range(2):
        notify([charlie], NoticeKind.REPORTED, LATER, actor=alice, match=match)
    assert Notice.objects.count() == 1


def test_challenges_and_their_answers_are_told(
    db: None, alice: Player, charlie: Player, eve: Player
) -> None:
    ladder = arena("ladder", rating_system="ladder", season_rules={"challenges": {"rest": "0s"}})
    confirm(beats(alice, charlie, ladder).pk, by=charlie, now=NOW)
    Notice.objects.all().delete()
    sent = challenges.challenge(ladder, charlie, by=eve, now=NOW)
    assert texts(charlie) == ["Eve challenges you in Ladder."]
    challenges.decline(sent.pk, by=charlie, now=LATER)
    assert texts(eve) == ["Eve’s challenge to Charlie in Ladder: declined."]
    assert (unread(charlie), unread(eve)) == (0, 1)


def test_an_invitation_is_told_once_however_often_it_is_repeated(
    owls: Roster, alice: Player, eve: Player
) -> None:
    for _time in range(3):
        invitations.invite(owls, [eve], NOW)
        invitations.invite(owls, [eve], NOW)
        invitations.withdraw(owls, [])
    assert texts(eve) == ["Alice invites you to the roster Owls in Teams."]
    invitations.invite(owls, [eve], NOW)
    invitation = invitations.invitations_of(eve).get()
    invitations.answer(invitation.pk, by=eve, accept=True, now=LATER)
    assert unread(eve) == 0


def test_members_are_told_that_they_are_queued_and_that_a_match_was_found(
    teams: Arena, owls: Roster, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    ArenaQueue.objects.create(arena=teams)
    ticket = join(teams, alice, [bob], roster=owls, now=NOW)
    assert texts(bob) == ["Alice queued you in Teams. Open the queue to take part."]
    assert texts(alice) == []
    mark_seen(ticket, bob, NOW)
    assert unread(bob) == 0
    for player in (charlie, dora):
        join(teams, player, [], now=NOW)
    ticks.tick(teams.pk, now=LATER, seed=1)
    proposal = Ticket.objects.get(pk=ticket.pk).proposal
    assert proposal
    for player in (alice, bob, charlie, dora):
        assert texts(player)[0] == "A match was found for you in Teams."
    ready_checks.accept(proposal.pk, by=bob, now=LATER)
    assert (unread(bob), unread(charlie)) == (0, 1)


def test_only_what_a_player_wants_is_to_be_mailed(
    duel: Arena, alice: Player, charlie: Player, eve: Player, bob: Player
) -> None:
    MailPreference.objects.create(player=alice, muted=[NoticeKind.REPORTED])
    MailPreference.objects.create(player=charlie, pace=MailPreference.Pace.NEVER)
    notify([alice, charlie, eve], NoticeKind.REPORTED, NOW, arena=duel)
    notify([alice, charlie, eve], NoticeKind.RATED, NOW, arena=duel)
    notify([bob], NoticeKind.QUEUED, NOW, arena=duel)
    mailed = Notice.objects.exclude(mail_at=None).values_list("player__name", "kind")
    assert set(mailed) == {("Eve", "reported"), ("Alice", "rated")}


def test_every_kind_has_its_text() -> None:
    assert set(TEXTS) == set(NoticeKind)


def test_counting_unread_notices_uses_an_index(duel: Arena, alice: Player) -> None:
    others = [account(f"Player {number}") for number in range(20)]
    Notice.objects.bulk_create(
        Notice(player=other, kind="rated", created_at=NOW) for other in others for _ in range(100)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE league_notice")
    assert "notice_unseen" in reading.unread(alice).explain()


def test_old_notices_are_forgotten(duel: Arena, alice: Player) -> None:
    for at in (NOW - reading.KEPT - timedelta(days=1), NOW):
        notify([alice], NoticeKind.FOUND, at, arena=duel)
        reading.mark_read(alice, NOW)
    assert reading.forget_old(NOW) == 1
    assert Notice.objects.get().created_at == NOW
