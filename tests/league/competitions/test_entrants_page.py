"""Olga enters a club's members on the page of the entrants."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.models import Competition, Entrant, Player
from league.services.competitions.running import starting
from tests.support.cast import NOW
from tests.support.competition_steps import begun, crowd, opened
from tests.support.result_steps import user_of
from tests.support.web_steps import textarea

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Arena


def page_of(one: Competition) -> str:
    return reverse("competition_entrants", args=[one.season.arena.slug, one.pk])


def test_names_are_checked_and_then_entered(client: Client, duel: Arena, olga: Player) -> None:
    Player.objects.create(name="Ines Sole")
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    checked = client.post(page_of(one), {"answer": "check", "names": "Ines Solé\nTom; 1500; SC"})
    text = checked.content.decode()
    assert "Is Ines Solé somebody who is here already?" in text
    assert "Enter 2 entrants" in text
    assert not one.entrants.exists()
    plan = checked.context["plan"]
    pk = plan.lines[0].choices[0][1][0][0]
    sent = {"answer": "enter", "names": checked.context["as_text"], "means-Ines Solé": pk}
    done = client.post(page_of(one), sent, follow=True)
    assert "2 entrants entered." in done.content.decode()
    assert set(one.entrants.values_list("name", "club")) == {("Ines Sole", ""), ("Tom", "SC")}


def test_a_file_other_entrants_and_ticked_players_are_one_list(
    client: Client, duel: Arena, olga: Player
) -> None:
    source = begun(duel, olga, crowd(2), "table")
    source.name = "Last year"
    source.save()
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    file = SimpleUploadedFile("club.csv", "name;elo\nZoë;1500\n".encode())
    sent = {"answer": "check", "names": "Ann", "source": source.pk, "file": file}
    checked = client.post(page_of(one), sent)
    names = [line.entry.name for line in checked.context["plan"].lines]
    numbers = [f"#{row.player_id}" for row in source.entrants.order_by("seed")]
    assert names == ["Ann", *numbers, "Zoë"]
    assert not checked.context["problems"]


def test_ticked_and_copied_players_are_checked_by_their_names(
    client: Client, duel: Arena, olga: Player
) -> None:
    source = begun(duel, olga, crowd(2), "table")
    Competition.objects.filter(pk=source.pk).update(name="Last year")
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    checked = client.post(page_of(one), {"answer": "check", "source": source.pk})
    text = checked.content.decode()
    called = [line.name for line in checked.context["plan"].lines]
    assert called == [row.name for row in source.entrants.order_by("seed")]
    assert all(f"<strong>{name}</strong>" in text for name in called)
    assert "<strong>#" not in text
    client.post(page_of(one), {"answer": "enter", "names": checked.context["as_text"]})
    again = client.post(page_of(one), {"answer": "check", "source": source.pk}).content.decode()
    assert f"“{called[0]}” has entered already." in again.replace("&quot;", '"')


def test_what_cannot_enter_is_listed_and_the_rest_can(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    long = "x" * 200
    checked = client.post(
        page_of(one), {"answer": "check", "names": f"Ann\n{long}\nann\n#99999\n\u202e"}
    )
    text = checked.content.decode()
    assert "There is no player number 99999" in text
    assert "“ann” is on line 1 already." in text
    assert "Enter 1 entrant" in text


def test_bad_requests_get_an_error_and_keep_what_was_typed(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    sends = [
        {"answer": "check"},
        {"answer": "check", "names": "A\0B"},
        {"answer": "check", "names": "\n".join(f"P{n}" for n in range(600))},
        {"answer": "enter", "names": "Ann", "means-Ann": "999999"},
        {"answer": "nonsense"},
        {"answer": "remove-77"},
        {"answer": "replace-x", "player": "nobody"},
        {"answer": "save", "seed-12": "x"},
        {"answer": "check", "file": SimpleUploadedFile("a.xlsx", b"PK\x03\x04nonsense")},
    ]
    codes = [client.post(page_of(one), sent).status_code for sent in sends]
    assert [code for code in codes if code not in {302, 400, 409}] == []
    kept = client.post(page_of(one), {"answer": "check", "names": "x\n" * 600 + "Typed before"})
    assert "Typed before" in kept.content.decode()


def test_seeds_are_saved_and_somebody_is_removed(client: Client, duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    client.post(page_of(one), {"answer": "enter", "names": "Ann\nBob"})
    ann, bob = one.entrants.order_by("pk")
    client.post(
        page_of(one),
        {"answer": "save", f"seed-{ann.pk}": "2", f"seed-{bob.pk}": "1", f"rating-{bob.pk}": "9,5"},
    )
    bob.refresh_from_db()
    assert (bob.seed, bob.rating) == (1, 9.5)
    client.post(page_of(one), {"answer": f"remove-{ann.pk}"})
    assert list(one.entrants.all()) == [bob]


def test_a_running_competition_has_withdrawals_returns_and_replacements(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "table")
    client.force_login(user_of(olga))
    client.post(page_of(one), {"answer": "enter", "names": "Ann\nBob\nCy"})
    starting.start(one.pk, by=user_of(olga), now=NOW)
    ann = one.entrants.get(name="Ann")
    client.post(page_of(one), {"answer": f"withdraw-{ann.pk}", "reason": "Ill."})
    ann.refresh_from_db()
    assert ann.state == Entrant.State.WITHDRAWN
    client.post(page_of(one), {"answer": f"return-{ann.pk}", "reason": "Well."})
    Player.objects.create(name="Dee")
    client.post(page_of(one), {"answer": f"replace-{ann.pk}", "reason": "Ill.", "player": "dee"})
    ann.refresh_from_db()
    assert ann.name == "Dee"


def test_somebody_unknown_takes_a_place_only_if_asked_for(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "table")
    client.force_login(user_of(olga))
    client.post(page_of(one), {"answer": "enter", "names": "Ann\nBob\nCy"})
    starting.start(one.pk, by=user_of(olga), now=NOW)
    ann = one.entrants.get(name="Ann")
    sent = {"answer": f"replace-{ann.pk}", "reason": "Ill today.", "player": "Otto Neu"}
    refused = client.post(page_of(one), sent)
    assert refused.status_code == 400
    page = refused.content.decode()
    assert page.count("<details open>") == 1
    assert 'value="Ill today."' in page
    assert 'value="Otto Neu"' in page
    without_reason = client.post(page_of(one), sent | {"reason": "", "add_player": "on"})
    assert without_reason.status_code == 400
    assert not Player.objects.filter(name="Otto Neu").exists()
    client.post(page_of(one), sent | {"add_player": "on"})
    ann.refresh_from_db()
    assert (ann.name, ann.player.user) == ("Otto Neu", None)


def test_a_replacement_like_a_known_player_is_asked_about(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "table")
    client.force_login(user_of(olga))
    client.post(page_of(one), {"answer": "enter", "names": "Ann\nBob"})
    Player.objects.create(name="Johannes Meier")
    starting.start(one.pk, by=user_of(olga), now=NOW)
    ann = one.entrants.get(name="Ann")
    sent = {"answer": f"replace-{ann.pk}", "reason": "Ill.", "add_player": "on"}
    refused = client.post(page_of(one), sent | {"player": "Johannes Meyer"})
    assert "Did you mean Johannes Meier?" in refused.content.decode()
    assert not Player.objects.filter(name="Johannes Meyer").exists()


def test_a_line_that_cannot_be_read_enters_nobody(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    for names in ("", "9" * 400, "Ann; nan", "Ann\nann"):
        answer = client.post(page_of(one), {"answer": "enter", "names": names})
        assert answer.status_code == 400
    assert not one.entrants.exists()


@pytest.mark.parametrize(
    "names",
    [
        "Ann\nBob; 1500; SC Kiel; bob@club.example\n",
        "Ann\n\nAnn\n; 1500\nBob; x; y; z",
        "Name;Elo;Club\nAnn;1540;SC",
        '  \nAnn <b>&amp; "Bob"',
    ],
)
def test_going_back_from_the_preview_keeps_what_was_typed(
    client: Client, duel: Arena, olga: Player, names: str
) -> None:
    source = begun(duel, olga, crowd(2), "table")
    source.name = "Last year"
    source.save()
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    sent = {"answer": "check", "names": names, "source": source.pk}
    checked = client.post(page_of(one), sent)
    back = {
        "answer": "edit",
        "names": textarea(checked, "names"),
        "typed": textarea(checked, "typed"),
        "source": source.pk,
    }
    assert f'type="hidden" name="source" value="{source.pk}"' in checked.content.decode()
    again = client.post(page_of(one), back)
    assert again.status_code == 200
    assert textarea(again, "names").split("\n") == names.strip().split("\n")
    assert f'<option value="{source.pk}" selected>' in again.content.decode()
    # An error when the list is entered keeps it, too.
    refused = client.post(page_of(one), back | {"answer": "enter", "names": ""})
    assert refused.status_code == 400
    assert textarea(refused, "names").split("\n") == names.strip().split("\n")


def test_the_rows_of_a_file_come_back_as_text(client: Client, duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    client.force_login(user_of(olga))
    for names in ("", "Ann"):
        file = SimpleUploadedFile("club.csv", "name;elo\nZoë;1500\nYve;x\n".encode())
        sent = {"answer": "check", "names": names, "file": file}
        checked = client.post(page_of(one), sent)
        back = {"answer": "edit", "typed": textarea(checked, "typed")}
        again = client.post(page_of(one), back)
        heading = ["Ann"] if names else ["name\telo"]
        assert textarea(again, "names").split("\n") == [*heading, "Zoë\t1500", "Yve\tx"]
