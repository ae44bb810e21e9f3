"""A webhook of the league, and a match that it is told of."""

from collections.abc import Iterator

import pytest

from league.models import Arena, Match, Player, User, Webhook
from tests.support.cast import beats
from tests.support.webhook_steps import Receiver, listens, receiver


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
