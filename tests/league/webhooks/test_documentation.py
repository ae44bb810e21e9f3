"""docs/webhooks.md: its examples verify real messages, and it names each event."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from league.models import Arena, EventType, Player, Webhook, WebhookDelivery
from league.models.webhook import TEST
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from league.services.webhooks import messages, signing
from tests.support.cast import NOW, beats
from tests.support.node import NODE
from tests.support.webhook_steps import listens

TEXT = (Path(__file__).resolve().parents[3] / "docs/webhooks.md").read_text()
BODY = '{"type":"webhook.test","name":"Zoë"}'.encode()
MAIN = """
const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
console.log(isFromLaurel(given.secret, given.headers, Buffer.from(given.body, "utf8")));
"""


def example(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def verified_by_python(secret: str, headers: dict[str, str], body: bytes) -> bool:
    names: dict[str, Any] = {}
    exec(example("python"), names)  # noqa: S102 - our own documentation
    return bool(names["is_from_laurel"](secret, headers, body))


def verified_by_node(secret: str, headers: dict[str, str], body: bytes) -> bool:
    given = {"secret": secret, "headers": headers, "body": body.decode()}
    ran = subprocess.run(
        [NODE, "-e", example("javascript") + MAIN],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
    )
    return ran.stdout.strip() == b"true"


@pytest.mark.parametrize("verify", [verified_by_python, verified_by_node])
def test_the_examples_accept_what_is_sent_and_nothing_else(
    olga: Player, verify: Callable[[str, dict[str, str], bytes], bool]
) -> None:
    webhook = listens(olga, "https://receiver.example/")
    secret, now = signing.secret_of(webhook), database_now()
    headers = signing.headers_of(webhook, "msg_1", BODY, now)
    assert verify(secret, headers, BODY)
    assert not verify(secret, headers, BODY + b" ")
    assert not verify(secret, {**headers, "webhook-id": "msg_2"}, BODY)
    late = str(int(headers["webhook-timestamp"]) - 301)
    assert not verify(secret, {**headers, "webhook-timestamp": late}, BODY)
    assert not verify(secret, {**headers, "webhook-signature": "v1,AAAA v1a,AAAA"}, BODY)
    other = Webhook(secret_seed="other", events=[], old_secret_seed=webhook.secret_seed)
    other.old_until = now.replace(year=now.year + 1)
    assert verify(secret, signing.headers_of(other, "msg_1", BODY, now), BODY), "the secret before"


def test_each_event_is_described() -> None:
    events = TEXT.partition("## Events")[2].partition("\n\n```json")[0]
    named = set(re.findall(r"`([a-z]+\.[a-z]+)`", events)) - {"data.fixture"}
    assert named == {*EventType.values, TEST}


def keys_of(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: keys_of(each) for key, each in value.items()}
    return [keys_of(value[0])] if isinstance(value, list) and value else None


def test_the_example_has_the_form_of_a_real_message(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    listens(olga, "https://receiver.example/", "result.confirmed")
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    event = WebhookDelivery.objects.get().event
    assert keys_of(json.loads(example("json"))) == keys_of(json.loads(messages.message_of(event)))
