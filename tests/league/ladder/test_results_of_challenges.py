"""A result counts for the challenge between its players, whichever way it comes in."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from league.models import Agreement, Arena, Challenge, Job, Match, Player, StaffAction, Status
from league.services.core.clock import database_now
from league.services.jobs import jobs
from league.services.ladder import challenges, entering
from league.services.ladder.deadlines import sweep
from league.services.results.reports.answers import confirm
from league.services.transfer.evenings import evening_undoing, evenings
from league.services.transfer.evenings.evening_rows import EveningRow
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.api_steps import by_token
from tests.support.cast import account
from tests.support.challenge_steps import ladder_of, ranks
from tests.support.discord_steps import linked, types
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, reports, result_form

API = "/api/v1/arenas/ladder/"


@pytest.fixture
def club(db: None, countless_reports: None) -> tuple[Arena, Player, Player, Player]:
    """A ladder with Alice above Dora, and Olga who runs it."""
    olga = account("Olga", superuser=True)
    ladder, (alice, dora) = ladder_of(["Alice", "Dora"])
    return ladder, alice, dora, olga


def body(winner: Player, loser: Player, **more: Any) -> dict[str, Any]:
    sides = [
        {"captain": winner.pk, "place": 0, "participants": [{"player": winner.pk}]},
        {"captain": loser.pk, "place": 1, "participants": [{"player": loser.pk}]},
    ]
    played_at = database_now().isoformat()
    return {"sides": sides, "played_at": played_at, "client_token": str(uuid4()), **more}


def on_the_web(ladder: Arena, _alice: Player, dora: Player, _olga: Player) -> None:
    assert reports(dora, ladder, result_form("Alice")).status_code == 302


def by_the_api(_ladder: Arena, alice: Player, dora: Player, _olga: Player) -> None:
    made = by_token(dora).post(f"{API}reports/", body(dora, alice), format="json")
    assert made.status_code == 201, made.json()


def on_discord(_ladder: Arena, _alice: Player, dora: Player, _olga: Player) -> None:
    types(linked(dora), "report", result="won", opponent="Alice", arena="ladder")


def live_by_a_server(_ladder: Arena, alice: Player, dora: Player, olga: Player) -> None:
    user_of(olga).user_permissions.add(Permission.objects.get(codename="add_match"))
    starting = {"sides": [{"captain": one.pk, "players": [one.pk]} for one in (dora, alice)]}
    begun = by_token(olga).post(f"{API}live-matches/", starting, format="json")
    end = {"sides": [{"place": 0}, {"place": 1}]}
    address = f"/api/v1/matches/{begun.json()['id']}/report/"
    assert by_token(dora).post(address, end, format="json").status_code == 200


def entered_on_the_web(_ladder: Arena, _alice: Player, _dora: Player, olga: Player) -> None:
    sent = {**result_form(""), "sides": "Dora\nAlice", "reason": "Club evening"}
    assert browser_of(olga).post(reverse("enter", args=["ladder"]), sent).status_code == 302


def entered_by_the_api(_ladder: Arena, alice: Player, dora: Player, olga: Player) -> None:
    entry = body(dora, alice, reason="Club evening")
    made = by_token(olga).post(f"{API}results/", entry, format="json")
    assert made.status_code == 201, made.json()


def in_an_evening(ladder: Arena, _alice: Player, _dora: Player, olga: Player) -> None:
    now = database_now()
    row = EveningRow("Dora", "Alice", "1")
    given: dict[str, Any] = {"reason": "Club evening", "played_at": now, "token": uuid4()}
    evenings.save(ladder, [row], by=user_of(olga), now=now, **given)


def in_a_file(ladder: Arena, _alice: Player, _dora: Player, olga: Player) -> None:
    now, by = database_now(), user_of(olga)
    text = f"played_at,side_1,side_2,winner\n{now.isoformat()},Dora,Alice,1\n"
    file = file_imports.upload(
        ladder, content=text.encode(), by=by, now=now, what="results", season=None, name="a.csv"
    )
    for ask in (file_imports.ask_check, file_imports.ask_import):
        do(ask(file, by=by, now=now))
        file.refresh_from_db()


def do(job: Job) -> None:
    jobs.carry_out(job.pk, WORK, database_now())
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal


def in_bulk(_ladder: Arena, _alice: Player, _dora: Player, olga: Player) -> None:
    time = database_now().isoformat()
    rows = [{"played_at": time, "side_1": "Dora", "side_2": "Alice", "winner": "1"}]
    made = by_token(olga).post(f"{API}results/bulk/", {"rows": rows}, format="json")
    assert made.status_code < 300, made.json()


WAYS = [
    on_the_web,
    by_the_api,
    on_discord,
    live_by_a_server,
    entered_on_the_web,
    entered_by_the_api,
    in_an_evening,
    in_a_file,
    in_bulk,
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("by_staff", [False, True])
def test_a_result_counts_for_the_accepted_challenge(
    club: tuple[Arena, Player, Player, Player],
    way: Callable[[Arena, Player, Player, Player], None],
    *,
    by_staff: bool,
) -> None:
    ladder, alice, dora, olga = club
    if by_staff:  # as for people without an account, who have got one since
        user = dora.user
        Player.objects.filter(pk=dora.pk).update(user=None)
        dora.refresh_from_db()
        one = entering.enter(ladder, dora, alice, by=user_of(olga), now=database_now())
        Player.objects.filter(pk=dora.pk).update(user=user)
        dora.refresh_from_db()
    else:
        one = challenges.challenge(ladder, alice, by=dora, now=database_now())
        challenges.accept(one.pk, by=alice, now=database_now())
    way(ladder, alice, dora, olga)
    match = Match.objects.latest("pk")
    one.refresh_from_db()
    assert one.match == match
    if match.status == Status.REPORTED:
        agreed = set(match.sides.values_list("agreed_by", flat=True))
        assert agreed <= {Agreement.CHALLENGE, Agreement.SERVER}
        confirm(match.pk, by=alice, now=database_now())
    assert list(ranks(ladder)) == ["Dora", "Alice"]
    assert sweep(database_now() + timedelta(days=60)) == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_result_counts_for_no_other_challenge(
    club: tuple[Arena, Player, Player, Player],
    way: Callable[[Arena, Player, Player, Player], None],
) -> None:
    """For none of others, none without an answer and none that was accepted after it."""
    ladder, alice, dora, olga = club
    eve = account("Eve")
    now = database_now()
    other = challenges.challenge(ladder, alice, by=eve, now=now)
    Challenge.objects.filter(pk=other.pk).update(
        state=Challenge.State.ACCEPTED, accepted_at=now, play_by=now + timedelta(days=9)
    )
    waiting = Challenge.objects.create(
        season=other.season, challenger=dora, challenged=alice, made_at=now, answer_by=now
    )
    later = Challenge.objects.create(
        season=other.season,
        challenger=dora,
        challenged=alice,
        made_at=now,
        answer_by=now,
        state=Challenge.State.ACCEPTED,
        accepted_at=now + timedelta(hours=2),
        play_by=now + timedelta(days=9),
    )
    way(ladder, alice, dora, olga)
    for one in (other, waiting, later):
        one.refresh_from_db()
        assert one.match is None


@pytest.mark.parametrize("way", [in_an_evening, in_a_file])
def test_the_challenge_waits_again_when_its_result_is_undone(
    club: tuple[Arena, Player, Player, Player],
    way: Callable[[Arena, Player, Player, Player], None],
) -> None:
    ladder, alice, dora, olga = club
    one = challenges.challenge(ladder, alice, by=dora, now=database_now())
    challenges.accept(one.pk, by=alice, now=database_now())
    way(ladder, alice, dora, olga)
    if way is in_a_file:
        file = ladder.file_imports.get()
        do(file_imports.ask_undo(file, by=user_of(olga), reason="A mistake.", now=database_now()))
    else:
        action = StaffAction.objects.get(kind=StaffAction.Kind.EVENING)
        now = database_now()
        job = evening_undoing.ask_undo(
            action, ladder, by=user_of(olga), reason="A mistake.", now=now
        )
        do(job)
    one.refresh_from_db()
    assert one.is_agreed
    way(ladder, alice, dora, olga)
    one.refresh_from_db()
    assert one.match == Match.objects.latest("pk")
