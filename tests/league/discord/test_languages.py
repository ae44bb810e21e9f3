"""Commands, answers and messages are in the reader's language: nothing is left in English."""

import json
from datetime import timedelta
from typing import Any

from league.models import Arena, ArenaQueue, DiscordMessage, NoticeKind, Player, Proposal, User
from league.services.core.clock import database_now
from league.services.discord import definitions, messages, preferences
from league.services.notices.writing import notify
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from tests.support.cast import beats, put_in_order
from tests.support.discord_steps import (
    COMMAND,
    buttons_of,
    command_data,
    linked,
    payload,
    presses,
    said,
    sends,
    types,
)
from tests.support.fake_discord import FakeDiscord
from tests.support.own_words import own_words
from tests.support.pseudo_locale import pseudo_locale, untranslated
from tests.support.queue_steps import ANYBODY


def texts_of(message: dict[str, Any]) -> list[str]:
    """Return what people read of a message, without the addresses of links."""
    shown = [line.partition("](<")[0] for line in said(message).splitlines()]
    return [*shown, *(button["label"] for button in buttons_of(message))]


def test_every_command_is_translated() -> None:
    texts: list[str] = []

    def read(option: dict[str, Any]) -> None:
        texts.append(option["description"])
        texts.extend(choice["name"] for choice in option.get("choices", []))
        for one in option.get("options", []):
            read(one)

    with pseudo_locale():
        for command in definitions.commands():
            read(command)
    assert len(texts) > 15
    assert not untranslated(texts, own_words())


def test_every_answer_is_translated(
    discord: FakeDiscord, duel: Arena, alice: Player, charlie: Player
) -> None:
    rules = {"queue": {**ANYBODY, "roster_min": 1, "roster_max": 1}, "team_size": 1}
    ArenaQueue.objects.create(arena=duel, matcher="new", rules=rules)
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=database_now())
    put_in_order()
    one, other = linked(alice), linked(charlie)
    preferences.choose(charlie, is_on=True, kinds=["found", "reported"])
    with pseudo_locale():
        found = [
            types("7", "queue", "status"),
            types("7", "nonsense"),
            types(one, "rank"),
            types(one, "odds", opponent="Charlie"),
            types(one, "fixtures"),
            types(one, "queue", "status"),
            types(one, "queue", "leave"),
            types(one, "queue", "join"),
            types(other, "queue", "join"),
            types(one, "report", result="won"),
            types(one, "report", result="x"),
        ]
        tick(duel.pk, now=database_now() + timedelta(minutes=1), seed=1)
        Proposal.objects.update(deadline=database_now() + timedelta(minutes=1))
        asked = types(one, "queue", "status")
        found += [asked, presses(one, buttons_of(asked)[0])["data"]]
        found += [types(one, "queue", "status")]
        messages.send_due()
        found += [presses(other, buttons_of(asked)[0])["data"]]
        found += [types(one, "report", result="won", opponent="Charlie", arena="duel")]
        notify([charlie], NoticeKind.DISCORD, database_now())
        DiscordMessage.objects.filter(state="waiting").update(next_attempt_at=database_now())
        messages.send_due()
        found += discord.told(other)
    assert len(discord.told(other)) == 2
    texts = [text for message in found for text in texts_of(message)]
    names = [*own_words(), "Alice", "Charlie", "Duel"]
    assert not untranslated(texts, names)


def test_answers_are_in_the_language_of_the_discord_user_or_the_account(alice: Player) -> None:
    def says(uid: str, locale: str) -> str:
        asked = payload(COMMAND, command_data("nonsense", "", {}), by=uid) | {"locale": locale}
        return str(json.loads(sends(json.dumps(asked).encode()).content)["data"])

    english, german = says("7", "en-US"), says("7", "de")
    assert english != german
    assert says("7", "fi") == english
    uid = linked(alice)
    assert says(uid, "de") == german
    User.objects.filter(player=alice).update(language="en")
    assert says(uid, "de") == english
