"""The objects of the world that the permission tables open."""

from datetime import timedelta
from typing import Any

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
    PushDevice,
    Roster,
    RosterInvitation,
    RosterMember,
    TicketMember,
    User,
)
from league.services.ladder.challenges import accept as take_up
from league.services.ladder.challenges import challenge
from league.services.notices.links import answer_token, stop_token
from league.services.people.invitation_checks import Wanted
from league.services.people.invitation_mails import token_of
from league.services.people.inviting import invite
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, finish
from tests.support.api_steps import a_token
from tests.support.cast import NOW, RANKED_AT_ONCE, account, arena, beats
from tests.support.permission_roles import Role, World

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


def unowned(world: World) -> Fields:
    """A player without an account."""
    if "unowned" not in world.extras:
        world.extras["unowned"] = Player.objects.create(name="Unowned")
    return {"pk": world.extras["unowned"].pk}


def an_invitation(world: World) -> Fields:
    """Olga's invitation of that player."""
    if "player invitation" not in world.extras:
        user, now = world.user(Role.ADMIN), timezone.now()
        assert user
        wanted = [Wanted(1, unowned(world)["pk"], "unowned@club.example")]
        [world.extras["player invitation"]] = invite(wanted, competition=None, by=user, now=now)
    return {"token": token_of(world.extras["player invitation"])}


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


A_DEVICE = {
    "endpoint": "https://push.example.org/device",
    "key": (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    ),
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}
"""A browser that gets push messages, with the keys of the example in RFC 8291."""


def eves_device(world: World) -> Fields:
    if "device" not in world.extras:
        world.extras["device"] = PushDevice.objects.create(
            player=world.eve, name="Eve's phone", created_at=NOW, **A_DEVICE
        )
    return {"pk": world.extras["device"].pk}
