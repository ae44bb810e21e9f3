"""The results of the world that the permission tables open, and what is done to them."""

from django.utils import timezone

from league.models import Match, StaffAction, User
from league.services import corrections
from league.services.results.reports.answers import confirm
from league.services.results.reports.changing import change
from league.services.results.reports.countering import counter
from league.services.results.reports.live import Finish
from league.services.results.staff.decisions import decide
from league.services.results.staff.objections import object_to
from league.services.results.staff.threads import write
from tests.support.cast import NOW, beats
from tests.support.correction_steps import correct
from tests.support.permission_objects import Fields
from tests.support.permission_roles import Role, World
from tests.support.pictures import upload
from tests.support.web_steps import result_form


def of(match: Match) -> Fields:
    return {"pk": match.pk}


def a_result(world: World) -> Fields:
    token = "0b8f3f4e-3f2c-4c2e-9f0e-1d2c3b4a5f60"
    played = f"{timezone.now():%Y-%m-%dT%H:%M}"
    return {"outcome": "0", "zone": "UTC", "played_at": played, "client_token": token}


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


def accused(world: World) -> Fields:
    """Alice reported that Charlie quit."""
    if "accused" not in world.extras:
        match = beats(world.alice, world.charlie, world.arena)
        match.participants.filter(player=world.charlie).update(quit=True)
        world.extras["accused"] = match
    return of(world.extras["accused"])


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
