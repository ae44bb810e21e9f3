"""What people typed, which no translation changes."""

from itertools import chain

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.models import Group, Permission

from league.models import (
    AccessToken,
    Announcement,
    App,
    Arena,
    ArrangementMessage,
    ArrangementStep,
    Case,
    Competition,
    EvidenceImage,
    FileImport,
    ImageRemoval,
    Job,
    Match,
    MatchMap,
    MatchMessage,
    Objection,
    Player,
    PlayerReport,
    Profile,
    PushDevice,
    Roster,
    Season,
    StaffAction,
    Team,
    User,
    Webhook,
)
from league.models.reach import Role
from league.services.competitions.standings.tie_breaks import TIE_BREAKS
from matchmaking.presets import PRESETS
from ratings import divisions
from ratings.tunables import durations, spans

BRAND = [
    "UTC",
    "testserver",
    "Laurel",
    "Discord",
    "Steam",
    "Elo",
    "Glicko",
    "TrueSkill",
    "Codeforces",
    "Topcoder",
    "CSV",
    "JSON",
    "XLSX",
    "ID",
    "argon2id",
    "argon2",
    durations.EXAMPLES,
    spans.EXAMPLES,
    *PRESETS,
    *TIE_BREAKS,
]
"""Names that are the same in every language."""


def own_words() -> list[str]:
    """Return what people typed, and names that are the same in every language."""
    typed: list[str] = list(BRAND)
    for model, *fields in (
        (Player, "name"),
        (PushDevice, "name"),
        (Profile, "about"),
        (Announcement, "text"),
        (User, "username", "email"),
        (EmailAddress, "email"),
        (Arena, "name", "slug", "description"),
        (Roster, "name"),
        (Team, "name", "tag"),
        (Season, "name"),
        (Competition, "name"),
        (Match, "dispute_reason"),
        (MatchMessage, "text"),
        (Objection, "reason"),
        (ArrangementMessage, "text"),
        (ArrangementStep, "reason"),
        (EvidenceImage, "description"),
        (FileImport, "file_name"),
        (ImageRemoval, "reason"),
        (Job, "title"),
        (StaffAction, "reason"),
        (PlayerReport, "text"),
        (Case, "title"),
        (App, "name", "id"),
        (AccessToken, "name", "start"),
        (Webhook, "name", "address"),
        (Group, "name"),
        (Permission, "name"),
        (Role, "key"),
    ):
        for field in fields:
            typed += model._default_manager.values_list(field, flat=True)
    for names in Arena.objects.values_list("modes", "regions", "maps"):
        typed += chain.from_iterable(names)
    for maps in MatchMap.objects.values_list("maps", flat=True):
        typed += maps
    for season in Season.objects.all():
        typed += [cut.name for cut in season.season_rules().divisions.divisions]
    typed += [cut.name for cut in divisions.DEFAULT.divisions]
    typed += [str(app.verbose_name) for app in apps.get_app_configs() if app.name != "league"]
    return [word for word in {str(word) for word in typed} if word]
