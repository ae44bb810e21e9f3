"""Players who want direct messages on Discord, and messages that are due."""

from league.models import DiscordMessage, NoticeKind, Player
from league.services.core.clock import database_now
from league.services.discord import messages, preferences
from tests.support.discord_steps import linked


def wants(player: Player, *kinds: NoticeKind) -> str:
    """Link a player's account and let them want messages. Return the id in Discord."""
    preferences.choose(player, is_on=True, kinds=[kind.value for kind in kinds])
    return linked(player)


def send_later() -> int:
    """Send what is due once its readers have had time to see it on the site."""
    DiscordMessage.objects.filter(next_attempt_at__isnull=False).update(
        next_attempt_at=database_now()
    )
    return messages.send_due()


def state_of(player: Player) -> list[str]:
    return list(
        DiscordMessage.objects.filter(notice__player=player)
        .order_by("notice")
        .values_list("state", flat=True)
    )
