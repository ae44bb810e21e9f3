"""Presets fill in the form of a competition, which can then be opened and drawn."""

from datetime import timedelta
from urllib.parse import parse_qsl

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.admin.competitions.presets import PRESETS, Preset
from league.models import Arena, Competition, Player
from league.services.competitions.running import entering_by_staff, starting
from league.services.people.entry_lists import read_list
from tests.support.result_steps import user_of

ADD = "/admin/league/competition/add/"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: str(preset.name))
def test_a_preset_makes_a_competition(
    client: Client, duel: Arena, olga: Player, preset: Preset
) -> None:
    client.force_login(user_of(olga))
    assert preset.query.replace("&", "&amp;") in client.get(ADD).content.decode()
    assert (
        f'{reverse("admin:league_arena_start")}#preset-racing"' in client.get(ADD).content.decode()
    )
    form = client.get(f"{ADD}?{preset.query}").context["adminform"].form
    assert {name: form[name].value() for name in preset.values} == dict(parse_qsl(preset.query))
    start = timezone.now() + timedelta(days=2)
    typed = {
        "season": duel.seasons.get().pk,
        "name": "Autumn Cup",
        "level": 1,
        "starts_at_0": start.date().isoformat(),
        "starts_at_1": "20:00",
    }
    answer = client.post(ADD, typed | dict(parse_qsl(preset.query)))
    assert answer.status_code == 302
    one = Competition.objects.get()
    rules = one.ruled_by().to_json()
    for field, value in preset.values.items():
        group, _, name = field.partition("__")
        if name:
            wanted = {"on": "True"}.get(value, value)
            found = rules.get(group, {}).get(name, getattr(getattr(one.ruled_by(), group), name))
            assert str(found).removesuffix(".0") == wanted
    client.post(f"/admin/league/competition/{one.pk}/open/")
    names = "\n".join(["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gil", "Hal"])
    by, now = user_of(olga), timezone.now()
    entering_by_staff.enter(one.pk, read_list(names).entries, {}, by=by, now=now)
    starting.start(one.pk, by=by, now=now)
    one.refresh_from_db()
    assert one.state == Competition.State.RUNNING
    assert one.fixtures.count() >= 4
