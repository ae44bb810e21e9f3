"""The staff log is in English, whatever the language of whoever acted."""

import json

from django.urls import reverse
from django.utils.translation import override

from league.models import (
    Announcement,
    Arena,
    ArenaText,
    LeagueSettings,
    Maintenance,
    Player,
    Roster,
    StaffAction,
)
from league.models.own_words import own_words, why
from league.services.announcements import announcing
from league.services.competitions import decisions
from league.services.competitions.running import entering_by_staff, starting, undoing
from league.services.moderation import appeals, bulk
from league.services.people.entry_lists import Entry
from league.services.site import maintenance, settings
from league.services.transfer.evenings import fixture_results
from tests.support.cast import NOW
from tests.support.competition_steps import START, competition, crowd
from tests.support.pseudo_locale import pseudo_locale
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def test_values_in_the_staff_log_are_in_english(olga: Player, alice: Player, duel: Arena) -> None:
    roster = Roster.objects.create(arena=duel, name="Owls", captain=alice)
    with pseudo_locale():
        bulk.add_to_roster([alice.pk], roster, by=user_of(olga), now=NOW)
        found = [
            settings.describe_settings(LeagueSettings()),
            maintenance.describe_maintenance(Maintenance(since=NOW)),
            announcing.describe_announcement(Announcement(starts_at=NOW)),
        ]
        without_end = appeals.name_moment(None)
    assert [next(iter(values)) for values in found] == ["Name", "Maintenance", "Text"]
    assert (found[1]["Maintenance"], without_end) == ("on", "without end")
    action = StaffAction.objects.get()
    assert action.after == {"Members": 1}
    assert action.reason == action.why == "Added to the roster Owls"


def test_reasons_of_the_site_itself_are_read_in_the_reader_s_language(
    olga: Player, alice: Player, duel: Arena
) -> None:
    boss, owls = user_of(olga), Roster.objects.create(arena=duel, name="Owls", captain=alice)
    with pseudo_locale():
        bulk.add_to_roster([alice.pk], owls, by=boss, now=NOW)
        settings.save(LeagueSettings(name="Club"), by=boss, now=NOW)
        settings.save_rules(ArenaText(arena=duel, rules="Be kind."), by=boss, now=NOW)
        maintenance.turn_on("Soon back.", until=None, by=boss, now=NOW)
        maintenance.turn_off(by=boss, now=NOW)
    found = list(StaffAction.objects.order_by("pk"))
    assert [action.why for action in found] == [
        "Added to the roster Owls",
        "Settings of the league",
        "Rules of Duel",
        "Soon back.",
        "Maintenance turned off",
    ]
    with pseudo_locale():
        read = [action.why for action in found]
    assert [one for one in read if one in {action.reason for action in found}] == ["Soon back."]
    assert "Owls" in read[0]
    staff = browser_of(olga)
    page = words(staff.get(reverse("admin:league_staffaction_changelist")))
    assert "Settings of the league" in page
    page = words(staff.get(reverse("admin:league_staffaction_change", args=[found[0].pk])))
    assert "Added to the roster Owls" in page
    assert "said" not in page


def test_a_competition_is_logged_in_english_and_read_in_the_reader_s_language(
    duel: Arena, olga: Player
) -> None:
    boss, players = user_of(olga), crowd(4)
    with pseudo_locale():
        one = competition(duel, "single")
        starting.open_for_entries(one.pk, by=boss, now=NOW)
        entries = [Entry(line, player.name) for line, player in enumerate(players, start=1)]
        entering_by_staff.enter(one.pk, entries, {}, by=boss, now=NOW)
        starting.start(one.pk, by=boss, now=NOW)
        undoing.undo_all(one.pk, by=boss, now=NOW, again=True)
        fixture = one.fixtures.filter(home__isnull=False, away__isnull=False).earliest("number")
        typed = [fixture_results.Typed(fixture.pk, "+:-")]
        assert not fixture_results.enter(one.pk, typed, by=boss, now=START).errors
        decisions.decide(fixture.pk, "", by=boss, reason=own_words("open again"), now=START)
    found = list(StaffAction.objects.order_by("pk"))
    assert len(found) == 7
    stored = json.dumps([[row.reason, row.before, row.after, row.details] for row in found])
    assert stored.isascii()
    with pseudo_locale():
        assert not {row.why for row in found} & {row.reason for row in found}


def test_names_in_reasons_are_joined_as_the_reader_s_language_does() -> None:
    given = own_words("entered", names=["Ann", "Bob"])
    assert given.text == "Entered: Ann, Bob"
    with override("ar"):
        assert "Ann، Bob" in why("anything", given.details)
    with override("zh-hans"):
        assert "Ann、Bob" in why("anything", given.details)
