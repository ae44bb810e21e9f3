"""The objects of the world that the tables of the admin's pages open."""

from collections.abc import Callable

from league.models import (
    Arena,
    FileImport,
    Job,
    MergeRequest,
    StaffAction,
    Webhook,
    WebhookDelivery,
    WebhookEvent,
)
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.corrections import voiding_all
from league.services.jobs import jobs
from league.services.moderation import bulk
from league.services.results.reports.answers import confirm
from league.services.transfer.evenings import evening_undoing
from league.services.transfer.files import file_imports
from tests.support import other_rules_steps
from tests.support.cast import NOW, account, beats
from tests.support.permission_roles import World
from tests.support.result_steps import user_of


def a_merge(world: World) -> dict[str, int]:
    """A merge that Olga requested."""
    if "merge" not in world.extras:
        world.extras["merge"] = MergeRequest.objects.create(
            kept=world.eve, merged=world.charlie, by=user_of(world.olga), at=NOW, reason="One."
        )
    return {"request_id": world.extras["merge"].pk}


def a_job(world: World) -> dict[str, int]:
    """A job that Olga started."""
    if "job" not in world.extras:
        world.extras["job"] = jobs.ask("none", "A job", by=user_of(world.olga), now=NOW)
    return {"object_id": world.extras["job"].pk}


def a_webhook(world: World) -> dict[str, int]:
    """A webhook of the arena that Olga made."""
    if "webhook" not in world.extras:
        world.extras["webhook"] = Webhook.objects.create(
            arena=world.arena,
            name="Bot",
            address="https://receiver.example/",
            events=["result.confirmed"],
            made_by=user_of(world.olga),
            made_at=NOW,
        )
    return {"webhook_id": world.extras["webhook"].pk}


def a_delivery(world: World) -> dict[str, int]:
    """An event that this webhook got."""
    if "delivery" not in world.extras:
        world.extras["delivery"] = WebhookDelivery.objects.create(
            webhook_id=a_webhook(world)["webhook_id"],
            event=WebhookEvent.objects.create(type="webhook.test", at=NOW),
            state=WebhookDelivery.State.DELIVERED,
            created_at=NOW,
            closed_at=NOW,
        )
    return {"delivery_id": world.extras["delivery"].pk}


def a_trial(world: World) -> dict[str, int]:
    """A trial of other rules that Olga started and a worker has done."""
    if "trial" not in world.extras:
        trial, _job = other_rules_steps.a_trial(world.rated.season, user_of(world.olga))
        world.extras["trial"] = trial
    return {"object_id": world.extras["trial"].pk}


def some_bans(world: World) -> dict[str, int]:
    """A job of Olga's that banned nobody."""
    if "bans" not in world.extras:
        world.extras["bans"] = Job.objects.create(
            kind=bulk.JOB,
            title="Bans",
            by=user_of(world.olga),
            at=NOW,
            state=Job.State.DONE,
            result={"done": 0, "problems": []},
        )
    return {"job_id": world.extras["bans"].pk}


def a_file(world: World) -> FileImport:
    """A file that Olga uploaded."""
    if "file" not in world.extras:
        world.extras["file"] = file_imports.upload(
            world.arena,
            FileImport.What.PLAYERS,
            name="players.csv",
            content=b"Owls\nAlice\n",
            season=None,
            by=user_of(world.olga),
            now=NOW,
        )
    file: FileImport = world.extras["file"]
    return file


def a_job_of_a_file(world: World) -> dict[str, int]:
    """The job that checks a file."""
    if "file_check" not in world.extras:
        by = user_of(world.olga)
        world.extras["file_check"] = file_imports.ask_check(a_file(world), by=by, now=NOW)
    return {"job_id": world.extras["file_check"].pk}


def an_evening(world: World) -> dict[str, int]:
    """An evening that Olga entered."""
    if "evening" not in world.extras:
        world.extras["evening"] = StaffAction.objects.create(
            actor=user_of(world.olga),
            kind=StaffAction.Kind.EVENING,
            reason="Club evening",
            details={"arena": "", "arena_id": world.arena.pk, "matches": []},
            at=NOW,
        )
    return {"arena_id": world.arena.pk, "action_id": world.extras["evening"].pk}


def a_job_of_an_evening(world: World) -> dict[str, int]:
    """The job that undoes an evening."""
    if "evening_undo" not in world.extras:
        world.extras["evening_undo"] = jobs.ask(
            evening_undoing.UNDO,
            "Owls",
            by=user_of(world.olga),
            now=NOW,
            arena=world.arena,
            action=an_evening(world)["action_id"],
        )
    return {"job_id": world.extras["evening_undo"].pk}


def a_draft(world: World) -> dict[str, int]:
    """A draft that Olga began."""
    if "draft" not in world.extras:
        world.extras["draft"] = from_preset(
            PRESETS["ladder"],
            name="Unpublished",
            slug="unpublished",
            by=user_of(world.olga),
            now=NOW,
        )
    return {"arena_id": world.extras["draft"].pk}


def previewing(kind: str) -> Callable[[World], dict[str, str]]:
    return lambda _world: {"kind": kind}


def voided_together(world: World) -> dict[str, int]:
    """The correction by which Olga voided all matches of a player."""
    if "voided together" not in world.extras:
        player = account("Mallory")
        won = confirm(beats(player, world.alice, world.arena).pk, by=world.alice, now=NOW)
        by = user_of(world.olga)
        seen = voiding_all.preview(player, won.season, by=by)
        world.extras["voided together"] = voiding_all.void_all(
            player,
            won.season,
            by=by,
            reason="A cheat.",
            digest=seen.digest,
            horizon=seen.horizon,
            now=NOW,
        )
    return {"correction_id": world.extras["voided together"].pk}


def done_by_a_job(world: World, kind: str, result: dict[str, object]) -> dict[str, int]:
    """A finished job of Olga's."""
    if kind not in world.extras:
        job = jobs.ask(kind, kind, by=user_of(world.olga), now=NOW, season=world.rated.season)
        job.state, job.result, job.finished_at = Job.State.DONE, result, NOW
        job.save()
        world.extras[kind] = job
    return {"job_id": world.extras[kind].pk}


def voided_by_a_job(world: World) -> dict[str, int]:
    return done_by_a_job(world, "void_all", {"matches": 1, "players": 2, "player": world.eve.pk})


def rerated_by_a_job(world: World) -> dict[str, int]:
    return done_by_a_job(world, "rerate", {"matches": 1, "players": 0, "largest_change": 0.0})


def a_rerun(world: World) -> dict[str, int]:
    """A re-run of a queue that Olga asked for and a worker has done."""
    if "rerun" not in world.extras:
        none = dict.fromkeys(("matches", "median", "p95", "longest", "waiting", "gap"), 0)
        by = user_of(world.olga)
        made = jobs.ask("queue-trial", "A re-run", by=by, now=NOW, arena=world.arena)
        made.state = Job.State.DONE
        made.result = {
            "ticks": 1,
            "left_out": 0,
            "since": NOW.isoformat(),
            "until": NOW.isoformat(),
            "old": none,
            "new": none,
            "differences": [],
        }
        made.save()
        world.extras["rerun"] = made
    return {"job_id": world.extras["rerun"].pk}


def content_type_of_arenas() -> int:
    from django.contrib.contenttypes.models import ContentType  # noqa: PLC0415 - needs the database

    return ContentType.objects.get_for_model(Arena).pk
