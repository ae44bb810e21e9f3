"""Who may open which page of the admin, for the test that walks the tables.

A page of a model follows one rule: it is for staff with a permission for that model. Listed here
are the pages that belong to no model, and those that are closed to superusers as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.auth.models import Group

from league.models import (
    Amnesty,
    Arena,
    ArenaQueue,
    BouncingAddress,
    Discipline,
    DishonorAward,
    Email,
    Flag,
    MergeRequest,
    Offence,
    PlayerClaim,
    PointEntry,
    Proposal,
    Roster,
    StaffAction,
    Tick,
    Ticket,
)
from league.services.dishonor.discipline import penalise
from league.services.people.tokens import make_token
from league.services.queue.kept_ticks import deflated
from league.services.queue.snapshots import Snapshot
from tests.support.cast import NOW
from tests.support.permission_matrix_dates import asked_charlie
from tests.support.permission_objects import challenged_charlie
from tests.support.permission_roles import Role, Row
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from django.db.models import Model

    from tests.support.permission_roles import World

STAFF = "login login login login ok ok"
WITH_PERMISSION = "login login login login missing ok"
NO_SUCH_PAGE = "login login login login missing missing"


def a_merge(world: World) -> dict[str, int]:
    """A merge that Olga requested."""
    if "merge" not in world.extras:
        world.extras["merge"] = MergeRequest.objects.create(
            kept=world.eve, merged=world.charlie, by=user_of(world.olga), at=NOW, reason="One."
        )
    return {"request_id": world.extras["merge"].pk}


ADMIN = [
    Row("admin:index", "GET", STAFF),
    Row("admin:login", "GET", "login forbidden forbidden forbidden ok ok"),
    Row("admin:login", "POST", "login forbidden forbidden forbidden ok ok"),
    Row("admin:logout", "POST", "ok ok ok ok ok ok"),
    Row("admin:password_change", "GET", STAFF),
    Row("admin:password_change", "POST", STAFF),
    Row("admin:password_change_done", "GET", STAFF),
    Row("admin:jsi18n", "GET", STAFF),
    Row("admin:app_list", "GET", WITH_PERMISSION, where=lambda world: {"app_label": "league"}),
    Row(
        "admin:autocomplete",
        "GET",
        "login login login login forbidden ok",
        query=lambda world: {
            "app_label": "league",
            "model_name": "roster",
            "field_name": "captain",
            "term": "A",
        },
    ),
    Row(
        "admin:view_on_site",
        "GET",
        STAFF,
        where=lambda world: {
            "content_type_id": content_type_of_arenas(),
            "object_id": world.arena.pk,
        },
    ),
    Row(
        "admin:league_challenge_call_off",
        "GET",
        "login login login login forbidden ok",
        where=lambda world: {"challenge_id": challenged_charlie(world).pk},
    ),
    Row(
        "admin:league_challenge_call_off",
        "POST",
        "login login login login forbidden ok",
        where=lambda world: {"challenge_id": challenged_charlie(world).pk},
        data=lambda world: {"reason": "A bet."},
    ),
    *(
        Row(
            f"admin:league_player_{page}",
            method,
            "login login login login forbidden ok",
            where=lambda world: {"player_id": world.eve.pk},
            data=lambda world: {"reason": "Insults.", "arena": world.arena.pk},
        )
        for page in ("ban", "lift_ban", "penalise")
        for method in ("GET", "POST")
    ),
    Row("admin:league_player_merge", "GET", "login login login login forbidden ok"),
    Row("admin:league_player_merge", "POST", "login login login login forbidden ok"),
    Row(
        "admin:league_player_merge_request",
        "GET",
        "login login login login forbidden ok",
        where=a_merge,
    ),
    *(
        Row(
            "admin:league_arena_forecasts",
            method,
            "login login login login forbidden ok",
            where=lambda world: {
                "arena_id": world.arena.pk,
                "season_id": world.rated.season_id,
            },
        )
        for method in ("GET", "POST")
    ),
    Row("/admin/nothing/", "GET", NO_SUCH_PAGE),
]

CLOSED = {
    f"admin:{page}"
    for page in (
        # Matches come from reports, ratings and their events from the replay: none is made here.
        "league_match_add",
        "league_match_delete",
        "league_rating_add",
        "league_rating_delete",
        # Ledgers only grow, and by what happens.
        "league_ratingevent_add",
        "league_ratingevent_delete",
        "league_pointentry_add",
        "league_pointentry_delete",
        "league_staffaction_add",
        "league_staffaction_delete",
        "league_dishonoraward_add",
        "league_dishonoraward_delete",
        "league_amnesty_delete",
        "league_challenge_add",
        "league_challenge_delete",
        # Detectors raise flags, and resolved ones stay.
        "league_flag_add",
        "league_flag_delete",
        "league_arrangement_add",
        "league_arrangement_delete",
        # People make claims on the pages of players.
        "league_playerclaim_add",
        "league_playerclaim_delete",
        "league_tick_add",
        "league_tick_delete",
        # Tickets and ready checks are made by players and the matcher.
        "league_ticket_add",
        "league_ticket_delete",
        "league_proposal_add",
        "league_proposal_delete",
        # Mails are written by the site, and addresses marked by their mail servers.
        "league_email_add",
        "league_email_delete",
        "league_bouncingaddress_add",
        # There is one row of rules, which furnish() has made.
        "league_discipline_add",
        "league_discipline_delete",
        "axes_accessattempt_add",
        "axes_accesslog_add",
        "axes_accessfailurelog_add",
    )
}


def content_type_of_arenas() -> int:
    from django.contrib.contenttypes.models import ContentType  # noqa: PLC0415 - needs the database

    return ContentType.objects.get_for_model(Arena).pk


def furnish(world: World) -> None:
    """One row at least of every model that the admin shows."""
    user = world.user(Role.PLAYER)
    assert user is not None
    Roster.objects.create(arena=world.arena, name="Owls", captain=world.alice)
    PlayerClaim.objects.create(
        account=user,
        player=world.alice,
        evidence="So.",
        state=PlayerClaim.State.REFUSED,
        made_at=NOW,
    )
    StaffAction.objects.create(
        actor=user, kind=StaffAction.Kind.UPHELD, match=world.rated, reason="So.", at=NOW
    )
    PointEntry.objects.create(
        season=world.rated.season,
        match=world.rated,
        player=world.alice,
        at=NOW,
        odds=0.5,
        score_ratio=1,
        victory=True,
        deserted=False,
        points=1,
    )
    ArenaQueue.objects.create(arena=world.arena)
    action = StaffAction.objects.create(
        actor=user, kind=StaffAction.Kind.AMNESTY, reason="So.", at=NOW
    )
    penalise([world.eve], Offence.QUEUE_DODGE, world.arena, now=NOW)
    Amnesty.objects.create(award=DishonorAward.objects.get(), action=action)
    Discipline.objects.create()
    Flag.objects.create(
        kind=Flag.Kind.DODGING,
        season=world.rated.season,
        player=world.eve,
        evidence={"dodges": 9, "offered": 10},
        raised_at=NOW,
    )
    Ticket.objects.create(arena=world.arena, captain=world.eve, queued_at=NOW, place=1)
    Proposal.objects.create(arena=world.arena, proposed_at=NOW, deadline=NOW)
    empty = deflated(Snapshot([]).to_json())
    rules = ArenaQueue(arena=world.arena).matching().model_dump(mode="json")
    Tick.objects.create(
        arena=world.arena,
        at=NOW,
        seed=1,
        matcher="new",
        rules=rules,
        queue=empty,
        tickets=0,
        matches=0,
        proposed=0,
        seconds=0,
    )
    Email.objects.create(
        recipient="eve@example.org",
        sender="a@example.org",
        subject="x",
        created_at=NOW,
        next_attempt_at=NOW,
    )
    BouncingAddress.objects.create(address="gone@example.org", since=NOW, error="550")
    challenged_charlie(world)
    asked_charlie(world)
    make_token(user)
    Group.objects.create(name="Referees")
    EmailAddress.objects.create(user=user, email="eve@example.org")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    app = SocialApp.objects.create(provider="another", name="Another", client_id="id")
    account = SocialAccount.objects.create(user=user, provider="discord", uid="7")
    SocialToken.objects.create(app=app, account=account, token="t")
    where = {"username": "eve", "ip_address": "127.0.0.1", "path_info": "/accounts/login/"}
    AccessAttempt.objects.create(**where, failures_since_start=1)
    AccessLog.objects.create(**where)
    AccessFailureLog.objects.create(**where)
    world.arena.save()  # its history has a row


def row_of(app_label: str, model_name: str) -> Model:
    model = apps.get_model(app_label, model_name)
    found: Any = model._default_manager.first()
    assert found, f"furnish() makes no {model_name}"
    row: Model = found
    return row
