"""Valid forms of the admin's pages, as those of the site's are in ``valid_forms``."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

from league.models import Arrangement, Competition, Job, Match, PenaltyReason
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.competitions import progress
from league.services.competitions.running import entering, starting, withdrawing
from league.services.corrections import voiding_all
from league.services.dishonor import bans
from league.services.jobs import jobs
from league.services.other_rules.outcomes import digest_rules
from tests.support.other_rules_steps import a_trial, play_duels
from tests.support.valid_forms import Cast, Sent, at, form, previewed

# The admin: people


@form("admin:test_mail")
def test_mail(cast: Cast) -> Sent:
    return Sent(cast.olga, at("admin:test_mail"), {"address": "olga@league.example"})


@form("admin:league_player_lift_ban")
def lifting(cast: Cast) -> Sent:
    place, alice = cast.arena(), cast.player("Alice")
    bans.ban(alice, arena=place, reason="Insults", by=cast.olga, now=cast.now)
    fields = {"reason": "Sorry."}
    return Sent(cast.olga, at("admin:league_player_lift_ban", alice.pk), fields)


@form("admin:league_player_penalise")
def penalty(cast: Cast) -> Sent:
    reason = PenaltyReason.objects.create(arena=cast.arena(), name="Insults", stacks=3)
    alice = cast.player("Alice")
    fields = {"reason": reason.pk, "note": "In chat."}
    return Sent(cast.olga, at("admin:league_player_penalise", alice.pk), fields)


@form("admin:league_player_merge")
def merge(cast: Cast) -> Sent:
    kept, merged = cast.player("Eve"), cast.player("Eva")
    where = f"{at('admin:league_player_merge')}?kept={kept.name}&merged={merged.name}"
    return Sent(cast.olga, where.replace(" ", "+"), {"reason": "Same mail."})


@form("admin:league_player_void_all")
def voiding(cast: Cast) -> Sent:
    match = cast.rated(cast.arena())
    fields = {"season": match.season_id, "reason": "A cheat"}
    address = at("admin:league_player_void_all", cast.player("Alice").pk)
    return previewed(cast.olga, address, fields)


@form("admin:league_player_undo_all")
def undoing_all(cast: Cast) -> Sent:
    match, alice = cast.rated(cast.arena()), cast.player("Alice")
    seen = voiding_all.preview(alice, match.season, by=cast.olga)
    made = voiding_all.void_all(
        alice,
        match.season,
        by=cast.olga,
        reason="A cheat.",
        digest=seen.digest,
        horizon=seen.horizon,
        now=cast.now,
    )
    address = at("admin:league_player_undo_all", made.pk)
    return previewed(cast.olga, address, {"reason": "No cheat"})


# The admin: arenas


@form("admin:league_arena_rerate")
def rerating(cast: Cast) -> Sent:
    match = cast.rated(cast.arena())
    address = at("admin:league_arena_rerate", match.arena_id, match.season_id)
    return Sent(cast.olga, address, {"reason": "A new release"})


@form("admin:league_trial_change")
def trial(cast: Cast) -> Sent:
    tried, _job = a_trial(cast.rated(cast.arena()).season, cast.olga)
    fields = {"way": "discard", "reason": "Too slow", "seen": digest_rules(tried.season)}
    return Sent(cast.olga, at("admin:league_trial_change", tried.pk), fields)


@form("admin:league_arena_other_rules")
def other_rules(cast: Cast) -> Sent:
    place = cast.arena()
    play_duels(place, 24)
    fields = {"systems": ["laurel"], "split": "2026-01-02T12:00"}
    season = place.seasons.get()
    return Sent(cast.olga, at("admin:league_arena_other_rules", place.pk, season.pk), fields)


@form("admin:league_arenaqueue_rerun")
def rerun(cast: Cast) -> Sent:
    job = jobs.ask("queue-trial", "A re-run", by=cast.olga, now=cast.now, arena=cast.arena())
    job.state, job.result = Job.State.DONE, {"differences": []}
    job.save()
    return Sent(cast.olga, at("admin:league_arenaqueue_rerun", job.pk), {"reason": "Too slow"})


@form("admin:league_arena_evening")
def evening(cast: Cast) -> Sent:
    place = cast.arena()
    fields = {
        "side_1": [cast.player("Alice").name],
        "side_2": [cast.player("Bob").name],
        "outcome": ["3:1"],
        "played_at": f"{cast.now:%Y-%m-%dT%H:%M}",
        "reason": "Club evening",
        "token": str(uuid4()),
        "save": "1",
    }
    return Sent(cast.olga, at("admin:league_arena_evening", place.pk), fields)


@form("admin:league_arena_step")
def step(cast: Cast) -> Sent:
    slug = f"draft-{cast.tag.lower()}"
    preset = PRESETS["gw2-ranked"]
    place = from_preset(preset, name=slug, slug=slug, by=cast.olga, now=cast.now)
    fields = {
        "maps": "Forest, Temple",
        "map_choice": "veto",
        "veto_turn": "1m",
        "ready_window": "40s",
        "pools": "apart",
        "preset": "recommended",
    }
    return Sent(cast.olga, at("admin:league_arena_step", place.pk, "matches"), fields)


@form("admin:league_arena_evening_entered")
def undoing_an_evening(cast: Cast) -> Sent:
    sent = evening(cast)
    entered = sent.browser().post(sent.address, sent.fields)["Location"]
    return Sent(cast.olga, entered, {"undo": "1", "reason": "The wrong club"})


# The admin: competitions


def competition(cast: Cast, *names: str, opened: bool = True, **more: Any) -> Competition:
    season = cast.arena().seasons.get()
    one = Competition.objects.create(
        season=season,
        name=f"Cup {cast.tag}",
        starts_at=cast.now + timedelta(days=1),
        **more,
    )
    if opened:
        one = starting.open_for_entries(one.pk, by=cast.olga, now=cast.now)
    for each in names:
        entering.register(one.pk, by=cast.player(each), now=cast.now)
    return one


@form("admin:league_competition_open")
def opening(cast: Cast) -> Sent:
    one = competition(cast, opened=False)
    return Sent(cast.olga, at("admin:league_competition_open", one.pk), {"reason": "So."})


@form("admin:league_competition_start")
def beginning(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob")
    return Sent(cast.olga, at("admin:league_competition_start", one.pk), {"reason": "So."})


@form("admin:league_competition_field")
def field(cast: Cast) -> Sent:
    over = competition(cast, "Alice", "Bob")
    progress.sweep(over.starts_at)
    over.fixtures.update(result="home", decided_by="staff", decided_at=cast.now)
    progress.sweep(over.starts_at + timedelta(days=60))
    over.refresh_from_db()
    assert over.state == Competition.State.OVER
    draft = Competition.objects.create(
        season=over.season, name=f"Next {cast.tag}", starts_at=cast.now + timedelta(days=9)
    )
    address = at("admin:league_competition_field", draft.pk)
    return Sent(cast.olga, address, {"season": over.season_id, "reason": "So."})


@form("admin:league_competition_pair")
def pairing(cast: Cast) -> Sent:
    names = [f"P{number}" for number in range(5)]
    one = competition(cast, *names, format="swiss", seed=2)
    progress.sweep(one.starts_at)
    one.fixtures.undecided().update(result="home", decided_by="staff", decided_at=cast.now)
    address = at("admin:league_competition_pair", one.pk)
    shown = Sent(cast.olga, address, {}).browser().get(address).context["form"].initial["pairs"]
    return Sent(cast.olga, address, {"pairs": shown, "reason": "So."})


@form("admin:league_entrant_return")
def bringing_back(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob")
    progress.sweep(one.starts_at)
    withdrawing.withdraw(one.pk, by=cast.player("Alice"), now=cast.now)
    gone = one.entrants.get(state="withdrawn")
    return Sent(cast.olga, at("admin:league_entrant_return", gone.pk), {"reason": "So."})


@form("admin:league_entrant_bye")
def bye(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob", "Cleo", format="swiss")
    progress.sweep(one.starts_at)
    entrant = one.entrants.order_by("seed")[0]
    fields = {"round": 2, "choice": "draw", "reason": "So."}
    return Sent(cast.olga, at("admin:league_entrant_bye", entrant.pk), fields)


@form("admin:league_fixture_match")
def rated_match(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob")
    progress.sweep(one.starts_at)
    match = cast.rated(one.season.arena)
    Match.objects.filter(pk=match.pk).update(played_at=one.starts_at)
    address = at("admin:league_fixture_match", one.fixtures.get().pk)
    return Sent(cast.olga, address, {"match": match.pk, "reason": "So."})


@form("admin:league_fixture_take_off")
def counted_match(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob")
    progress.sweep(one.starts_at)
    fixture = one.fixtures.get()
    match = cast.rated(one.season.arena)
    date = Arrangement.objects.filter(game__fixture=fixture)
    date.update(match=match, state=Arrangement.State.PLAYED)
    address = at("admin:league_fixture_take_off", fixture.pk)
    return Sent(cast.olga, address, {"match": match.pk, "reason": "So."})


@form("admin:league_fixture_date")
def date(cast: Cast) -> Sent:
    one = competition(cast, "Alice", "Bob")
    progress.sweep(one.starts_at)
    fixture = one.fixtures.get()
    play_at = cast.now + timedelta(days=2)
    fields = {"play_at": f"{play_at:%Y-%m-%dT%H:%M}", "reason": "So."}
    return Sent(cast.olga, at("admin:league_fixture_date", fixture.pk), fields)
