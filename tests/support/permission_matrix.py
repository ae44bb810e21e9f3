"""The permission table of the pages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from django.utils import timezone

from league.models import (
    Challenge,
    DemoRequest,
    DivisionChange,
    Format,
    Match,
    Notice,
    NoticeKind,
    Player,
    Proposal,
    Roster,
    RosterInvitation,
    RosterMember,
)
from league.services import corrections
from league.services.ladder.challenges import accept as take_up
from league.services.ladder.challenges import challenge
from league.services.notices.links import answer_token, stop_token
from league.services.people.tokens import make_token
from league.services.results.answers import confirm
from league.services.results.changing import change
from league.services.results.countering import counter
from league.services.results.live import Finish
from league.services.results.objections import object_to
from league.services.results.threads import write
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats
from tests.support.permission_roles import ADMIN_ONLY, LOGGED_IN, OPEN, Role, Row
from tests.support.pictures import upload
from tests.support.web_steps import result_form

if TYPE_CHECKING:
    from league.models import User
    from tests.support.permission_roles import World

Fields = dict[str, Any]

CAPTAINS = "login forbidden ok ok forbidden forbidden"
ANSWERING = "login forbidden forbidden ok forbidden forbidden"
HOLDER_ONLY = "ok forbidden forbidden ok forbidden forbidden"
"""Charlie's link works for visitors, and for nobody who is logged in as another player."""
REPORTING = "login forbidden ok forbidden forbidden forbidden"
TALKING = "login forbidden ok ok forbidden ok"
READING = "missing missing ok ok missing ok"
CLOSED_SETUP = "refused refused refused refused refused refused"
"""The setup is over once there is a staff account."""
DECIDING = "login forbidden forbidden forbidden forbidden ok"


def in_arena(world: World) -> Fields:
    return {"slug": world.arena.slug}


def in_ready_check(world: World) -> Fields:
    if "check" not in world.extras:
        world.extras["check"] = Proposal.objects.create(
            arena=world.arena, proposed_at=NOW, deadline=NOW
        )
    return in_arena(world) | {"pk": world.extras["check"].pk}


def an_archive(world: World) -> Fields:
    """A season that is over and frozen."""
    if "archive" not in world.extras:
        rules = {**RANKED_AT_ONCE, "points": {"counts": True}}
        season = arena("old", season_rules=rules).seasons.get()
        season.ends_at = season.archived_at = NOW
        season.save()
        world.extras["archive"] = season
    return {"pk": world.extras["archive"].pk}


def eves_promotion(world: World) -> Fields:
    """A change of Eve's division."""
    if "promotion" not in world.extras:
        world.extras["promotion"] = DivisionChange.objects.create(
            season=world.rated.season, player=world.eve, at=NOW, was="Silver", becomes="Gold"
        )
    return {"pk": world.extras["promotion"].pk}


def in_ladder(world: World) -> Fields:
    """An arena that gives points, and archived its season."""
    an_archive(world)
    return {"slug": "old"}


def of(match: Match) -> Fields:
    return {"pk": match.pk}


def alices_owls(world: World) -> Roster:
    """A roster that Alice leads, in an arena for teams."""
    if "owls" not in world.extras:
        teams = arena("teams", team_size_max=2)
        owls = Roster.objects.create(arena=teams, name="Owls", captain=world.alice)
        RosterMember.objects.create(roster=owls, player=world.alice)
        world.extras["owls"] = owls
    made: Roster = world.extras["owls"]
    return made


def in_melee(world: World) -> Fields:
    """A free-for-all arena."""
    if "melee" not in world.extras:
        world.extras["melee"] = arena("melee", format=Format.FREE_FOR_ALL, sides_max=5)
    return {"slug": world.extras["melee"].slug}


def in_teams(world: World) -> Fields:
    return {"slug": alices_owls(world).arena.slug}


def alices_roster(world: World) -> Fields:
    return in_teams(world) | {"pk": alices_owls(world).pk}


def eves_invitation(world: World) -> Fields:
    if "invitation" not in world.extras:
        world.extras["invitation"] = RosterInvitation.objects.create(
            roster=alices_owls(world), player=world.eve, invited_at=NOW
        )
    return {"pk": world.extras["invitation"].pk}


