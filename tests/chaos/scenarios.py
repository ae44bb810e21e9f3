"""What is under way when a process is killed, at each kill point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from league.models import (
    Arena,
    Challenge,
    Correction,
    CorrectionRequest,
    CounterReport,
    DishonorAward,
    FinalStanding,
    Match,
    MergeRequest,
    Participant,
    Player,
    PointTally,
    Proposal,
    ReportChange,
    Season,
    StaffAction,
    Standing,
    Status,
    Ticket,
    TicketMember,
)
from league.services import corrections
from league.services.core.clock import database_now
from league.services.decay import steps
from league.services.ladder import challenges, deadlines
from league.services.merging import requests as merges
from league.services.points import awarding
from league.services.queue import pairing, queueing, ready_checks
from league.services.results import (
    answers,
    changing,
    countering,
    decisions,
    entering,
    live,
    reporting,
    servers,
)
from league.services.results.live import Finish, StartingSide
from league.services.seasons import ending, opening, planning
from league.services.standings import updating
from tests.chaos.arenas import duel, found_match, new_arena, new_queue, person, rated, reported
from tests.support.cast import RANKED_AT_ONCE, side
from tests.support.result_steps import user_of

Facts = dict[str, Any]
"""Ids that an act needs, as JSON."""


@dataclass(frozen=True)
class Scenario:
    """An act that takes effect at a commit."""

    arrange: Callable[[], Facts]
    """Prepare the act, on the connection of the caller."""
    act: Callable[[Facts], object]
    """What a process is killed at. Repeating it changes nothing, or is refused."""
    effects: Callable[[Facts], int]
    """Count how often the act has taken effect."""


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


def season_over(**calendar: Any) -> Facts:
    """A season that is over, with a rated match and a report that nobody has answered."""
    rules = {**RANKED_AT_ONCE, "calendar": {"archive_after": 0, **calendar}}
    facts = with_report(new_arena("cup", season_rules=rules), is_rated=True)
    arena = Arena.objects.get(pk=facts["arena"])
    updating.update_pending(now())
    late = reported(arena, player(facts, "one"), player(facts, "other"))
    season = Season.objects.get(arena=arena)
    ending.end(season.pk, now=now())
    return facts | {"season": season.pk, "match": late.pk}


def archived() -> Facts:
    facts = season_over(late="refuse")
    ending.freeze(facts["season"], now=now())
    return facts


def final_standings(facts: Facts) -> int:
    """Count the archives: each lists both players."""
    return (FinalStanding.objects.filter(season=facts["season"]).count() + 1) // 2


def season_planned() -> Facts:
    arena = new_arena("planned", opens=False)
    season = planning.plan_season(arena, starts_at=now() + timedelta(hours=1))
    Season.objects.filter(pk=season.pk).update(starts_at=now() - timedelta(minutes=1))
    return {"season": season.pk}


def with_points() -> Facts:
    rules = {**RANKED_AT_ONCE, "points": {"counts": True}}
    facts = with_report(new_arena("points", season_rules=rules), is_rated=True)
    arena = Arena.objects.get(pk=facts["arena"])
    for _more in range(3):
        rated(arena, player(facts, "one"), player(facts, "other"))
    return facts | {"season": Season.objects.get(arena=arena).pk}


def is_compact(facts: Facts) -> int:
    points = list(
        PointTally.objects.filter(season_id=facts["season"]).values_list("points", flat=True)
    )
    return int(len(points) == len(set(points)))


def decaying() -> Facts:
    """A season in which nobody has played since its last period of decay ended."""
    parameters = {"max_gain": 8.0, "decay": 0.2, "decay_period": "10d"}
    arena = new_arena("fermi", opens=False, rating_system="fermi", rating_parameters=parameters)
    season = opening.open_season(arena, starts_at=now() - timedelta(days=21))
    facts = in_a(arena)
    long_ago = now() - timedelta(days=20)
    rated(arena, player(facts, "one"), player(facts, "other"), long_ago)
    third, fourth = person(), person()
    rated(arena, third, fourth, now() - timedelta(days=9))
    return facts | {"season": season.pk}


def decay_steps(facts: Facts) -> int:
    return Season.objects.get(pk=facts["season"]).matches.unplayed().count()


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


def not_in_standings() -> Facts:
    """A rated match that the standings lack, as nothing else."""
    updating.update_pending(now())
    return with_report(is_rated=True)


def placed(facts: Facts) -> int:
    return Standing.objects.filter(player_id=facts["one"]).count()


SCENARIOS: dict[str, Scenario] = {
    "report": Scenario(lambda: in_a(duel()), lambda f: report_by(f, "one"), of_token),
    "paired report": Scenario(with_report, lambda f: report_by(f, "other"), times_rated),
    "confirmation": Scenario(
        with_report,
        lambda f: answers.confirm(f["match"], by=player(f, "other"), now=now()),
        times_rated,
    ),
    "dispute": Scenario(
        with_report,
        lambda f: answers.dispute(f["match"], by=player(f, "other"), reason="No.", now=now()),
        has_status(Status.DISPUTED),
    ),
    "expired report": Scenario(
        unanswered, lambda f: answers.settle_expired(f["match"], now()), times_rated
    ),
    "counter-report": Scenario(
        with_report, counter, lambda f: CounterReport.objects.filter(match=f["match"]).count()
    ),
    "accepted counter-report": Scenario(
        countered,
        lambda f: countering.accept(f["match"], by=player(f, "one"), now=now()),
        times_rated,
    ),
    "withdrawal": Scenario(
        with_report,
        lambda f: changing.withdraw(f["match"], by=player(f, "one"), now=now()),
        has_status(Status.VOID),
    ),
    "changed report": Scenario(
        with_report,
        lambda f: changing.change(
            f["match"], [Finish(1), Finish(0)], by=player(f, "one"), now=now()
        ),
        lambda f: ReportChange.objects.filter(match=f["match"]).count(),
    ),
    "decision": Scenario(
        with_report, decide, lambda f: StaffAction.objects.filter(match=f["match"]).count()
    ),
    "entered result": Scenario(lambda: in_a(duel()), enter, of_token),
    "finished match": Scenario(
        started,
        lambda f: live.finish(
            f["match"], [Finish(0), Finish(1)], reporter=player(f, "one"), now=now()
        ),
        has_status(Status.REPORTED),
    ),
    "result of a game server": Scenario(
        lambda: started(server=True),
        lambda f: servers.finish(
            f["match"], [Finish(0), Finish(1)], by=user(f, "staff"), now=now()
        ),
        times_rated,
    ),
    "join": Scenario(
        lambda: in_a(new_queue("joined")),
        lambda f: queueing.join(Arena.objects.get(pk=f["arena"]), player(f, "one"), [], now=now()),
        lambda f: TicketMember.objects.filter(player=f["one"], open=True).count(),
    ),
    "leave": Scenario(
        queued,
        lambda f: queueing.leave(f["ticket"], by=player(f, "one"), now=now()),
        lambda f: Ticket.objects.filter(pk=f["ticket"], state=Ticket.State.LEFT).count(),
    ),
    "tick": Scenario(
        two_queued,
        lambda f: pairing.tick(f["arena"], now=now(), seed=1),
        lambda f: Proposal.objects.filter(arena=f["arena"]).count(),
    ),
    "acceptance": Scenario(
        half_accepted,
        lambda f: ready_checks.accept(f["proposal"], by=player(f, "other"), now=now()),
        lambda f: Participant.objects.filter(player=f["other"], live=True).count(),
    ),
    "refusal": Scenario(
        asked,
        lambda f: ready_checks.decline(f["proposal"], by=player(f, "other"), now=now()),
        lambda f: DishonorAward.objects.filter(proposal=f["proposal"]).count(),
    ),
    "expired ready check": Scenario(
        ignored_check,
        lambda f: ready_checks.cancel_if_expired(f["proposal"], now()),
        lambda f: (DishonorAward.objects.filter(proposal=f["proposal"]).count() + 1) // 2,
    ),
    "correction request": Scenario(
        previewed, ask, lambda f: CorrectionRequest.objects.filter(match=f["match"]).count()
    ),
    "correction": Scenario(
        correction_asked,
        lambda f: corrections.carry_out(f["request"], now()),
        lambda f: Correction.objects.filter(match=f["match"]).count(),
    ),
    "merge": Scenario(
        merge_asked,
        lambda f: merges.carry_out(f["request"], now()),
        lambda f: MergeRequest.objects.filter(pk=f["request"], state="done").count(),
    ),
    "season end": Scenario(
        lambda: with_season(with_report(is_rated=True)),
        lambda f: ending.end(f["season"], now=now()),
        lambda f: Season.objects.filter(pk=f["season"], ends_at__isnull=False).count(),
    ),
    "archive": Scenario(
        season_over, lambda f: ending.freeze(f["season"], now=now()), final_standings
    ),
    "late result": Scenario(
        archived, lambda f: ending.settle_one(f["match"], now()), has_status(Status.VOID)
    ),
    "season opening": Scenario(
        season_planned,
        lambda f: opening.open_planned(f["season"], now=now()),
        lambda f: Season.objects.filter(pk=f["season"], opened_at__isnull=False).count(),
    ),
    "point tally": Scenario(with_points, lambda f: awarding.compact(), is_compact),
    "standings": Scenario(not_in_standings, lambda f: updating.update_pending(now()), placed),
    "decay step": Scenario(decaying, lambda f: steps.take(f["season"], now()), decay_steps),
    "challenge deadline": Scenario(
        challenged,
        lambda f: deadlines.process(f["challenge"], now()),
        lambda f: Challenge.objects.filter(
            pk=f["challenge"], state=Challenge.State.IGNORED, match__isnull=False
        ).count(),
    ),
}
"""By kill point (``league.services.core.kill_points``)."""


def with_season(facts: Facts) -> Facts:
    return facts | {"season": Season.objects.get(arena=facts["arena"]).pk}
