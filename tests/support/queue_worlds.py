"""People around a long queue, who do all that can change it."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

from league.models import (
    Amnesty,
    Arena,
    ArenaQueue,
    DishonorAward,
    Offence,
    Player,
    Proposal,
    RankPreference,
    Rating,
    RegionPreference,
    StaffAction,
    Status,
    Ticket,
    TicketMember,
)
from league.services.core.errors import Refused
from league.services.queue import ready_checks
from league.services.queue.queueing import close_tickets, join, mark_seen
from league.services.results.reports import answers
from league.services.results.reports.reporting import report
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, account, beats, side
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Callable


REGIONS, MODES = ["Europe", "America", "Asia"], ["Conquest", "Stronghold"]
START = {"rating": 1500.0, "deviation": 90.0, "volatility": 0.06}
HIGH = 1e9
"""A score that no match reaches, but those of rosters that have waited long."""
PEOPLE = 30


class World:
    """People around a queue, and what they do."""

    def __init__(self, queue: ArenaQueue, seed: int) -> None:
        self.queue, self.arena, self.now = queue, queue.arena, NOW
        self.chance = random.Random(seed)  # noqa: S311 - to choose what happens
        self.people = [account(f"Person {number}") for number in range(PEOPLE)]
        self.admin = account("Admin", superuser=True)
        self.season = self.arena.seasons.get()

    def waiting(self) -> Ticket | None:
        tickets = list(Ticket.objects.waiting().order_by("pk"))
        return self.chance.choice(tickets) if tickets else None

    def who_waits(self) -> Player:
        ticket = self.waiting()
        return ticket.captain if ticket else self.chance.choice(self.people)

    def joins(self) -> None:
        for _each in range(self.chance.randrange(1, 6)):
            party = self.chance.sample(self.people, self.chance.choice([1, 1, 2]))
            modes = self.chance.choice([None, self.arena.modes[:1]])
            profession = self.chance.choice(["", "Thief", "Bard"])
            try:
                join(
                    self.arena, party[0], party[1:], now=self.now, modes=modes,
                    profession=profession,
                )  # fmt: skip
            except Refused:
                continue

    def sees(self) -> None:
        for member in TicketMember.objects.filter(seen_at=None).select_related("ticket", "player"):
            if self.chance.random() < 0.7:
                mark_seen(member.ticket, member.player, self.now)

    def leaves(self) -> None:
        if ticket := self.waiting():
            close_tickets([ticket.pk], Ticket.State.LEFT, self.now)

    def rates(self) -> None:
        rating, _new = Rating.objects.get_or_create(
            season=self.season, player=self.who_waits(), defaults=START
        )
        rating.rating += self.chance.gauss(0, 60)
        rating.games += self.chance.choice([0, 0, 1])  # a correction changes only the rating
        rating.last_played_at = self.now - timedelta(days=self.chance.randrange(9))
        rating.save()

    def forgets_a_rating(self) -> None:
        Rating.objects.filter(season=self.season, player=self.who_waits()).delete()

    def plays_elsewhere(self) -> None:
        """Let somebody's rank change by a match in another arena."""
        other = Arena.objects.exclude(pk=self.arena.pk)[0]
        one, two = self.chance.sample(self.people[:10], 2)
        beats(one, two, other, now=self.now)

    def meets(self) -> None:
        able = Player.objects.filter(user__is_active=True).exclude(pk=self.admin.pk)
        one, two = self.chance.sample(list(able.order_by("pk")), 2)
        sides = [side(one, place=0), side(two, place=1)]
        mode = self.arena.modes[0]
        match = report(self.arena, sides, reporter=one, played_at=self.now, now=self.now, mode=mode)
        answered = match.status != Status.REPORTED  # it agrees with the other's own report
        if self.chance.random() < 0.7 and not answered:
            answers.confirm(match.pk, by=two, now=self.now)

    def filters(self) -> None:
        mine = RankPreference.objects.filter(arena=self.arena, player=self.who_waits())
        if mine.delete()[0] == 0:
            RankPreference.objects.create(
                arena=self.arena, player=self.who_waits(), percentiles=60, strict=True
            ) if self.chance.random() < 0.4 else None

    def travels(self) -> None:
        RegionPreference.objects.update_or_create(
            arena=self.arena,
            player=self.who_waits(),
            defaults={
                "regions": self.chance.sample(REGIONS, 2),
                "strict": self.chance.random() < 0.3,
                "latencies": {"Asia": 90.0},
            },
        )

    def misbehaves(self) -> None:
        DishonorAward.objects.create(
            player=self.who_waits(), arena=self.arena, at=self.now, offence=Offence.ABANDON,
            stacks=self.chance.randrange(1, 4),
        )  # fmt: skip

    def pardons(self) -> None:
        award = DishonorAward.objects.standing().first()
        if award and self.admin.user:
            action = StaffAction.objects.create(
                kind=StaffAction.Kind.AMNESTY,
                actor=user_of(self.admin),
                at=self.now,
                reason="Sorry.",
            )
            Amnesty.objects.create(award=award, action=action)

    def bans(self) -> None:
        player = self.who_waits()
        if player.user and self.chance.random() < 0.2 and player not in self.people[:10]:
            player.user.is_active = False
            player.user.save()
            ready_checks.remove_banned(self.now)

    def edits(self) -> None:
        rules = self.queue.rules
        what = self.chance.randrange(5)
        if what == 0:
            rules["laurel"]["asking"] = HIGH if rules["laurel"]["asking"] < 0 else -HIGH
        elif what == 1:
            self.queue.rank_source = self.chance.choice(["site", "arena", "level"])
        elif what == 2:
            self.arena.modes = self.chance.choice([MODES, MODES[:1], ["Raid"]])
        elif what == 3:
            rules["region"]["most_latency"] = self.chance.choice([0.0, 50.0])
        else:
            self.arena.regions = self.chance.choice([REGIONS, REGIONS[:2], []])
        self.arena.save()
        self.queue.save()

    def levels(self) -> None:
        Player.objects.filter(pk=self.who_waits().pk).update(level=self.chance.randrange(80))

    def time_passes(self) -> None:
        update_pending(self.now)
        self.now += timedelta(days=self.chance.choice([0, 0, 0, 0, 0, 2]))

    def answers_checks(self) -> None:
        for proposal in Proposal.objects.filter(state="open"):
            for member in ready_checks.members_of(proposal).select_related("player"):
                if self.chance.random() < 0.3 and self.now < proposal.deadline:
                    ready_checks.accept(proposal.pk, by=member.player, now=self.now)
        ready_checks.cancel_expired(self.now + timedelta(seconds=31))

    def nothing(self) -> None:
        """Nothing happens, so that the next tick finds its queue as it was."""

    def act(self) -> None:
        """Let something happen, mostly that somebody comes."""
        deeds: list[Callable[[], None]] = [
            self.leaves, self.forgets_a_rating, self.plays_elsewhere,
            self.meets, self.filters, self.travels, self.misbehaves, self.pardons, self.bans,
            self.edits, self.levels, self.time_passes, self.answers_checks, self.nothing,
        ]  # fmt: skip
        self.joins()
        self.rates()
        for deed in self.chance.sample(deeds, self.chance.choice([0, 1, 2])):
            deed()
        self.sees()