def challenged_charlie(world: World) -> Challenge:
    """Eve challenges Charlie, who is at the bottom of a ladder of two."""
    made = Challenge.objects.filter(challenger=world.eve).first()
    if made is None:
        ladder = arena("ladder", rating_system="ladder", season_rules={"challenges": {"sent": 2}})
        confirm(beats(world.alice, world.charlie, ladder).pk, by=world.charlie, now=NOW)
        made = challenge(ladder, world.charlie, by=world.eve, now=NOW)
    # The pages compare with the real clock, which has advanced.
    Challenge.objects.filter(pk=made.pk).update(answer_by=timezone.now() + timedelta(days=1))
    return made


def on_the_ladder(world: World) -> Fields:
    return {"slug": challenged_charlie(world).season.arena.slug}


def in_the_challenge(world: World) -> Fields:
    return {"pk": challenged_charlie(world).pk}


def a_result(world: World) -> Fields:
    token = "0b8f3f4e-3f2c-4c2e-9f0e-1d2c3b4a5f60"
    played = f"{timezone.now():%Y-%m-%dT%H:%M}"
    return {"outcome": "0", "zone": "UTC", "played_at": played, "client_token": token}


def unowned(world: World) -> Fields:
    """A player without an account."""
    if "unowned" not in world.extras:
        world.extras["unowned"] = Player.objects.create(name="Unowned")
    return {"pk": world.extras["unowned"].pk}


def agreed_challenge(world: World) -> Challenge:
    """Charlie has accepted Alice's challenge on a ladder of their own."""
    if "agreed" not in world.extras:
        steps = arena("steps", rating_system="ladder")
        now = timezone.now()
        confirm(beats(world.charlie, world.alice, steps).pk, by=world.alice, now=NOW)
        made = challenge(steps, world.charlie, by=world.alice, now=now - timedelta(hours=2))
        world.extras["agreed"] = take_up(made.pk, by=world.charlie, now=now - timedelta(hours=1))
    one: Challenge = world.extras["agreed"]
    return one


def in_the_agreed_challenge(world: World) -> Fields:
    return {"pk": agreed_challenge(world).pk}


def eves_token(world: World) -> Fields:
    if "token" not in world.extras:
        user: User | None = world.user(Role.PLAYER)
        assert user is not None
        world.extras["token"], _text = make_token(user)
    return {"key": world.extras["token"].token_key}


def eves_notice(world: World) -> Fields:
    if "notice" not in world.extras:
        world.extras["notice"] = Notice.objects.create(
            player=world.eve, kind=NoticeKind.FOUND, arena=world.arena, created_at=NOW
        )
    return {"pk": world.extras["notice"].pk}


def charlies_link(world: World) -> Fields:
    """The link in a mail to Charlie that answers Alice's report."""
    address = "charlie@league.example"
    EmailAddress.objects.get_or_create(user=world.charlie.user, email=address, verified=True)
    return {"token": answer_token(world.reported, world.charlie, address)}


def eves_mails(world: World) -> Fields:
    return {"token": stop_token(world.eve, NoticeKind.REPORTED)}


def a_win(world: World) -> Fields:
    return {"outcome": "0"}


def a_verdict(world: World) -> Fields:
    return {"verdict": "upheld", "reason": "The replay shows it."}


def an_entry(world: World) -> Fields:
    return {
        **result_form("", sides=f"{world.alice}\n{world.charlie}"),
        "reason": "Played on site.",
    }


def a_voiding(world: World) -> Fields:
    return {"verdict": "voided", "reason": "It was never played."}


def a_correction(world: World) -> Fields:
    """A correction that Olga requested."""
    if "correction" not in world.extras:
        olga: User | None = world.user(Role.ADMIN)
        assert olga
        mistake = beats(world.alice, world.charlie, world.arena)
        confirm(mistake.pk, by=world.charlie, now=NOW)
        mistake.refresh_from_db()
        world.extras["correction"] = corrections.ask(
            mistake, by=olga, reason="A mistake", digest="", horizon=0, now=NOW
        )
    asked = world.extras["correction"]
    return of(asked.match) | {"request_id": asked.pk}


