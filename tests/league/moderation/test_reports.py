"""Reports by players, which only moderators see."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import Arena, Notice, Player, PlayerReport, StaffAction
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dishonor.bans import ban
from league.services.moderation.reports import MOST_A_DAY, MOST_TIMES, report, resolve
from tests.support.admin_steps import browser_of as admin_of
from tests.support.admin_steps import send
from tests.support.cast import NOW, account, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words


def page(player: Player) -> str:
    return reverse("player_report", args=[player.pk])


def test_alice_reports_charlie_from_his_page_and_only_moderators_read_it(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    browser = browser_of(alice)
    assert page(charlie) in browser.get(charlie.get_absolute_url()).content.decode()
    assert_strict(browser, page(charlie))
    sent = browser.post(
        page(charlie), {"reason": "cheating", "text": "He saw all.", "match": match.pk}, follow=True
    )
    assert "Reported. Moderators will look at it." in words(sent)
    (one,) = PlayerReport.objects.all()
    assert (one.reporter, one.reported, one.match) == (alice, charlie, match)

    his = browser_of(charlie)
    for address in ("/", charlie.get_absolute_url(), match.get_absolute_url(), reverse("inbox")):
        assert "He saw all" not in words(his.get(address))
    assert not Notice.objects.filter(player=charlie, created_at__gt=match.reported_at).exists()

    listed = admin_of(olga.user).get(reverse("admin:league_playerreport_changelist"))
    assert "Charlie: cheating" in words(listed)


def test_alice_reports_charlie_from_the_page_of_their_match(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, duel)
    address = reverse("match_player_report", args=[match.pk])
    assert address in browser_of(alice).get(match.get_absolute_url()).content.decode()
    browser = browser_of(alice)
    offered = browser.get(address).context["form"].fields["player"].queryset
    assert list(offered) == [charlie]
    form = {"player": eve.pk, "reason": "insults", "text": "Rude."}
    assert browser.post(address, form).status_code == 400  # she did not play
    assert browser.post(address, form | {"player": charlie.pk}).status_code == 302
    assert PlayerReport.objects.get().match == match


def test_a_second_report_of_the_same_player_is_added_to_the_open_one(
    alice: Player, charlie: Player
) -> None:
    first = report(charlie, "insults", "Rude.", by=alice, now=NOW)
    report(charlie, "insults", "Rude.", by=alice, now=NOW)  # sent twice
    report(charlie, "cheating", "And a bot.", by=alice, now=NOW + timedelta(hours=1))
    (one,) = PlayerReport.objects.all()
    assert one.pk == first.pk
    assert one.times == 2
    assert one.text == "Rude.\n\n2026-03-01 cheating: And a bot."
    for number in range(MOST_TIMES - 2):
        report(charlie, "other", f"Again {number}!", by=alice, now=NOW)
    with pytest.raises(LimitReached):
        report(charlie, "other", "Once more.", by=alice, now=NOW)


def test_nobody_floods_the_moderators_or_reports_themselves(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    for number in range(MOST_A_DAY):
        report(account(f"Player {number}"), "other", "So.", by=alice, now=NOW)
    with pytest.raises(LimitReached) as refused:
        report(charlie, "other", "So.", by=alice, now=NOW + timedelta(hours=23))
    assert refused.value.wait
    report(charlie, "other", "So.", by=alice, now=NOW + timedelta(hours=25))
    for player, reason, text, match in (
        (bob, "other", "So.", None),  # himself
        (charlie, "boring", "So.", None),
        (charlie, "other", "  ", None),
        (charlie, "other", "So.", beats(alice, bob, duel)),  # he did not play in it
    ):
        with pytest.raises(Refused):
            report(player, reason, text, by=bob, now=NOW, match=match)
    ban(bob, arena=duel, by=user_of(olga), reason="Insults.", now=NOW)
    with pytest.raises(Forbidden):
        report(charlie, "other", "So.", by=bob, now=NOW)
    assert browser_of(bob).post(page(bob), {"reason": "other", "text": "So."}).status_code == 400
    far = {"reason": "other", "text": "So.", "match": str(10**30)}
    assert browser_of(bob).post(page(charlie), far).status_code == 400


def test_olga_resolves_a_report_with_a_note_but_none_about_herself(
    alice: Player, charlie: Player, olga: Player
) -> None:
    one = report(charlie, "cheating", "He saw all.", by=alice, now=NOW)
    own = report(olga, "insults", "Rude.", by=alice, now=NOW)
    staff = admin_of(olga.user)
    change = reverse("admin:league_playerreport_change", args=[one.pk])
    assert_strict(staff, change)
    assert send(staff, change, {"note": " "}).status_code == 200
    assert send(staff, change, {"note": "A replay shows nothing."}).status_code == 302
    one.refresh_from_db()
    assert (one.resolved_by, one.note) == (olga.user, "A replay shows nothing.")
    action = StaffAction.objects.get(kind=StaffAction.Kind.CASE)
    assert (action.kind, action.details["player"]) == ("case", charlie.pk)
    with pytest.raises(Conflict):
        resolve(one.pk, by=user_of(olga), note="Again.", now=NOW)

    listing = words(staff.get(reverse("admin:league_playerreport_changelist")))
    assert "Olga: insults" not in listing
    hidden = reverse("admin:league_playerreport_change", args=[own.pk])
    assert staff.get(hidden).status_code == 302  # as if it did not exist
    with pytest.raises(Forbidden):
        resolve(own.pk, by=user_of(olga), note="Nonsense.", now=NOW)
