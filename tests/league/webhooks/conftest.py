"""A webhook of the league, and a match that it is told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.cast import beats
from tests.support.webhook_steps import listens, receiver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena, Match, Player, User, Webhook
    from tests.support.webhook_steps import Receiver


@pytest.fixture
def bot() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def owner(olga: Player) -> User:
    assert olga.user
    return olga.user


@pytest.fixture
def webhook(olga: Player, bot: Receiver, duel: Arena) -> Webhook:
    del duel  # whose season is told to nobody
    return listens(olga, bot.address)


@pytest.fixture
def match(webhook: Webhook, duel: Arena, alice: Player, charlie: Player) -> Match:
    """A report, of which the webhook is told."""
    del webhook
    return beats(alice, charlie, duel)
