"""The objects of the world that the permission tables open."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from league.models import (
    ArenaQueue,
    Challenge,
    DemoRequest,
    DishonorAward,
    DivisionChange,
    Format,
    LeagueLogo,
    Match,
    Notice,
    NoticeKind,
    Offence,
    Player,
    Proposal,
    Roster,
    RosterInvitation,
    RosterMember,
    StaffAction,
    TicketMember,
)
from league.services import corrections
from league.services.ladder.challenges import accept as take_up
from league.services.ladder.challenges import challenge
from league.services.notices.links import answer_token, stop_token
from league.services.queue.pairing import tick
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.results.reports.answers import confirm
from league.services.results.reports.changing import change
from league.services.results.reports.countering import counter
from league.services.results.reports.live import Finish, finish
from league.services.results.staff.decisions import decide
from league.services.results.staff.objections import object_to
from league.services.results.staff.threads import write
from tests.support.api_steps import a_token
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena, beats
from tests.support.correction_steps import correct
from tests.support.permission_roles import Role
from tests.support.pictures import upload
from tests.support.web_steps import result_form

if TYPE_CHECKING:
    from league.models import User
    from tests.support.permission_roles import World

Fields = dict[str, Any]


def in_arena(world: World) -> Fields:
    return {"slug": world.arena.slug}


def in_regions(world: World) -> Fields:
    """An arena with a queue and a region to choose."""
    if "regional" not in world.extras:
        world.extras["regional"] = arena("regional", regions=["Europe"])
        ArenaQueue.objects.create(arena=world.extras["regional"])
    return {"slug": world.extras["regional"].slug}


def in_full_arena(world: World) -> Fields:
    """An arena that uses every rule there is."""
    if "full" not in world.extras:
        rules = {
            "start": {"placement": "linear-scale"},
            "decay": {"points": 700},
            "points": {"counts": True},
            "calendar": {"length": "30d", "follows": True},
        }
        made = arena("full", modes=["Conquest"], regions=["Europe"], season_rules=rules)
        ArenaQueue.objects.create(arena=made)
        world.extras["full"] = made
    return {"slug": "full"}


def in_ready_check(world: World) -> Fields:
    if "check" not in world.extras:
        world.extras["check"] = Proposal.objects.create(
            arena=world.arena, proposed_at=NOW, deadline=NOW
        )
    return in_arena(world) | {"pk": world.extras["check"].pk}


def in_eves_found_match(world: World) -> Fields:
    """A match that the queue found for Eve, with its tick."""
    if "found" not in world.extras:
        made = arena("found")
        ArenaQueue.objects.create(arena=made)
        for player in (world.eve, account("Una")):
            join(made, player, [], now=NOW - timedelta(minutes=6))
        tick(made.pk, now=NOW, seed=1)
        proposal = Proposal.objects.get(arena=made)
        for member in TicketMember.objects.filter(ticket__proposal=proposal):
            accept(proposal.pk, by=member.player, now=NOW)
        played = Match.objects.get(proposal=proposal)
        finish(played.pk, [Finish(0), Finish(1)], reporter=world.eve, now=NOW)
        world.extras["found"] = played
    return {"pk": world.extras["found"].pk}


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
        world.extras["token"], _text = a_token(user)
    return {"pk": world.extras["token"].pk}


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


def eves_discord(world: World) -> Fields:
    """Direct messages that Eve wants, whose account is linked with Discord."""
    SocialAccount.objects.get_or_create(
        user=world.user(Role.PLAYER), provider="discord", uid="1200000000000000000"
    )
    return {"is_on": "on", "kinds": ["found"]}


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


def a_voided_match(world: World) -> Fields:
    """A match that Olga voided, and the correction that did it."""
    if "voided" not in world.extras:
        olga: User | None = world.user(Role.ADMIN)
        assert olga
        mistake = confirm(
            beats(world.alice, world.charlie, world.arena).pk, by=world.charlie, now=NOW
        )
        world.extras["voided"] = correct(mistake, olga).correction
    made = world.extras["voided"]
    return of(made.match) | {"correction_id": made.pk}


def a_void_report(world: World) -> Fields:
    """A report that Olga voided before it was rated."""
    if "void report" not in world.extras:
        olga: User | None = world.user(Role.ADMIN)
        assert olga
        reported = beats(world.alice, world.charlie, world.arena)
        kind = StaffAction.Kind.VOIDED
        decide(reported.pk, verdict=kind, by=olga, reason="Not played.", now=NOW)
        world.extras["void report"] = reported
    return of(world.extras["void report"])


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


def eves_penalty(world: World) -> Fields:
    """A penalty for a ready check that Eve missed an hour ago. Her timeout is over."""
    if "penalty" not in world.extras:
        world.extras["penalty"] = DishonorAward.objects.create(
            player=world.eve,
            arena=world.arena,
            at=timezone.now() - timedelta(hours=1),
            offence=Offence.QUEUE_DODGE,
            stacks=0,  # she may go on playing
        )
    return {"pk": world.extras["penalty"].pk}


def a_logo(world: World) -> Fields:
    """The logo of the league."""
    logo, _new = LeagueLogo.objects.get_or_create(
        digest="a1", defaults={"webp": b"", "width": 1, "height": 1}
    )
    return {"digest": logo.digest}