def countered(world: World) -> Fields:
    """Charlie reported another result than Alice, who had changed hers, and staff wrote to both."""
    if "countered" not in world.extras:
        match = beats(world.alice, world.charlie, world.arena)
        change(match.pk, [Finish(0, 2), Finish(1, 1)], by=world.alice, now=NOW)
        counter(match.pk, [(1, None), (0, None)], by=world.charlie, now=NOW, revision=2)
        olga: User | None = world.user(Role.ADMIN)
        assert olga
        write(match.pk, by=olga, player=None, text="Send a replay.", now=NOW)
        world.extras["countered"] = match
    return of(world.extras["countered"])


def a_fresh_result(world: World) -> Fields:
    """A result that was rated just now, by the real clock."""
    if "fresh" not in world.extras:
        now = timezone.now()
        match = beats(world.alice, world.charlie, world.arena, now=now)
        world.extras["fresh"] = confirm(match.pk, by=world.charlie, now=now)
    return of(world.extras["fresh"])


def objected_to(world: World) -> Fields:
    """Charlie objected to a fresh result, and Alice answered."""
    if "objected" not in world.extras:
        now = timezone.now()
        match = beats(world.alice, world.charlie, world.arena, now=now)
        confirm(match.pk, by=world.charlie, now=now)
        world.extras["objected"] = object_to(
            match.pk, by=world.charlie, reason="It was a draw.", now=now
        )
        alice: User | None = world.user(Role.REPORTER)
        assert alice
        write(match.pk, by=alice, player=world.alice, text="I won.", now=now)
    return of(world.extras["objected"])


def discussed(world: World) -> Fields:
    """A dispute that was opened just now, by the real clock."""
    Match.objects.filter(pk=world.disputed.pk).update(disputed_at=timezone.now())
    return of(world.disputed)


def an_image(world: World) -> Fields:
    """An image of Alice about a dispute."""
    if "image" not in world.extras:
        user: User | None = world.user(Role.REPORTER)
        assert user
        world.extras["image"] = write(
            world.disputed.pk,
            by=user,
            player=world.alice,
            text="Look.",
            image=upload(),
            description="Final score",
            now=NOW,
        )
    return of(world.disputed) | {"message_id": world.extras["image"].pk}


def a_demo_request(world: World) -> Fields:
    if "demo" not in world.extras:
        assert world.olga.user
        world.extras["demo"] = DemoRequest.objects.create(by=world.olga.user, at=NOW)
    return {}


