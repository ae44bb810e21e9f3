"""Each number of the admin's first page leads to a list of exactly what it counts."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from league.admin.frontpage.kinds import KINDS
from league.models import (
    Appeal,
    Arena,
    ArenaQueue,
    Challenge,
    Competition,
    DiscordBoard,
    DishonorAward,
    Email,
    Fixture,
    Flag,
    Job,
    Match,
    Objection,
    Offence,
    Player,
    PlayerClaim,
    PlayerReport,
    Round,
    Season,
    StaffAction,
    Ticket,
    User,
    Webhook,
)
from league.models.reach import ARENA_ORGANISER, is_of_arenas
from league.services.core.clock import database_now
from league.services.dishonor.discipline import penalise
from league.services.people import roles
from league.services.results.reports.answers import confirm, dispute
from tests.support.admin_steps import browser_of
from tests.support.cast import account, beats
from tests.support.result_steps import user_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Scene:
    """What makes one row of a kind in an arena that counts, and some that nearly do."""

    def __init__(self, alice: Player, charlie: Player, eve: Player, olga: Player) -> None:
        self.alice, self.charlie, self.eve, self.olga = alice, charlie, eve, olga
        self.now: datetime = database_now()

    def season(self, arena: Arena) -> Season:
        return arena.seasons.get()

    def resolved(self) -> dict[str, Any]:
        return {"resolved_at": self.now, "resolved_by": user_of(self.olga), "note": "So."}

    def reported(self, arena: Arena, deadline: timedelta = 5 * DAY) -> Match:
        match = beats(self.alice, self.charlie, arena, now=self.now)
        Match.objects.filter(pk=match.pk).update(confirm_deadline=self.now + deadline)
        return match

    def disputes(self, arena: Arena) -> None:
        dispute(self.reported(arena).pk, by=self.charlie, reason="A draw.", now=self.now)
        self.reported(arena)

    def objections(self, arena: Arena) -> None:
        for state in (Objection.State.OPEN, Objection.State.WITHDRAWN):
            match = self.reported(arena)
            confirm(match.pk, by=self.charlie, now=self.now)
            Objection.objects.create(
                match=match, side=1, player=self.charlie, at=self.now, reason="So.", state=state,
                closed_at=None if state == Objection.State.OPEN else self.now,
            )  # fmt: skip
        self.disputes(arena)

    def lapsing(self, arena: Arena) -> None:
        self.reported(arena, 23 * HOUR)
        self.reported(arena, 25 * HOUR)

    def flags(self, arena: Arena) -> None:
        for resolved in ({}, self.resolved()):
            Flag.objects.create(
                kind=Flag.Kind.DODGING, season=self.season(arena), player=self.eve,
                evidence={"dodges": 9, "offered": 10}, raised_at=self.now, **resolved,
            )  # fmt: skip

    def claims(self, _arena: Arena) -> None:
        for player, state in ((self.alice, "open"), (self.charlie, "refused")):
            PlayerClaim.objects.create(
                account=user_of(self.eve), player=player, evidence="So.", made_at=self.now,
                state=state,
            )  # fmt: skip

    def appeals(self, arena: Arena) -> None:
        upheld = StaffAction.objects.create(
            kind=StaffAction.Kind.APPEAL, actor=user_of(self.olga), at=self.now, reason="So."
        )
        for player, state, action in (
            (self.alice, "open", None),
            (self.charlie, "upheld", upheld),
        ):
            penalise([player], Offence.QUEUE_DODGE, arena, now=self.now)
            award = DishonorAward.objects.get(player=player)
            Appeal.objects.create(award=award, text="So.", at=self.now, state=state, action=action)

    def reports(self, _arena: Arena) -> None:
        pairs: Any = ((self.alice, {}), (self.charlie, self.resolved()), (self.olga, {}))
        for reported, resolved in pairs:  # Olga does not see what is about herself
            PlayerReport.objects.create(
                reporter=self.eve, reported=reported, reason=PlayerReport.Reason.OTHER, text="So.",
                at=self.now, latest_at=self.now, **resolved,
            )  # fmt: skip

    def challenges(self, arena: Arena) -> None:
        late, early = self.now - HOUR, self.now + HOUR
        for challenger, due in ((self.alice, late), (self.eve, early)):
            Challenge.objects.create(
                season=self.season(arena), challenger=challenger, challenged=self.charlie,
                made_at=self.now - DAY, answer_by=due,
            )  # fmt: skip

    def competition(self, arena: Arena, name: str, **fields: Any) -> Competition:
        return Competition.objects.create(
            season=self.season(arena), name=name, **{"starts_at": self.now - HOUR, **fields}
        )

    def competitions(self, arena: Arena) -> None:
        self.competition(arena, "Late", state="registration")
        self.competition(arena, "Early", state="registration", starts_at=self.now + HOUR)
        self.competition(arena, "Draft")

    def fixtures(self, arena: Arena) -> None:
        cup = self.competition(arena, "Cup", state="running", drawn_at=self.now, seed=1)
        first = Round.objects.create(
            competition=cup, stage=Round.Stage.TABLE, number=1, opens_at=self.now - DAY,
            play_at=self.now - HOUR, closes_at=self.now,
        )  # fmt: skip
        for number, attention in enumerate(("unplayed", "", "kept"), start=1):
            Fixture.objects.create(competition=cup, round=first, number=number, attention=attention)

    def unfinished(self, arena: Arena) -> None:
        self.competition(arena, "Cup", state="running", drawn_at=self.now, seed=1)
        self.competition(arena, "Draft")
        other = next_to(arena)
        self.competition(other, "Next cup", state="running", drawn_at=self.now, seed=1)
        self.ends(arena, 5 * DAY)
        self.ends(other, 9 * DAY)

    def starting(self, arena: Arena) -> None:
        self.ends(arena, 5 * DAY)
        self.next(arena, 5 * DAY)
        other = next_to(arena)
        self.ends(other, 9 * DAY)
        self.next(other, 9 * DAY)

    def ending(self, arena: Arena) -> None:
        self.ends(arena, 5 * DAY)
        self.ends(next_to(arena), 9 * DAY)

    def ends(self, arena: Arena, after: timedelta) -> None:
        Season.objects.filter(arena=arena).update(ends_at=self.now + after)

    def next(self, arena: Arena, after: timedelta) -> None:
        Season.objects.create(
            arena=arena, name="Next", starts_at=self.now + after, rating_system="elo"
        )

    def queues(self, arena: Arena) -> None:
        for each, since in ((arena, HOUR), (next_to(arena), timedelta())):
            ArenaQueue.objects.create(arena=each)
            waits = account(f"Waiting in {each}")
            Ticket.objects.create(
                arena=each, captain=waits, queued_at=self.now - since, place=each.pk
            )

    def jobs(self, arena: Arena) -> None:
        rows = (("failed", DAY), ("failed", 8 * DAY), ("done", DAY))
        for state, ago in rows:
            Job.objects.create(
                kind="none", title="Work", by=user_of(self.olga), at=self.now - ago, arena=arena,
                state=state, finished_at=self.now - ago,
            )  # fmt: skip

    def mails(self, _arena: Arena) -> None:
        for state, ago in (("failed", DAY), ("failed", 8 * DAY), ("sent", DAY)):
            Email.objects.create(
                recipient="a@example.org", sender="b@example.org", subject="x",
                created_at=self.now - ago, closed_at=self.now - ago, state=state,
            )  # fmt: skip

    def webhooks(self, arena: Arena) -> None:
        for paused in (Webhook.Paused.FAILING, Webhook.Paused.STAFF, Webhook.Paused.NOT):
            Webhook.objects.create(
                arena=arena, name="Bot", address="https://receiver.example/", events=[],
                made_by=user_of(self.olga), made_at=self.now, paused=paused,
                paused_at=self.now if paused else None,
            )  # fmt: skip

    def boards(self, arena: Arena) -> None:
        for stopped, channel in ((self.now, "1" * 18), (None, "2" * 18)):
            DiscordBoard.objects.create(arena=arena, channel=channel, stopped_at=stopped)


def next_to(one: Arena) -> Arena:
    """Return another arena, whose rows nearly count."""
    made, _new = Arena.objects.get_or_create(slug=f"not-{one.slug}", name=f"Not {one.name}")
    if not made.seasons.exists():
        Season.objects.create(
            arena=made,
            name="Now",
            rating_system="elo",
            starts_at=database_now() - DAY,
            opened_at=database_now() - DAY,
        )
    return made


@pytest.fixture
def scene(alice: Player, charlie: Player, eve: Player, olga: Player) -> Scene:
    return Scene(alice, charlie, eve, olga)


def numbers(staff: Client) -> dict[str, Any]:
    """Return the rows of the first page by kind."""
    return {row.waiting.kind: row for row in staff.get("/admin/").context["waiting"]}


def listed(staff: Client, address: str) -> int:
    return int(staff.get(address).context["cl"].result_count)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_number_leads_to_the_list_of_what_it_counts(
    kind: Any, scene: Scene, duel: Arena, teams: Arena, bob: Player, olga: Player
) -> None:
    makes: Callable[[Arena], None] = getattr(scene, kind.name)
    makes(duel)
    of_arenas = is_of_arenas(kind.model)
    if of_arenas:
        makes(teams)
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    everything, mine = browser_of(user_of(olga)), browser_of(User.objects.get(player=bob))
    found = numbers(everything)[kind.name]
    assert found.waiting.count == (2 if of_arenas else 1)
    assert listed(everything, found.address) == found.waiting.count
    own = numbers(mine).get(kind.name)
    if of_arenas and user_of(bob).arenas_with(kind.permission):
        assert own
        assert own.waiting.count == listed(mine, own.address) == 1
    else:
        assert own is None
