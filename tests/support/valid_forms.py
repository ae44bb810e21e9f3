"""A valid form of pages that need more than a row of the tables of permissions has.

Each function makes what its page needs, with people of its own, and returns the form as a browser
would send it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import (
    ArenaQueue,
    FillIn,
    MapBan,
    MatchMap,
    PenaltyReason,
    Player,
    PlayerClaim,
    Proposal,
    Roster,
    RosterMember,
    User,
)
from league.services.ladder.challenges import accept, challenge
from league.services.people import claims
from league.services.privacy import deleting
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.seasons.ending import freeze
from tests.support.cast import account, arena, beats
from tests.support.logins import log_in
from tests.support.result_steps import user_of
from tests.support.web_steps import result_form

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Arena, Match

PASSWORD = "a quiet harbour in June"


@dataclass(frozen=True)
class Sent:
    """A form, and who sends it from where."""

    user: User | None
    address: str
    fields: dict[str, Any]

    def browser(self) -> Client:
        client = Client(raise_request_exception=False)
        if self.user:
            log_in(client, self.user)
        return client


class Cast:
    """The people of one scenario, whose names nobody else has."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.now = timezone.now()

    def player(self, name: str) -> Player:
        name = f"{name} {self.tag}"
        return Player.objects.filter(name=name).first() or account(name)

    def user(self, name: str) -> User:
        return user_of(self.player(name))

    @property
    def olga(self) -> User:
        user = self.user("Olga")
        user.is_staff = user.is_superuser = True
        user.save()
        return user

    def arena(self, **settings: Any) -> Arena:
        return arena(f"arena-{self.tag.lower()}", **settings)

    def rated(self, place: Arena) -> Match:
        """A match that Alice has won against Bob."""
        alice, bob = self.player("Alice"), self.player("Bob")
        played = beats(alice, bob, place, now=self.now)
        return confirm(played.pk, by=bob, now=self.now)

    def live(self, place: Arena) -> Match:
        sides = [self.player("Alice"), self.player("Bob")]
        return start(place, [StartingSide(one, [one]) for one in sides], now=self.now)


FORMS: dict[str, Callable[[Cast], Sent]] = {}


def form(page: str) -> Callable[[Callable[[Cast], Sent]], Callable[[Cast], Sent]]:
    """Name the page that a form is for."""

    def named(made: Callable[[Cast], Sent]) -> Callable[[Cast], Sent]:
        FORMS[page] = made
        return made

    return named


def at(page: str, *args: Any) -> str:
    return reverse(page, args=args)


def previewed(user: User, address: str, fields: dict[str, Any]) -> Sent:
    """Return the form that applies what a first one has shown."""
    client = Sent(user, address, fields).browser()
    page = client.post(address, fields).content.decode()
    hidden = dict(re.findall(r'name="(digest|horizon)" value="(\w*)"', page))
    assert hidden, page[:3000]
    return Sent(user, address, {**fields, **hidden, "apply": "1"})


# Results


@form("report")
def report(cast: Cast) -> Sent:
    place, bob = cast.arena(), cast.player("Bob")
    return Sent(cast.user("Alice"), at("report", place.slug), result_form(bob.name))


@form("report_order")
def order(cast: Cast) -> Sent:
    place = cast.arena(format="free-for-all", sides_max=5)
    names = "\n".join(cast.player(name).name for name in ("Alice", "Bob", "Charlie"))
    fields = {**result_form(""), "order": names}
    return Sent(cast.user("Alice"), at("report_order", place.slug), fields)


@form("match_figures")
def figures(cast: Cast) -> Sent:
    match = beats(cast.player("Alice"), cast.player("Bob"), cast.arena(figures=["hits"]))
    fields = {f"{cast.player('Alice').pk}-0": "7"}
    return Sent(cast.user("Alice"), at("match_figures", match.pk), fields)


