"""docs/discord.md names each command and setting, and links to existing pages."""

from __future__ import annotations

import re
from pathlib import Path

from django.urls import reverse

from league.environment import VARIABLES
from league.services.discord import definitions

DOCS = Path(__file__).resolve().parents[3] / "docs"
TEXT = (DOCS / "discord.md").read_text()


def test_each_command_and_argument_is_described() -> None:
    for command in definitions.commands():
        assert f"`/{command['name']}" in TEXT
    for step in ("join", "leave", "status"):
        assert f"`/queue {step}" in TEXT


def test_each_setting_is_described_and_each_address_exists() -> None:
    for variable in VARIABLES:
        if variable.name.startswith("DISCORD_"):
            assert f"`{variable.name}`" in TEXT
    for name in ("discord_interactions", "discord_settings", "discord_callback"):
        assert reverse(name) in TEXT
    for page in re.findall(r"\]\(([a-z-]+\.md)", TEXT):
        assert (DOCS / page).is_file()
