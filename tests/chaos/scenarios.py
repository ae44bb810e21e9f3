"""Work that is under way when a process is killed, for each kill point."""

from collections.abc import Callable
from dataclasses import dataclass

from league.models import (
    Arena,
    Challenge,
    Correction,
    CorrectionRequest,
    CounterReport,
    DishonorAward,
    FixtureGame,
    MapBan,
    Match,
    MergeRequest,
    Participant,
    Proposal,
    ReportChange,
    Round,
    Season,
    StaffAction,
    Status,
    Ticket,
    TicketMember,
)
from league.services import corrections
from league.services.competitions import progress
from league.services.competitions.running import starting
from league.services.decay import steps
from league.services.jobs import jobs
from league.services.ladder import deadlines
from league.services.merging import requests as merges
from league.services.points import awarding
from league.services.queue import queueing, ready_checks, ticks
from league.services.results.playing import servers
from league.services.results.reports import answers, changing, countering, live
from league.services.results.reports.live import Finish
from league.services.results.staff import reopening
from league.services.seasons import ending, opening
from league.services.standings import updating
from tests.chaos.acts import (
    Facts,
    ask,
    asked,
    ban_a_map,
    challenged,
    correction_asked,
    counter,
    countered,
    dated,
    decide,
    drawn,
    enter,
    enter_round,
    entered,
    half_accepted,
    has_status,
    ignored_check,
    in_a,
    in_a_veto,
    job_asked,
    mail_week,
    merge_asked,
    note,
    now,
    of_token,
    player,
    previewed,
    queued,
    report_by,
    save_evening,
    started,
    times_rated,
    two_queued,
    unanswered,
    user,
    voided,
    weeks_mailed,
    with_a_week,
    with_report,
)
from tests.chaos.acts_of_seasons import (
    archived,
    decay_steps,
    decaying,
    final_standings,
    is_compact,
    not_in_standings,
    placed,
    season_over,
    season_planned,
    with_points,
    with_season,
)
from tests.chaos.arenas import duel, new_arena, new_queue


@dataclass(frozen=True)
class Scenario:
    """An act that takes effect at a commit."""

    arrange: Callable[[], Facts]
    """Prepare the act, on the connection of the caller."""
    act: Callable[[Facts], object]
    """The work during which a process is killed. Repeating it changes nothing, or is refused."""
    effects: Callable[[Facts], int]
    """Count how often the act has taken effect."""


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
    "map ban": Scenario(
        in_a_veto, ban_a_map, lambda f: MapBan.objects.filter(choice=f["match"]).count()
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
    "reopening": Scenario(
        voided,
        lambda f: reopening.reopen(f["match"], by=user(f, "staff"), reason="Seen.", now=now()),
        has_status(Status.REPORTED),
    ),
    "evening": Scenario(
        lambda: in_a(duel()),
        save_evening,
        lambda f: StaffAction.objects.filter(details__token=f["token"]).count(),
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
        lambda f: ticks.tick(f["arena"], now=now(), seed=1),
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
    "job": Scenario(
        job_asked,
        lambda f: jobs.carry_out(f["job"], {"noting": note}, now()),
        lambda f: StaffAction.objects.filter(reason=f"Job {f['job']}.").count(),
    ),
    "season end": Scenario(
        lambda: with_season(with_report(new_arena("ended"), is_rated=True)),
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
    "weekly mail": Scenario(with_a_week, mail_week, weeks_mailed),
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
    "draw of a competition": Scenario(
        entered,
        lambda f: starting.start(f["competition"], now=now()),
        lambda f: Round.objects.filter(competition=f["competition"]).count(),
    ),
    "progress of a competition": Scenario(
        drawn,
        lambda f: progress.process(f["competition"], now()),
        lambda f: FixtureGame.objects.filter(fixture__competition=f["competition"]).count(),
    ),
    "results of a round": Scenario(
        dated,
        enter_round,
        lambda f: Match.objects.rated().filter(arrangement__game__fixture=f["fixture"]).count(),
    ),
}
"""By kill point (``league.services.core.kill_points``)."""