@form("match_conduct")
def conduct(cast: Cast) -> Sent:
    place, alice = cast.arena(), cast.player("Alice")
    PenaltyReason.objects.create(arena=place, name="Insults", stacks=3)
    match = beats(alice, cast.player("Bob"), place)
    fields = {"player": alice.pk, "reason": "Insults", "note": "In chat."}
    return Sent(cast.user("Bob"), at("match_conduct", match.pk), fields)


@form("match_correct")
def correction(cast: Cast) -> Sent:
    match = cast.rated(cast.arena())
    fields = {"verdict": "voided", "reason": "A cheat"}
    return previewed(cast.olga, at("match_correct", match.pk), fields)


@form("match_erratum")
def erratum(cast: Cast) -> Sent:
    match = cast.rated(cast.arena())
    match.season.ends_at = cast.now
    match.season.save()
    assert freeze(match.season.pk, now=cast.now + timedelta(days=30))
    return Sent(cast.olga, at("match_erratum", match.pk), {"reason": "A cheat"})


# People


@form("claim_withdraw")
def claim(cast: Cast) -> Sent:
    unowned = Player.objects.create(name=f"Unowned {cast.tag}")
    claims.claim(cast.user("Alice"), unowned, evidence="It was me.", now=cast.now)
    assert PlayerClaim.objects.filter(player=unowned).exists()
    return Sent(cast.user("Alice"), at("claim_withdraw"), {})


@form("roster_leave")
def roster(cast: Cast) -> Sent:
    place = cast.arena(team_size_max=2)
    owls = Roster.objects.create(arena=place, name="Owls", captain=cast.player("Alice"))
    for name in ("Alice", "Bob"):
        RosterMember.objects.create(roster=owls, player=cast.player(name))
    return Sent(cast.user("Bob"), at("roster_leave", place.slug, owls.pk), {})


def newcomer(cast: Cast, **more: Any) -> User:
    """An account without a player."""
    return User.objects.create_user(f"new-{cast.tag.lower()}", password=PASSWORD, **more)


@form("player_name")
def name(cast: Cast) -> Sent:
    return Sent(newcomer(cast), at("player_name"), {"name": f"Newcomer {cast.tag}"})


@form("account_delete")
def deletion(cast: Cast) -> Sent:
    user = cast.user("Alice")
    user.set_password(PASSWORD)
    user.save()
    return Sent(user, at("account_delete"), {"password": PASSWORD})


@form("account_keep")
def second_thoughts(cast: Cast) -> Sent:
    deleting.ask(cast.user("Alice"), cast.now)
    return Sent(cast.user("Alice"), at("account_keep"), {})


@form("account_delete_mail")
def mailed_deletion(cast: Cast) -> Sent:
    user = cast.user("Alice")
    user.set_unusable_password()
    user.email = f"{user.username}@league.example".replace(" ", "-")
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return Sent(user, at("account_delete_mail"), {"mail": "1"})


# The queue, challenges and live matches


@form("queue_leave")
def leaving(cast: Cast) -> Sent:
    place = cast.arena()
    ArenaQueue.objects.create(arena=place)
    join(place, cast.player("Alice"), [], now=cast.now)
    return Sent(cast.user("Alice"), at("queue_leave", place.slug), {})


@form("queue_answer")
def ready(cast: Cast) -> Sent:
    place = cast.arena()
    ArenaQueue.objects.create(arena=place)
    for one in ("Alice", "Bob"):
        join(place, cast.player(one), [], now=cast.now - timedelta(minutes=5))
    tick(place.pk, now=timezone.now(), seed=1)
    check = Proposal.objects.get(arena=place)
    return Sent(cast.user("Alice"), at("queue_answer", place.slug, check.pk), {"answer": "accept"})


def ladder(cast: Cast, **rules: Any) -> Arena:
    """Alice above Bob."""
    place = cast.arena(rating_system="ladder", season_rules={"challenges": rules})
    cast.rated(place)
    return place


