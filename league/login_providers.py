"""The sites through which people can log in, besides with a password."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

SITES = {"discord": "https://discord.com", "steam": "https://steamcommunity.com"}
SECRETS = {"discord": "DISCORD_SECRET", "steam": "STEAM_CLIENT_ID"}
"""The variable with the secret of each site. Steam has one key for everything."""


def find_configured(given: Mapping[str, Any]) -> list[str]:
    """Return the sites whose keys the environment has."""
    return [site for site in SITES if given[f"{site.upper()}_CLIENT_ID"]]


def apps(given: Mapping[str, Any]) -> dict[str, dict[str, object]]:
    """Return the settings of allauth for these sites."""
    return {
        site: {
            "APPS": [
                {
                    "client_id": given[f"{site.upper()}_CLIENT_ID"],
                    "secret": given[SECRETS[site]] or "",
                }
            ]
        }
        for site in find_configured(given)
    }
