"""One row at least of every model that the admin shows."""

from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.contrib.auth.models import Group
from django.db.models import Model

from league.models import (
    Amnesty,
    Announcement,
    Appeal,
    ArenaQueue,
    ArenaText,
    BouncingAddress,
    Case,
    CasePlayer,
    Discipline,
    DiscordBoard,
    DishonorAward,
    Email,
    Flag,
    LeagueSettings,
    Maintenance,
    Offence,
    PlayerClaim,
    PlayerReport,
    PointEntry,
    Proposal,
    Roster,
    StaffAction,
    Tick,
    Ticket,
)
from league.services.dishonor.discipline import penalise
from league.services.queue.kept_ticks import deflate
from league.services.queue.snapshots import Snapshot
from tests.support.api_steps import a_token
from tests.support.cast import NOW
from tests.support.permission_matrix_apps import the_app
from tests.support.permission_matrix_competitions import a_draft_of_a_competition, a_fixture
from tests.support.permission_matrix_dates import asked_charlie
from tests.support.permission_matrix_teams import alices_team
from tests.support.permission_objects import challenged_charlie
from tests.support.permission_objects_admin import (
    a_job,
    a_job_of_a_file,
    a_job_of_an_evening,
    a_rerun,
    rerated_by_a_job,
    some_bans,
    voided_by_a_job,
    voided_together,
)
from tests.support.permission_roles import Role, World


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
    a_job(world)
    for made in (
        some_bans,
        a_job_of_a_file,
        a_job_of_an_evening,
        voided_together,
        voided_by_a_job,
        rerated_by_a_job,
        a_rerun,
    ):
        made(world)
    action = StaffAction.objects.create(
        actor=user,
        kind=StaffAction.Kind.AMNESTY,
        reason="So.",
        details={"arena_id": world.arena.pk},
        at=NOW,
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
    about_eve = PlayerReport.objects.create(
        reporter=world.alice,
        reported=world.eve,
        reason=PlayerReport.Reason.OTHER,
        text="So.",
        at=NOW,
        latest_at=NOW,
    )
    case = Case.objects.create(title="So.", opened_at=NOW, opened_by=user)
    CasePlayer.objects.create(case=case, player=world.alice)
    case.reports.add(about_eve)
    Appeal.objects.create(award=DishonorAward.objects.get(), text="So.", at=NOW)
    LeagueSettings.objects.create()
    Maintenance.objects.create()
    ArenaText.objects.create(arena=world.arena, rules="")
    Announcement.objects.create(
        text="Finals.", starts_at=NOW, ends_at=NOW + timedelta(days=1), by=user
    )
    Ticket.objects.create(arena=world.arena, captain=world.eve, queued_at=NOW, place=1)
    Proposal.objects.create(arena=world.arena, proposed_at=NOW, deadline=NOW)
    empty = deflate(Snapshot([]).to_json())
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
    a_draft_of_a_competition(world)
    a_fixture(world)
    alices_team(world)
    a_token(user)
    the_app(world)
    Group.objects.create(name="Referees")
    EmailAddress.objects.create(user=user, email="eve@example.org")
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    app = SocialApp.objects.create(provider="another", name="Another", client_id="id")
    account = SocialAccount.objects.create(user=user, provider="discord", uid="7")
    SocialToken.objects.create(app=app, account=account, token="t")
    DiscordBoard.objects.create(arena=world.arena, channel="1400000000000000001")
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