WEB = [
    Row("home", "GET", OPEN),
    Row("healthz", "GET", OPEN),
    Row("readyz", "GET", OPEN),
    Row("readyz_check", "GET", OPEN, where=lambda world: {"name": "database"}),
    Row("metrics", "GET", OPEN),  # to this machine; see tests/league/operations/test_metrics.py
    Row("favicon", "GET", OPEN),
    Row("robots", "GET", OPEN),
    Row("setup", "GET", CLOSED_SETUP),
    Row("setup", "POST", CLOSED_SETUP),
    Row("setup_demo", "GET", ADMIN_ONLY, where=a_demo_request),
    Row("arenas", "GET", OPEN),
    Row("arena", "GET", OPEN, where=in_arena),
    Row("leaderboard", "GET", OPEN, where=in_arena),
    Row("distribution", "GET", OPEN, where=in_arena),
    Row("inactive", "GET", OPEN, where=in_arena),
    Row("seasons", "GET", OPEN, where=in_arena),
    Row("season", "GET", OPEN, where=an_archive),
    Row("season_export", "GET", OPEN, where=lambda world: an_archive(world) | {"kind": "csv"}),
    Row("points", "GET", OPEN, where=in_ladder),
    Row("season_points", "GET", OPEN, where=an_archive),
    Row("points_export", "GET", OPEN, where=lambda world: an_archive(world) | {"kind": "json"}),
    Row(
        "player_points",
        "GET",
        OPEN,
        where=lambda world: {"pk": world.alice.pk, "season_id": an_archive(world)["pk"]},
    ),
    Row("players", "GET", OPEN),
    Row("player", "GET", OPEN, where=lambda world: {"pk": world.alice.pk}),
    Row("match", "GET", OPEN, where=objected_to),
    Row("report", "GET", LOGGED_IN, where=in_arena),
    Row(
        "report",
        "POST",
        "login refused refused refused refused refused",  # an opponent, but no result
        where=in_arena,
        data=lambda world: {"opponent": "Eve"},
    ),
    Row("report_order", "GET", LOGGED_IN, where=in_melee),
    Row(
        "report_order",
        "POST",
        "login refused refused refused refused refused",  # no opponent
        where=in_melee,
    ),
    Row("opponents", "GET", LOGGED_IN, where=in_arena),
    Row("enter", "GET", DECIDING, where=in_arena),
    Row("enter", "POST", DECIDING, where=in_arena, data=an_entry),
    Row("match_report", "GET", CAPTAINS, where=lambda world: of(world.live)),
    Row("match_report", "POST", CAPTAINS, where=lambda world: of(world.live), data=a_win),
    Row("match_leave", "GET", LOGGED_IN, where=lambda world: of(world.live)),
    Row("match_leave", "POST", CAPTAINS, where=lambda world: of(world.live)),
    Row("match_confirm", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row("match_confirm", "POST", ANSWERING, where=lambda world: of(world.reported)),
    Row("match_dispute", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row(
        "match_dispute",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data=lambda world: {"reason": "It was a draw."},
    ),
    Row("match_change", "GET", REPORTING, where=lambda world: of(world.reported)),
    Row(
        "match_change",
        "POST",
        REPORTING,
        where=lambda world: of(world.reported),
        data=lambda world: {"outcome": "1", "revision": "1"},
    ),
    Row("match_withdraw", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row("match_withdraw", "POST", REPORTING, where=lambda world: of(world.reported)),
    Row("match_counter", "GET", ANSWERING, where=lambda world: of(world.reported)),
    Row(
        "match_counter",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data=lambda world: {"outcome": "1", "revision": "1"},
    ),
    Row("match_counter_answer", "GET", LOGGED_IN, where=countered),
    Row(
        "match_counter_answer",
        "POST",
        REPORTING,
        where=countered,
        data=lambda world: {"answer": "accept"},
    ),
    Row("match_write", "GET", LOGGED_IN, where=discussed),
    Row("match_write", "POST", TALKING, where=discussed, data=lambda world: {"text": "Look."}),
    Row("match_image", "GET", READING, where=an_image),
    Row("match_image_remove", "GET", LOGGED_IN, where=an_image),
    Row(
        "match_image_remove",
        "POST",
        DECIDING,
        where=an_image,
        data=lambda world: {"reason": "It shows an address."},
    ),
    Row("match_decide", "GET", DECIDING, where=countered),
    Row("match_decide", "POST", DECIDING, where=lambda world: of(world.disputed), data=a_verdict),
    Row("match_object", "GET", LOGGED_IN, where=a_fresh_result),
    Row(
        "match_object",
        "POST",
        CAPTAINS,
        where=a_fresh_result,
        data=lambda world: {"reason": "It was a draw."},
    ),
    Row("objection_withdraw", "GET", LOGGED_IN, where=objected_to),
    Row("objection_withdraw", "POST", ANSWERING, where=objected_to),
    Row("objection_reject", "GET", DECIDING, where=objected_to),
    Row(
        "objection_reject",
        "POST",
        DECIDING,
        where=objected_to,
        data=lambda world: {"rejection-reason": "The replay shows it."},
    ),
    Row("match_correct", "GET", DECIDING, where=objected_to),
    Row("match_correct", "POST", DECIDING, where=lambda world: of(world.rated), data=a_voiding),
    Row("match_correction", "GET", DECIDING, where=a_correction),
    Row("division_seen", "GET", "login ok missing missing missing missing", where=eves_promotion),
    Row("division_seen", "POST", "login ok missing missing missing missing", where=eves_promotion),
    Row("player_claim", "GET", LOGGED_IN, where=unowned),
    Row(
        "player_claim",
        "POST",
        "login refused refused refused ok ok",  # three have a history of their own
        where=unowned,
        data=lambda world: {"evidence": "Ask Olga."},
    ),
    Row("claim_withdraw", "GET", LOGGED_IN),
    Row("claim_withdraw", "POST", "login refused refused refused refused refused"),
    Row("waiting", "GET", LOGGED_IN),
    Row("queue", "GET", OPEN, where=in_arena),
    Row("queue_join", "GET", LOGGED_IN, where=in_arena),
    Row(
        "queue_join",
        "POST",
        "login ok refused refused ok ok",  # Alice and Charlie are in a live match
        where=in_arena,
    ),
    Row("queue_leave", "GET", LOGGED_IN, where=in_arena),
    Row("queue_leave", "POST", LOGGED_IN, where=in_arena),
    Row("queue_filter", "GET", LOGGED_IN, where=in_arena),
    Row(
        "queue_filter",
        "POST",
        LOGGED_IN,
        where=in_arena,
        data=lambda world: {"percentiles": "10"},
    ),
    Row("queue_answer", "GET", LOGGED_IN, where=in_ready_check),
    Row(
        "queue_answer",
        "POST",
        "login forbidden forbidden forbidden forbidden forbidden",  # no such invitation
        where=in_ready_check,
    ),
    Row("challenges", "GET", OPEN, where=on_the_ladder),
    Row("challenge_new", "GET", LOGGED_IN, where=on_the_ladder),
    Row(
        "challenge_new",
        "POST",
        "login ok refused ok ok ok",  # Alice is challenged, and nobody can challenge themselves
        where=on_the_ladder,
        data=lambda world: {"player": world.alice.pk},
    ),
    Row("challenge_answer", "GET", LOGGED_IN, where=in_the_challenge),
    Row(
        "challenge_answer",
        "POST",
        ANSWERING,
        where=in_the_challenge,
        data=lambda world: {"answer": "decline"},
    ),
    Row("challenge_start", "GET", LOGGED_IN, where=in_the_agreed_challenge),
    Row(
        "challenge_start",
        "POST",
        "login forbidden refused refused forbidden forbidden",  # both are in a live match
        where=in_the_agreed_challenge,
    ),
    Row("challenge_report", "GET", CAPTAINS, where=in_the_agreed_challenge),
    Row(
        "challenge_report",
        "POST",
        CAPTAINS,
        where=in_the_agreed_challenge,
        data=a_result,
    ),
    Row("rosters", "GET", LOGGED_IN, where=in_teams),
    Row("roster_new", "GET", LOGGED_IN, where=in_teams),
    Row("roster_new", "POST", LOGGED_IN, where=in_teams, data=lambda world: {"name": "The Others"}),
    Row(
        "roster_edit",
        "GET",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
    ),
    Row(
        "roster_edit",
        "POST",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
        data=lambda world: {"name": "Night Owls"},
    ),
    Row("roster_leave", "GET", LOGGED_IN, where=alices_roster),
    Row(
        "roster_leave",
        "POST",
        "login forbidden refused forbidden forbidden forbidden",  # Alice leads it
        where=alices_roster,
    ),
    Row("invitation_answer", "GET", LOGGED_IN, where=eves_invitation),
    Row(
        "invitation_answer",
        "POST",
        "login ok refused refused refused refused",
        where=eves_invitation,
        data=lambda world: {"answer": "accept"},
    ),
    Row("inbox", "GET", LOGGED_IN),
    Row("inbox_read", "GET", LOGGED_IN),
    Row("inbox_read", "POST", LOGGED_IN),
    Row("notice", "GET", "login ok missing missing missing missing", where=eves_notice),
    Row("notice_answer", "GET", HOLDER_ONLY, where=charlies_link),
    Row(
        "notice_answer",
        "POST",
        HOLDER_ONLY,
        where=charlies_link,
        data=lambda world: {"answer": "confirm"},
    ),
    Row("notice_stop", "GET", OPEN, where=eves_mails),
    Row("notice_stop", "POST", OPEN, where=eves_mails),
    Row("mail_settings", "GET", LOGGED_IN),
    Row("mail_settings", "POST", LOGGED_IN, data=lambda world: {"pace": "daily"}),
    Row("settings", "GET", LOGGED_IN),
    Row("dishonor", "GET", LOGGED_IN),
    Row("player_name", "GET", LOGGED_IN),
    Row(
        "player_name",
        "POST",
        "login refused refused refused refused refused",  # each has a player
        data=lambda world: {"name": "Somebody"},
    ),
    Row("player_rename", "GET", LOGGED_IN),
    Row(
        "player_rename",
        "POST",
        LOGGED_IN,
        data=lambda world: {"name": "Wilhelmina"},
    ),
    Row("token_create", "GET", LOGGED_IN),
    Row("token_create", "POST", LOGGED_IN),
    Row("token_revoke", "GET", LOGGED_IN, where=eves_token),
    Row("token_revoke", "POST", "login ok missing missing missing missing", where=eves_token),
]
