"""The slash commands as Discord is told of them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from league.services.discord.calling import Reply, call

SUBCOMMAND, STRING = 1, 3
CHAT = 1
IN_SERVERS, IN_MESSAGES = 0, 1


def argument(name: str, description: str, **more: Any) -> dict[str, Any]:
    return {"type": STRING, "name": name, "description": description, **more}


def command(name: str, description: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": CHAT,
        "name": name,
        "description": description,
        "options": list(options),
        "contexts": [IN_SERVERS, IN_MESSAGES],
    }


def subcommand(name: str, description: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": SUBCOMMAND,
        "name": name,
        "description": description,
        "options": list(options),
    }


def commands() -> list[dict[str, Any]]:
    """Return all commands. Required arguments come first, as Discord wants it."""
    arena = argument("arena", _("The arena"), autocomplete=True)
    return [
        command(
            "rank",
            _("Where a player stands"),
            argument("player", _("The player, you by default"), autocomplete=True),
            arena,
        ),
        command(
            "odds",
            _("Your odds against an opponent, and what is at stake"),
            argument("opponent", _("The player or roster"), autocomplete=True, required=True),
            arena,
        ),
        command(
            "queue",
            _("Wait for a match"),
            subcommand(
                "join",
                _("Join the queue of an arena"),
                arena,
                argument("roster", _("A roster that you lead"), autocomplete=True),
            ),
            subcommand("leave", _("Leave the queue"), arena),
            subcommand("status", _("See where you are in the queue")),
        ),
        command(
            "report",
            _("Report your match, or confirm the report of the other side"),
            argument(
                "result",
                _("How it ended for you"),
                required=True,
                choices=[
                    {"name": _("I won"), "value": "won"},
                    {"name": _("I lost"), "value": "lost"},
                    {"name": _("We drew"), "value": "drew"},
                ],
            ),
            argument("match", _("A match of yours that is open"), autocomplete=True),
            argument("opponent", _("Or whom you have just played"), autocomplete=True),
            arena,
            argument("mode", _("The game mode, where there are several")),
        ),
        command("fixtures", _("Your next matches, or those of an arena"), arena),
    ]


def register() -> Reply:
    """Tell Discord of the commands, in place of those it knows. Doing it twice changes nothing."""
    return call("PUT", f"/applications/{settings.DISCORD_APPLICATION_ID}/commands", commands())
