"""What the league remembers."""

from league.models.archive import Award, FinalStanding
from league.models.arena import Arena, Format
from league.models.arrangement import Arrangement, ArrangementStep
from league.models.challenge import Challenge
from league.models.correction import (
    Correction,
    CorrectionKind,
    CorrectionRequest,
    MemoryCheckpoint,
)
from league.models.dishonor import Amnesty, Discipline, DishonorAward, Offence
from league.models.division import DivisionChange, DivisionNews
from league.models.match import Match, Participant, Settlement, Side, Status
from league.models.player import NameStart, Player, User
from league.models.points import FinalPoints, PointEntry, PointTally, PointTotal
from league.models.preference import RankPreference
from league.models.queue import ArenaQueue
from league.models.rating import Rating, RatingEvent
from league.models.roster import Roster, RosterInvitation, RosterMember
from league.models.season import Season
from league.models.staff import StaffAction
from league.models.standing import (
    Standing,
    StandingChange,
    StandingCuts,
    StandingDay,
    StandingDayRanks,
    StandingHistogram,
)
from league.models.tick import Tick
from league.models.ticket import Proposal, Ticket, TicketMember

__all__ = [
    "Amnesty",
    "Arena",
    "ArenaQueue",
    "Arrangement",
    "ArrangementStep",
    "Award",
    "Challenge",
    "Correction",
    "CorrectionKind",
    "CorrectionRequest",
    "Discipline",
    "DishonorAward",
    "DivisionChange",
    "DivisionNews",
    "FinalPoints",
    "FinalStanding",
    "Format",
    "Match",
    "MemoryCheckpoint",
    "NameStart",
    "Offence",
    "Participant",
    "Player",
    "PointEntry",
    "PointTally",
    "PointTotal",
    "Proposal",
    "RankPreference",
    "Rating",
    "RatingEvent",
    "Roster",
    "RosterInvitation",
    "RosterMember",
    "Season",
    "Settlement",
    "Side",
    "StaffAction",
    "Standing",
    "StandingChange",
    "StandingCuts",
    "StandingDay",
    "StandingDayRanks",
    "StandingHistogram",
    "Status",
    "Tick",
    "Ticket",
    "TicketMember",
    "User",
]