@form("challenge_draw")
def drawing(cast: Cast) -> Sent:
    place = ladder(cast, draws=True)
    return Sent(cast.user("Bob"), at("challenge_draw", place.slug), {})


@form("challenge_start")
def starting_a_challenge(cast: Cast) -> Sent:
    made = challenge(ladder(cast), cast.player("Alice"), by=cast.player("Bob"), now=cast.now)
    accept(made.pk, by=cast.player("Alice"), now=cast.now)
    return Sent(cast.user("Bob"), at("challenge_start", made.pk), {})


@form("match_leave_seat")
def seat(cast: Cast) -> Sent:
    match, eve = cast.live(cast.arena()), cast.player("Eve")
    left = match.participants.get(player=cast.player("Bob"))
    left.quit, left.live, left.seconds = True, False, 60
    left.save()
    FillIn.objects.create(match=match, replaces=left, player=eve, joined_at=cast.now)
    return Sent(cast.user("Eve"), at("match_leave_seat", match.pk), {})


@form("match_map_ban")
def ban_of_a_map(cast: Cast) -> Sent:
    match = cast.live(cast.arena())
    choice = MatchMap.objects.create(
        match=match,
        maps=["Forest", "Temple", "Harbour", "Ruins"],
        seed="0" * 32,
        turn=timedelta(minutes=5),
        first=1,
        began_at=cast.now,
    )
    bob = cast.player("Bob")
    MapBan.objects.create(choice=choice, number=1, map="Ruins", side=1, by=bob, at=cast.now)
    fields = {"map": "Forest", "turn": "2"}
    return Sent(cast.user("Alice"), at("match_map_ban", match.pk), fields)


# Accounts


def with_password(cast: Cast) -> User:
    user = cast.user("Alice")
    user.set_password(PASSWORD)
    user.email = f"alice-{cast.tag.lower()}@league.example"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


NEW_PASSWORD = "another quiet harbour in July"


@form("account_signup")
def sign_up(cast: Cast) -> Sent:
    who = f"signs-{cast.tag.lower()}"
    fields = {
        "username": who,
        "name": who,
        "email": f"{who}@league.example",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    return Sent(None, at("account_signup"), fields)


@form("account_email")
def another_address(cast: Cast) -> Sent:
    fields = {"email": f"other-{cast.tag.lower()}@league.example", "action_add": "1"}
    return Sent(with_password(cast), at("account_email"), fields)


@form("account_change_password")
def other_password(cast: Cast) -> Sent:
    fields = {"oldpassword": PASSWORD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return Sent(with_password(cast), at("account_change_password"), fields)


@form("account_set_password")
def first_password(cast: Cast) -> Sent:
    user = cast.user("Alice")
    user.set_unusable_password()
    user.save()
    fields = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return Sent(user, at("account_set_password"), fields)


@form("account_reset_password")
def lost_password(cast: Cast) -> Sent:
    return Sent(None, at("account_reset_password"), {"email": with_password(cast).email})


@form("account_request_login_code")
def login_code(cast: Cast) -> Sent:
    return Sent(None, at("account_request_login_code"), {"email": with_password(cast).email})


@form("account_confirm_email")
def confirmation(cast: Cast) -> Sent:
    user = with_password(cast)
    new = EmailAddress.objects.create(user=user, email=f"b-{cast.tag.lower()}@league.example")
    return Sent(user, at("account_confirm_email", EmailConfirmationHMAC(new).key), {})


@form("admin:password_change")
def password_of_staff(cast: Cast) -> Sent:
    olga = cast.olga
    olga.set_password(PASSWORD)
    olga.save()
    fields = {
        "old_password": PASSWORD,
        "new_password1": NEW_PASSWORD,
        "new_password2": NEW_PASSWORD,
    }
    return Sent(olga, at("admin:password_change"), fields)
