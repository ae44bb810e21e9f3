"""The definitions of the slash commands."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.services.discord.calling import Reply, call
from league.services.site import languages

SUBCOMMAND, STRING = 1, 3
CHAT = 1
IN_SERVERS, IN_MESSAGES = 0, 1
LOCALES = {
    "de": "de",
    "es": "es-ES",
    "fr": "fr",
    "pl": "pl",
    "pt-br": "pt-BR",
    "zh-hans": "zh-CN",
}
"""Discord's names of languages. It has no Arabic."""


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
    """Return all commands. Discord needs required arguments first."""
    arena = argument("arena", _("The arena"), autocomplete=True)
    return [
        command(
            "rank",
            _("Show the rank and rating of a player"),
            argument("player", _("The player (by default, you)"), autocomplete=True),
            arena,
        ),
        command(
            "odds",
            _("Show your odds against an opponent and what is at stake"),
            argument("opponent", _("The player or roster"), autocomplete=True, required=True),
            arena,
        ),
        command(
            "queue",
            _("Queue for a match"),
            subcommand(
                "join",
                _("Join the queue of an arena"),
                arena,
                argument("roster", _("A roster that you lead"), autocomplete=True),
            ),
            subcommand("leave", _("Leave the queue"), arena),
            subcommand("status", _("Show your place in the queue")),
        ),
        command(
            "report",
            _("Report a result, or confirm the other side’s report"),
            argument(
                "result",
                _("Your result"),
                required=True,
                choices=[
                    {"name": _("I won"), "value": "won"},
                    {"name": _("I lost"), "value": "lost"},
                    {"name": _("We drew"), "value": "drew"},
                ],
            ),
            argument("match", _("Your open match"), autocomplete=True),
            argument("opponent", _("Or the opponent you have just played"), autocomplete=True),
            arena,
            argument("mode", _("The game mode, if the arena has several")),
        ),
        command("fixtures", _("List your next matches, or those of an arena"), arena),
    ]


def commands_in_all_languages() -> list[dict[str, Any]]:
    """Return the commands in the league's language, with those of Discord's that the site has."""
    with override(languages.of_league()):
        made = commands()
    for language in dict(settings.LANGUAGES).keys() & LOCALES.keys():
        with override(language):
            for one, translated in zip(made, commands(), strict=True):
                localize(one, translated, LOCALES[language])
    return made


def localize(one: dict[str, Any], translated: dict[str, Any], locale: str) -> None:
    """Add to a command, argument or choice what people read in another language."""
    for name in {"description"} & one.keys() or {"name"}:
        one.setdefault(f"{name}_localizations", {})[locale] = translated[name]
    for parts in ("options", "choices"):
        for part, other in zip(one.get(parts, []), translated.get(parts, []), strict=True):
            localize(part, other, locale)


def register() -> Reply:
    """Replace the registered commands with these. Doing it again changes nothing."""
    path = f"/applications/{settings.DISCORD_APPLICATION_ID}/commands"
    return call("PUT", path, commands_in_all_languages())
