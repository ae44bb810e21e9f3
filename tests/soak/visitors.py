"""Visitors who look at all kinds of pages, and programs that read the API."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from league.models import Arena, Match, Player, Rating
from tests.chaos.load import PAGES, Story

MANY = 300
"""Players and matches that are looked at: more than any cache of a process keeps."""


class Visitor(Story):
    """Somebody who goes from page to page."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader = self.client(kind="page")
        arenas = [f"/arenas/{slug}/" for slug in Arena.objects.values_list("slug", flat=True)]
        rated = Rating.objects.order_by("?").values_list("player", "season")[:MANY]
        matches = Match.objects.order_by("?").values_list("pk", flat=True)[:MANY]
        names = Player.objects.order_by("?").values_list("name", flat=True)[:MANY]
        self.kinds = [
            [*PAGES, "/accounts/login/", "/healthz", "/readyz"],
            [
                f"{arena}{part}"
                for arena in arenas
                for part in ("", "leaderboard/", "how-it-works/")
            ],
            [f"/api/v1{arena}leaderboard/?page={page}" for arena in arenas for page in (1, 2)],
            [f"/players/{player}/?season={season}" for player, season in rated],
            [f"{start}/matches/{match}/" for match in matches for start in ("", "/api/v1")],
            [f"/players/?q={quote(name[:3])}" for name in names],
        ]

    def step(self) -> None:
        kind = self.random.choice(self.kinds)
        address = self.random.choice(kind)
        answer = self.reader.once("GET", address)
        if answer.status >= 500 or answer.status == 0:
            self.unexpected(address, answer)
