"""A player whose account is about to be deleted."""

import pytest
from allauth.account.models import EmailAddress

from league.models import Player
from tests.support.cast import account
from tests.support.deletion_steps import ADDRESS, NAME, user_of


@pytest.fixture
def zoro(db: None) -> Player:
    made = account(NAME)
    user = user_of(made)
    user.email = ADDRESS
    user.save()
    EmailAddress.objects.create(user=user, email=ADDRESS, verified=True, primary=True)
    return made
