"""Preparations and acts of scenarios, with facts that fit into JSON."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from allauth.account.models import EmailAddress

from league.models import (
    Arena,
    Competition,
    CorrectionRequest,
    Email,
    Entrant,
    Fixture,
    Job,
    Match,
    MatchMap,
    Player,
    Proposal,
    Season,
    StaffAction,
    Status,
)
from league.services import corrections
from league.services.competitions import progress
from league.services.competitions.running import starting
from league.services.core.clock import database_now
from league.services.home import weekly
from league.services.jobs import jobs
from league.services.ladder import challenges
from league.services.maps import vetoes
from league.services.merging import requests as merges
from league.services.queue import queueing, ready_checks
from league.services.results.playing import servers
from league.services.results.reports import countering, live, reporting
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.staff import decisions, entering
from league.services.transfer.evenings import evenings, fixture_results
from league.services.transfer.evenings.evening_rows import EveningRow
from tests.chaos.arenas import duel, found_match, new_arena, new_queue, person, rated, reported
from tests.support.cast import side
from tests.support.result_steps import user_of

Facts = dict[str, Any]
"""Ids that an act needs, as JSON."""


def player(facts: Facts, name: str) -> Player:
    return Player.objects.get(pk=facts[name])


def user(facts: Facts, name: str) -> Any:
    return user_of(player(facts, name))


def two(**more: Any) -> Facts:
    """Return two new players, a member of staff and other facts."""
    people = {"one": person(), "other": person(), "staff": person("Organiser", superuser=True)}
    return {name: one.pk for name, one in people.items()} | more


def in_a(arena: Arena) -> Facts:
    return two(arena=arena.pk, token=str(uuid4()), at=database_now().isoformat())


def with_report(arena: Arena | None = None, *, is_rated: bool = False) -> Facts:
    facts = in_a(arena or duel())
    make = rated if is_rated else reported
    made = make(Arena.objects.get(pk=facts["arena"]), player(facts, "one"), player(facts, "other"))
    return facts | {"match": made.pk}


def times_rated(facts: Facts) -> int:
    """Count the events of a duel for each of its two players."""
    events = Match.objects.get(pk=facts["match"]).events.filter(superseded_by=None)
    return (events.count() + 1) // 2


def now() -> datetime:
    return database_now()


def with_a_week() -> Facts:
    """A player with a confirmed address who has played."""
    facts = with_report(is_rated=True)
    one = player(facts, "one")
    address = f"week-{one.pk}@league.example"
    EmailAddress.objects.create(user=user_of(one), email=address, verified=True, primary=True)
    return facts | {"address": address}


def mail_week(facts: Facts) -> bool:
    tomorrow = now() + timedelta(days=1)
    return weekly.mail(player(facts, "one"), tomorrow, tomorrow)


def weeks_mailed(facts: Facts) -> int:
    return Email.objects.filter(recipient=facts["address"]).count()


def result(facts: Facts) -> list[Any]:
    return [side(player(facts, "one"), place=0), side(player(facts, "other"), place=1)]


def report_by(facts: Facts, reporter: str) -> Match:
    return reporting.report(
        Arena.objects.get(pk=facts["arena"]),
        result(facts),
        reporter=player(facts, reporter),
        played_at=datetime.fromisoformat(facts["at"]) - timedelta(minutes=1),
        now=now(),
        client_token=UUID(facts["token"]),
    )


def enter(facts: Facts) -> Match:
    return entering.enter(
        Arena.objects.get(pk=facts["arena"]),
        result(facts),
        by=user(facts, "staff"),
        reason="The captains agree.",
        played_at=datetime.fromisoformat(facts["at"]),
        now=now(),
        client_token=UUID(facts["token"]),
    )


def of_token(facts: Facts) -> int:
    return Match.objects.filter(client_token=facts["token"]).count()


def has_status(status: Status) -> Callable[[Facts], int]:
    return lambda facts: Match.objects.filter(pk=facts["match"], status=status).count()


def started(**of_server: Any) -> Facts:
    facts = in_a(duel())
    sides = [StartingSide(player(facts, name), [player(facts, name)]) for name in ("one", "other")]
    by = user(facts, "staff") if of_server else None
    arena = Arena.objects.get(pk=facts["arena"])
    if by:
        return facts | {"match": servers.start(arena, sides, by=by, now=now()).pk}
    return facts | {"match": live.start(arena, sides, now=now()).pk}


def in_a_veto() -> Facts:
    """A match that has begun, whose captains ban maps in turn."""
    facts = in_a(new_arena("maps", maps=["Forest", "Harbour", "Temple"], map_choice="veto"))
    sides = [StartingSide(player(facts, name), [player(facts, name)]) for name in ("one", "other")]
    made = live.start(Arena.objects.get(pk=facts["arena"]), sides, now=now())
    MatchMap.objects.filter(match=made).update(turn=timedelta(minutes=10), first=0)
    return facts | {"match": made.pk}


def ban_a_map(facts: Facts) -> object:
    return vetoes.ban(facts["match"], "Forest", by=player(facts, "one"), number=1, now=now())


def unanswered() -> Facts:
    """A report about an agreed match, which its other side has left unanswered."""
    facts = in_a(new_queue("silent"))
    proposal = accepted(facts, "one", "other")
    match = proposal.match_id or 0
    live.finish(match, [Finish(0), Finish(1)], reporter=player(facts, "one"), now=now())
    Match.objects.filter(pk=match).update(confirm_deadline=now())
    return facts | {"match": match}


def asked(arena: Arena | None = None) -> Facts:
    facts = in_a(arena or new_queue("asked"))
    arena = Arena.objects.get(pk=facts["arena"])
    return facts | {"proposal": found_match(arena, player(facts, "one"), player(facts, "other")).pk}


def accepted(facts: Facts, *names: str) -> Proposal:
    arena = Arena.objects.get(pk=facts["arena"])
    proposal = found_match(arena, player(facts, "one"), player(facts, "other"))
    for name in names:
        proposal = ready_checks.accept(proposal.pk, by=player(facts, name), now=now())
    return proposal


def half_accepted() -> Facts:
    facts = in_a(new_queue("half"))
    return facts | {"proposal": accepted(facts, "one").pk}


def ignored_check() -> Facts:
    facts = asked()
    late = now() - timedelta(seconds=1)
    Proposal.objects.filter(pk=facts["proposal"]).update(deadline=late)
    return facts


def queued() -> Facts:
    facts = in_a(new_queue("waiting"))
    arena = Arena.objects.get(pk=facts["arena"])
    return facts | {"ticket": queueing.join(arena, player(facts, "one"), [], now=now()).pk}


def two_queued() -> Facts:
    facts = queued()
    arena = Arena.objects.get(pk=facts["arena"])
    queueing.join(arena, player(facts, "other"), [], now=now())
    return facts


def countered() -> Facts:
    facts = with_report()
    counter(facts)
    return facts


def counter(facts: Facts) -> Match:
    return countering.counter(
        facts["match"], [(1, None), (0, None)], by=player(facts, "other"), now=now()
    )


def decide(facts: Facts) -> Match:
    return decisions.decide(
        facts["match"],
        verdict=StaffAction.Kind.UPHELD,
        by=user(facts, "staff"),
        reason="Seen.",
        now=now(),
    )


def voided() -> Facts:
    """A report that staff made void."""
    facts = with_report()
    decisions.decide(
        facts["match"],
        verdict=StaffAction.Kind.VOIDED,
        by=user(facts, "staff"),
        reason="Not played.",
        now=now(),
    )
    return facts


def save_evening(facts: Facts) -> StaffAction:
    """Save an evening with a win of the first player."""
    names = [player(facts, name).name for name in ("one", "other")]
    return evenings.save(
        Arena.objects.get(pk=facts["arena"]),
        [EveningRow(names[0], names[1], "1")],
        by=user(facts, "staff"),
        reason="Club evening",
        played_at=datetime.fromisoformat(facts["at"]),
        token=UUID(facts["token"]),
        now=now(),
    )


def previewed() -> Facts:
    """A rated match with a later one, and the preview of voiding it."""
    facts = with_report(is_rated=True)
    rated(Arena.objects.get(pk=facts["arena"]), player(facts, "one"), player(facts, "other"))
    match = Match.objects.get(pk=facts["match"])
    preview = corrections.preview(match, by=user(facts, "staff"))
    return facts | {"digest": preview.digest, "horizon": preview.horizon}


def ask(facts: Facts) -> CorrectionRequest:
    return corrections.ask(
        Match.objects.get(pk=facts["match"]),
        by=user(facts, "staff"),
        reason="A mistake.",
        digest=facts["digest"],
        horizon=facts["horizon"],
        now=now(),
    )


def correction_asked() -> Facts:
    facts = previewed()
    return facts | {"request": ask(facts).pk}


def merge_asked() -> Facts:
    """A merge of somebody who has played two others."""
    facts = with_report(is_rated=True)
    third = person()
    rated(Arena.objects.get(pk=facts["arena"]), player(facts, "other"), third)
    request = merges.ask(
        third,
        player(facts, "one"),
        account=None,
        by=user(facts, "staff"),
        reason="One person.",
        now=now(),
    )
    return facts | {"request": request.pk}


def job_asked() -> Facts:
    facts = two()
    job = jobs.ask("noting", "A job", by=user(facts, "staff"), now=now())
    return facts | {"job": job.pk}


def note(job: Job, _progress: jobs.Progress, at: datetime) -> str:
    """The work of a job that leaves one row behind."""
    StaffAction.objects.create(
        kind=StaffAction.Kind.ANNOUNCED, actor=job.by, reason=f"Job {job.pk}.", at=at
    )
    return "noted"


def challenged() -> Facts:
    """A challenge on a ladder that its player has ignored."""
    arena = new_arena("ladder", rating_system="ladder")
    facts = with_report(arena, is_rated=True)
    rated(arena, person(), person())
    long_ago = now() - timedelta(days=10)
    made = challenges.challenge(
        arena, player(facts, "one"), by=player(facts, "other"), now=long_ago
    )
    return facts | {"challenge": made.pk}


def entered() -> Facts:
    """A competition of two that is due."""
    facts = in_a(duel())
    season = Season.objects.get(arena=facts["arena"])
    one = Competition.objects.create(
        season=season,
        name=str(uuid4()),
        state=Competition.State.REGISTRATION,
        starts_at=now(),
    )
    for name in ("one", "other"):
        Entrant.objects.create(
            competition=one, player=player(facts, name), name=name, entered_at=now()
        )
    return facts | {"competition": one.pk}


def drawn() -> Facts:
    """The same, drawn, before its first round opens."""
    facts = entered()
    starting.start(facts["competition"], now=now())
    return facts


def dated() -> Facts:
    """The same, with its first round open and a date for its fixture."""
    facts = drawn()
    progress.process(facts["competition"], now())
    return facts | {"fixture": Fixture.objects.get(competition=facts["competition"]).pk}


def enter_round(facts: Facts) -> object:
    """Enter the result of the round as the organiser."""
    typed = [fixture_results.Typed(facts["fixture"], "1-0", 0)]
    by = user(facts, "staff")
    return fixture_results.enter(facts["competition"], typed, by=by, now=now())
