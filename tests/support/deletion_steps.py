"""An account to delete, with a name and an address that are nowhere else in the database."""

from league.models import Player, User
from league.services.privacy import deleting
from tests.support.cast import NOW

LATER = NOW + deleting.GRACE
NAME, ADDRESS = "Zorobabel", "zoro@mail.example"


def user_of(player: Player) -> User:
    assert player.user
    return player.user
