"""Appeals against bans and penalties."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from league.models import Appeal, Arena, DishonorAward, Notice, Offence, Player, StaffAction, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor.bans import ban, lift
from league.services.dishonor.discipline import ban_of, penalise, status_of
from league.services.moderation.appeals import answer, appeal
from league.services.results.reports.answers import confirm
from tests.support.admin_steps import browser_of as admin_of
from tests.support.cast import account, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

DAY = timedelta(days=1)


def moderator(name: str) -> User:
    user = user_of(account(name))
    User.objects.filter(pk=user.pk).update(is_staff=True)
    codes = ("change_appeal", "view_appeal", "ban_player")
    user.user_permissions.add(*Permission.objects.filter(codename__in=codes))
    return User.objects.get(pk=user.pk)


@pytest.fixture
def bobs_ban(duel: Arena, bob: Player, olga: Player) -> DishonorAward:
    """Olga has banned Bob for ten days."""
    now = timezone.now()
    return ban(bob, arena=duel, by=user_of(olga), reason="Insults.", until=now + 10 * DAY, now=now)


def answered(user: User, one: Appeal, **given: Any) -> Any:
    address = reverse("admin:league_appeal_change", args=[one.pk])
    return admin_of(user).post(address, {"reason": "He said sorry.", **given})


def test_bob_appeals_and_another_moderator_shortens_his_ban(
    bobs_ban: DishonorAward, bob: Player, olga: Player
) -> None:
    now, frank = timezone.now(), moderator("Frank")
    browser = browser_of(bob)
    address = reverse("appeal", args=[bobs_ban.pk])
    assert address in browser.get(reverse("dishonor")).content.decode()
    assert_strict(browser, address)
    assert browser.post(address, {"text": " "}).status_code == 400
    assert browser.post(address, {"text": "It was my brother."}).status_code == 302
    assert "Your appeal: waiting for staff." in words(browser.get(reverse("dishonor")))
    (one,) = Appeal.objects.all()

    page = words(admin_of(frank).get(reverse("admin:league_appeal_change", args=[one.pk])))
    assert "It was my brother." in page
    assert "olga: “Insults.”" in page
    until = f"{now + 3 * DAY:%Y-%m-%dT%H:%M}"
    assert answered(frank, one, state="shortened").status_code == 200  # until when?
    assert answered(frank, one, state="shortened", until="2020-01-01T00:00").status_code == 200
    assert answered(frank, one, state="shortened", until=until).status_code == 302
    current = ban_of(bob, timezone.now())
    assert current
    assert current.ends_at
    assert current.ends_at < now + 4 * DAY
    action = StaffAction.objects.latest("pk")
    assert (action.kind, action.actor) == ("appeal", frank)
    assert action.before
    assert action.after
    inbox = words(browser.get(reverse("inbox")))
    assert "Staff answered your appeal: the ban was shortened. “He said sorry.”" in inbox

    with pytest.raises(Conflict):
        appeal(bobs_ban.pk, "Again.", by=bob, now=timezone.now())
    with pytest.raises(Conflict):  # against the answer
        appeal(current.pk, "Still too long.", by=bob, now=timezone.now())
    with pytest.raises(Conflict):
        answer(one.pk, "lifted", by=frank, reason="So.", now=timezone.now())


def test_a_lifted_ban_ends_at_once_and_an_upheld_one_stays(
    duel: Arena, bobs_ban: DishonorAward, bob: Player, alice: Player, olga: Player
) -> None:
    now, frank = timezone.now(), moderator("Frank")
    penalise([alice], Offence.QUEUE_DODGE, duel, now=now)
    penalty = DishonorAward.objects.get(player=alice)
    lifted = appeal(bobs_ban.pk, "It was my brother.", by=bob, now=now)
    stays = appeal(penalty.pk, "The power went.", by=alice, now=now)
    assert answered(frank, lifted, state="lifted").status_code == 302
    assert ban_of(bob, timezone.now()) is None
    assert answered(frank, stays, state="shortened").status_code == 200  # no ban
    assert answered(frank, stays, state="upheld").status_code == 302
    assert status_of(alice, timezone.now()).in_timeout
    kinds = Notice.objects.filter(kind="appeal").values_list("player__name", flat=True)
    assert sorted(kinds) == ["Alice", "Bob"]


def test_who_decided_does_not_answer_unless_nobody_else_can(
    bobs_ban: DishonorAward, bob: Player, olga: Player
) -> None:
    now = timezone.now()
    one = appeal(bobs_ban.pk, "It was my brother.", by=bob, now=now)
    boss = user_of(olga)
    frank = moderator("Frank")
    with pytest.raises(Forbidden) as refused:
        answer(one.pk, "upheld", by=boss, reason="So.", now=now)
    assert refused.value.code == "own_decision"
    User.objects.filter(pk=frank.pk).update(is_active=False)
    answer(one.pk, "upheld", by=boss, reason="So.", now=now)
    assert StaffAction.objects.latest("pk").details["own_decision"]


def test_nobody_answers_their_own_appeal_or_that_of_an_opponent(
    duel: Arena, olga: Player, bob: Player, charlie: Player
) -> None:
    now, frank = timezone.now(), moderator("Frank")
    own = Player.objects.get(user=frank)
    penalise([own], Offence.QUEUE_DODGE, duel, now=now)
    one = appeal(DishonorAward.objects.get().pk, "So.", by=own, now=now)
    User.objects.filter(player=olga).update(is_active=False)
    with pytest.raises(Forbidden):  # even if nobody else can
        answer(one.pk, "lifted", by=frank, reason="So.", now=now)

    User.objects.filter(player=olga).update(is_active=True)
    match = beats(bob, own, duel, now=now)
    confirm(match.pk, by=own, now=now)
    penalise([bob], Offence.QUEUE_DODGE, duel, now=now)
    of_opponent = appeal(DishonorAward.objects.latest("pk").pk, "So.", by=bob, now=now)
    with pytest.raises(Forbidden) as refused:
        answer(of_opponent.pk, "upheld", by=frank, reason="So.", now=now)
    assert refused.value.code == "own_match"
    answer(of_opponent.pk, "upheld", by=user_of(olga), reason="So.", now=now)


def test_old_void_and_foreign_penalties_cannot_be_appealed_against(
    duel: Arena, bobs_ban: DishonorAward, bob: Player, alice: Player, olga: Player
) -> None:
    now = timezone.now()
    assert browser_of(alice).get(reverse("appeal", args=[bobs_ban.pk])).status_code == 404
    with pytest.raises(Forbidden):
        appeal(bobs_ban.pk, "So.", by=alice, now=now)
    penalise([bob], Offence.QUEUE_DODGE, duel, now=now - 40 * DAY)
    old = DishonorAward.objects.get(offence=Offence.QUEUE_DODGE)
    with pytest.raises(Conflict):
        appeal(old.pk, "So.", by=bob, now=now)
    with pytest.raises(Refused):
        appeal(bobs_ban.pk, "", by=bob, now=now)
    lift(bob, by=user_of(olga), reason="So.", now=now)
    with pytest.raises(Conflict):
        appeal(bobs_ban.pk, "So.", by=bob, now=now)


def test_moderators_do_not_ban_themselves_or_lift_their_own_ban(duel: Arena, olga: Player) -> None:
    boss = user_of(olga)
    with pytest.raises(Forbidden):
        ban(olga, arena=duel, by=boss, reason="So.", now=timezone.now())
    with pytest.raises(Forbidden):
        lift(olga, by=boss, reason="So.", now=timezone.now())
