"""Steps with results and the rules by which they count."""

from league.models import Arena, Player, User
from league.services.core.types import PlayedBy, ReportedSide
from tests.support.cast import side


def rules(arena: Arena, **changes: object) -> None:
    """Change the result rules of an arena."""
    arena.result_rules = changes
    arena.full_clean(validate_constraints=False)  # saving does
    arena.save()


def placed(*players: Player) -> list[ReportedSide]:
    """A free-for-all of these players in order of finish."""
    return [side(player, place=place) for place, player in enumerate(players)]


def quitting(player: Player, place: int) -> ReportedSide:
    return ReportedSide(player, [PlayedBy(player, quit=True)], place)


def user_of(player: Player) -> User:
    assert player.user
    return player.user


def closed_to_captains(arena: Arena) -> Arena:
    arena.result_rules = {"reporters": "organisers"}
    arena.save()
    return arena
