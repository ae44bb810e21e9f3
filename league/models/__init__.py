"""What the league remembers."""

from league.models.accuracy import SeasonAccuracy
from league.models.anchor import Anchor
from league.models.answer import CounterReport, MatchMessage, ReportChange
from league.models.archive import Award, FinalStanding
from league.models.arena import Arena, Format
from league.models.arrangement import Arrangement, ArrangementStep
from league.models.arrangement_parts import ArrangementMessage, NoShowPlayer
from league.models.backup import Backup
from league.models.challenge import Challenge
from league.models.claim import PlayerClaim
from league.models.correction import (
    Correction,
    CorrectionKind,
    CorrectionRequest,
    MemoryCheckpoint,
)
from league.models.day_one import DayOne
from league.models.dishonor import (
    ANOTHER_REASON,
    Amnesty,
    Discipline,
    DishonorAward,
    Offence,
    PenaltyReason,
)
from league.models.division import DivisionChange, DivisionNews
from league.models.evidence import EvidenceContent, EvidenceImage, ImageRemoval
from league.models.flag import Flag
from league.models.former_name import FormerName
from league.models.lookalikes import ReservedWord
from league.models.mail import BouncingAddress, Email
from league.models.match import Confirmation, Match, Participant, Side
from league.models.match_event import MatchEvent
from league.models.match_figures import PlayerFigures
from league.models.match_states import Agreement, Settlement, Status
from league.models.merge import MergeRequest
from league.models.notice import MAILED, MailPreference, Notice, NoticeKind
from league.models.objection import Objection
from league.models.player import NameStart, Player, User
from league.models.points import FinalPoints, PointEntry, PointTally, PointTotal
from league.models.preference import RankPreference, RegionPreference
from league.models.queue import ArenaQueue
from league.models.rating import Rating, RatingEvent
from league.models.roster import InvitationDay, Roster, RosterInvitation, RosterMember
from league.models.season import Season
from league.models.setup import DemoRequest, SetupCode
from league.models.staff import StaffAction
from league.models.standing import (
    Standing,
    StandingChange,
    StandingConnections,
    StandingCuts,
    StandingDay,
    StandingDayRanks,
    StandingHistogram,
)
from league.models.tick import Tick
from league.models.ticket import Proposal, Ticket, TicketMember

__all__ = [
    "ANOTHER_REASON",
    "MAILED",
    "Agreement",
    "Amnesty",
    "Anchor",
    "Arena",
    "ArenaQueue",
    "Arrangement",
    "ArrangementMessage",
    "ArrangementStep",
    "Award",
    "Backup",
    "BouncingAddress",
    "Challenge",
    "Confirmation",
    "Correction",
    "CorrectionKind",
    "CorrectionRequest",
    "CounterReport",
    "DayOne",
    "DemoRequest",
    "Discipline",
    "DishonorAward",
    "DivisionChange",
    "DivisionNews",
    "Email",
    "EvidenceContent",
    "EvidenceImage",
    "FinalPoints",
    "FinalStanding",
    "Flag",
    "Format",
    "FormerName",
    "ImageRemoval",
    "InvitationDay",
    "MailPreference",
    "Match",
    "MatchEvent",
    "MatchMessage",
    "MemoryCheckpoint",
    "MergeRequest",
    "NameStart",
    "NoShowPlayer",
    "Notice",
    "NoticeKind",
    "Objection",
    "Offence",
    "Participant",
    "PenaltyReason",
    "Player",
    "PlayerClaim",
    "PlayerFigures",
    "PointEntry",
    "PointTally",
    "PointTotal",
    "Proposal",
    "RankPreference",
    "Rating",
    "RatingEvent",
    "RegionPreference",
    "ReportChange",
    "ReservedWord",
    "Roster",
    "RosterInvitation",
    "RosterMember",
    "Season",
    "SeasonAccuracy",
    "Settlement",
    "SetupCode",
    "Side",
    "StaffAction",
    "Standing",
    "StandingChange",
    "StandingConnections",
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
