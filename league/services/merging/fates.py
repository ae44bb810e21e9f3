"""The effect of a merge on every row that refers to a player.

Each foreign key to a player has a rule here, and a test fails for one without. Two things never
move: what archives say, and matches that are void and had both players. They keep the merged
player's name, whose page leads to the player who stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Fate(Enum):
    """The fate of rows that refer to the merged player."""

    MOVES = auto()
    """They refer to the player who stays."""
    RATED_AGAIN = auto()
    """Seasons that are not archived are rated again as if one player had played all matches."""
    STAYS = auto()
    """They keep referring to the merged player."""
    DROPPED = auto()
    """They are deleted."""


class Twin(Enum):
    """The fate of a row of which the player who stays has one, too."""

    NEVER = auto()
    """There is no such row."""
    DROPPED = auto()
    """The merged player's row is deleted."""
    STAYS = auto()
    """The merged player's row stays with them."""


@dataclass(frozen=True)
class Rule:
    """The rule for one foreign key to a player."""

    fate: Fate
    match: str = ""
    """The lookup of the match that a row is about. It stays or moves with the match."""
    season: str = ""
    """The lookup of the season that a row is about. Rows of archived seasons stay."""
    once: tuple[str, ...] = ()
    """With the player, these identify a row."""
    twin: Twin = Twin.NEVER


MOVES = Rule(Fate.MOVES)
RATED_AGAIN = Rule(Fate.RATED_AGAIN)
STAYS = Rule(Fate.STAYS)
OF_MATCH = Rule(Fate.MOVES, match="match")

RULES: dict[str, Rule] = {
    # Results
    "Participant.player": OF_MATCH,
    "PlayerFigures.player": OF_MATCH,
    "Side.captain": OF_MATCH,
    "Match.reported_by": Rule(Fate.MOVES, match="pk"),
    "Match.disputed_by": Rule(Fate.MOVES, match="pk"),
    "Match.confirmed_by": Rule(Fate.MOVES, match="pk"),
    "Confirmation.player": OF_MATCH,
    "CounterReport.reporter": OF_MATCH,
    "CounterReport.against": OF_MATCH,
    "CounterReport.answered_by": OF_MATCH,
    "ReportChange.by": OF_MATCH,
    "MatchMessage.player": OF_MATCH,
    "Objection.player": OF_MATCH,
    "FillIn.player": Rule(Fate.MOVES, match="match", once=("match",), twin=Twin.STAYS),
    "MapBan.by": Rule(Fate.MOVES, match="choice__match"),
    # Ratings and points
    "Rating.player": RATED_AGAIN,
    "Anchor.player": STAYS,  # anchors cannot be merged
    "RatingEvent.player": RATED_AGAIN,
    "MemoryCheckpoint.player": RATED_AGAIN,
    "HindsightCurve.player": Rule(
        Fate.MOVES, season="season", once=("season",), twin=Twin.DROPPED
    ),  # until the next night computes both as one
    "PointEntry.player": RATED_AGAIN,
    "PointTotal.player": RATED_AGAIN,
    # Archives, and the ledger of what standings said at the time
    "FinalStanding.player": STAYS,
    "FinalPoints.player": STAYS,
    "Award.player": STAYS,
    "TrialMove.player": STAYS,
    "DivisionChange.player": STAYS,
    "DivisionNews.player": Rule(Fate.DROPPED),
    # Conduct: bans and penalties of both count. One offence is one penalty.
    "DishonorAward.player": Rule(Fate.MOVES, once=("match", "offence"), twin=Twin.STAYS),
    "Flag.player": Rule(Fate.MOVES, season="season"),
    "Flag.other": Rule(Fate.MOVES, season="season"),
    # What moderators work on
    "PlayerReport.reporter": MOVES,
    "PlayerReport.reported": MOVES,
    "CasePlayer.player": Rule(Fate.MOVES, once=("case",), twin=Twin.DROPPED),
    # People
    "FormerName.player": MOVES,
    "PlayerClaim.player": MOVES,
    "PlayerInvitation.player": Rule(Fate.MOVES, once=("",), twin=Twin.DROPPED),
    "Player.merged_into": MOVES,
    "MergeRequest.kept": STAYS,
    "MergeRequest.merged": STAYS,
    "Roster.captain": MOVES,
    "RosterMember.player": Rule(Fate.MOVES, once=("roster",), twin=Twin.DROPPED),
    "RosterInvitation.player": Rule(Fate.MOVES, once=("roster",), twin=Twin.DROPPED),
    "InvitationDay.captain": Rule(Fate.MOVES, once=("day",), twin=Twin.DROPPED),
    "Team.successor": MOVES,
    "TeamMember.player": MOVES,  # two present members of one team cannot be merged
    "TeamInvitation.player": MOVES,
    "TeamInvitation.invited_by": MOVES,
    "StandIn.player": Rule(Fate.MOVES, once=("arena",), twin=Twin.DROPPED),
    # Challenges, dates and queues
    "Challenge.challenger": Rule(Fate.MOVES, season="season"),
    "Challenge.challenged": Rule(Fate.MOVES, season="season"),
    "Arrangement.proposer": MOVES,
    "Arrangement.opponent": MOVES,
    "Arrangement.asked": MOVES,
    "Arrangement.claimed_by": MOVES,
    "ArrangementStep.by": MOVES,
    "ArrangementMessage.player": MOVES,
    "LiveScore.player": MOVES,
    "NoShowPlayer.player": Rule(Fate.MOVES, once=("arrangement",), twin=Twin.DROPPED),
    "Guess.player": Rule(Fate.MOVES, once=("arrangement",), twin=Twin.DROPPED),
    "Entrant.player": Rule(Fate.MOVES, once=("competition",), twin=Twin.STAYS),
    "Ticket.captain": MOVES,
    "TicketMember.player": Rule(Fate.MOVES, once=("ticket",), twin=Twin.STAYS),
    "RankPreference.player": Rule(Fate.MOVES, once=("arena",), twin=Twin.DROPPED),
    "RegionPreference.player": Rule(Fate.MOVES, once=("arena",), twin=Twin.DROPPED),
    # Whom they follow and block, and their last visit
    "Follow.player": MOVES,
    "Follow.followed": MOVES,
    "Block.player": MOVES,
    "Block.blocked": MOVES,
    "Visit.player": Rule(Fate.DROPPED),
    # What they show of themselves
    "Profile.player": Rule(Fate.DROPPED),
    "PlayerPicture.player": Rule(Fate.DROPPED),
    # Notices
    "Notice.player": MOVES,
    "Notice.actor": MOVES,
    "BadgeNote.player": Rule(Fate.MOVES, once=("kind",), twin=Twin.DROPPED),
    "CalendarAddress.player": Rule(Fate.DROPPED),
    "MailPreference.player": Rule(Fate.MOVES, once=("",), twin=Twin.DROPPED),
    "DiscordPreference.player": Rule(Fate.MOVES, once=("",), twin=Twin.DROPPED),
    "WeeklyMail.player": Rule(Fate.DROPPED),
    "PushDevice.player": Rule(Fate.MOVES),
    "PushPreference.player": Rule(Fate.MOVES, once=("",), twin=Twin.DROPPED),
}
"""By model and field."""
