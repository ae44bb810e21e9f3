"""The roles of staff: one table of what each may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from league.models.reach import ARENA_ORGANISER

if TYPE_CHECKING:
    from django.utils.functional import Promise

OWNER = "owner"


def to(actions: str, *models: str) -> set[str]:
    """Return the permissions to do each of ``actions`` with each of the league's ``models``."""
    return {f"league.{action}_{model}" for action in actions.split() for model in models}


def league(*codenames: str) -> set[str]:
    return {f"league.{codename}" for codename in codenames}


PLAYED = to("view", "match", "rating", "ratingevent", "pointentry", "player", "staffaction")
"""To read what happened."""
QUEUE = to("view", "ticket", "ticketmember", "proposal", "tick")
DATES = to("view", "challenge", "arrangement", "arrangementstep") | to(
    "view", "competition", "entrant", "fixture"
)
CONDUCT = to("view", "dishonoraward", "amnesty", "penaltyreason")
ROSTERS = to("view add change delete", "roster", "rostermember") | to("view", "rosterinvitation")
SET_UP = (
    to("view change", "arena")
    | to("view add change", "season", "arenaqueue")
    | to("view add change delete", "anchor", "penaltyreason")
)
TEAMS = to("view change", "team") | to("view", "teammember", "formerteamname")
RESULTS = league("decide_match", "enter_result", "correct_match")

REFEREE = PLAYED | DATES | CONDUCT | RESULTS | to("view", "arena", "season", "flag", "roster")
IN_ARENA = (
    (REFEREE | SET_UP | QUEUE | ROSTERS)
    | to("change", "flag")
    | to("add", "amnesty")
    | to("view add", "fileimport")
    | to("view", "trial")
    | to("view add change delete", "arenatext")
    | league("void_match", "penalise_player")
    | to("view add change delete", "competition")
    | league("run_competition")
    | to("view add change delete", "webhook")
    | to("view", "webhookdelivery")
    | to("view add change delete", "discordboard")
)
TEXTS = to("view add change delete", "arenatext", "announcement")
PEOPLE = (
    TEAMS
    | to("view change", "player", "user", "flag", "roster", "discipline")
    | to("view", "formername", "playerclaim", "email", "rostermember", "rosterinvitation", "arena")
    | to("view add change delete", "reservedword")
    | to("view delete", "bouncingaddress")
    | to("view add change", "case")
    | to("view change", "playerreport", "appeal")
    | league("read_file", "add_letter")
    | league("ban_player", "penalise_player", "merge_player", "decide_claim", "impersonate")
    | {"axes.view_accessattempt", "axes.delete_accessattempt", "axes.view_accesslog"}
)


@dataclass(frozen=True)
class Role:
    """A role, in words and as permissions."""

    key: str
    name: Promise
    words: Promise
    permissions: frozenset[str] | None
    """``None`` for all there are."""


ROLES = [
    Role(
        OWNER,
        _("Owner"),
        _("May do everything, and is the only one who makes owners."),
        None,
    ),
    Role(
        "organiser",
        _("Organiser"),
        _("Runs all arenas: settings, seasons, queues, results and penalties, and gives roles."),
        frozenset(
            (IN_ARENA | TEAMS | to("add delete", "arena", "arenaqueue") | to("view change", "user"))
            | to("view add change", "discipline")
            | to("view add change", "player")
            | to("view change", "leaguesettings", "maintenance", "email", "job")
            | to("view add", "backup")
            | TEXTS
            | to("view add change delete", "reservedword")
            | league("give_role")
        ),
    ),
    Role(
        ARENA_ORGANISER,
        _("Arena organiser"),
        _("Does the same in the arenas that you name, and sees nothing of the others."),
        frozenset(IN_ARENA),
    ),
    Role(
        "referee",
        _("Referee"),
        _("Decides disputes, enters and corrects results in all arenas. May not void rated ones."),
        frozenset(REFEREE),
    ),
    Role(
        "moderator",
        _("Moderator"),
        _("Looks after people: names, accounts, bans, penalties, claims, merges and flags."),
        frozenset(PEOPLE | CONDUCT | PLAYED),
    ),
    Role(
        "editor",
        _("Editor"),
        _("Writes announcements, rules of arenas and the league’s name, and keeps reserved words."),
        frozenset(
            to("view", "arena", "season")
            | to("view change", "leaguesettings")
            | to("view add change delete", "reservedword")
            | TEXTS
        ),
    ),
]
BY_KEY = {role.key: role for role in ROLES}
