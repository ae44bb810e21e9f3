"""The tables of the league."""

from league.models.access_token import AccessToken, Scope, UsedNonce
from league.models.accuracy import SeasonAccuracy
from league.models.anchor import Anchor
from league.models.answer import Confirmation, CounterReport, MatchMessage, ReportChange
from league.models.archive import Award, FinalStanding
from league.models.arena import Arena, Format, MapChoice
from league.models.arena_day import ArenaDay
from league.models.arrangement import Arrangement, ArrangementStep
from league.models.arrangement_parts import ArrangementMessage, CalendarAddress, NoShowPlayer
from league.models.backup import Backup
from league.models.badge import BadgeKind, BadgeNote, BadgeWatch
from league.models.challenge import Challenge
from league.models.claim import PlayerClaim
from league.models.competition import Competition, Entrant
from league.models.connected_app import App, ConnectedApp, SigningKey, SpentGrant
from league.models.correction import (
    CorrectedMatch,
    Correction,
    CorrectionKind,
    CorrectionRequest,
    MemoryCheckpoint,
    Undoing,
)
from league.models.data_export import DataExport
from league.models.day_one import DayOne
from league.models.discord import (
    DiscordBoard,
    DiscordInteraction,
    DiscordMessage,
    DiscordPreference,
)
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
from league.models.file_import import FileContent, FileImport
from league.models.fill_in import FillIn
from league.models.fixture import Fixture, FixtureGame, Round
from league.models.flag import Flag
from league.models.following import Block, Follow
from league.models.former_name import FormerName
from league.models.guess import Guess
from league.models.hindsight import HindsightCurve, SeasonHindsight
from league.models.job import Job
from league.models.leaving import AccountDeletion, BarredAddress
from league.models.letter import Letter
from league.models.live_score import LiveScore
from league.models.lookalikes import ReservedWord
from league.models.mail import BouncingAddress, Email
from league.models.map_choice import MapBan, MatchMap
from league.models.match import Match, Participant, Side
from league.models.match_event import MatchEvent
from league.models.match_figures import PlayerFigures
from league.models.match_states import Agreement, Settlement, Status
from league.models.merge import MergeRequest
from league.models.moderation import Appeal, Case, CaseNote, CasePlayer, PlayerReport
from league.models.notice import MAILED, MailPreference, Notice, NoticeKind, WeeklyMail
from league.models.objection import Objection
from league.models.player import NameStart, Player, Theme, User
from league.models.player_invitation import PlayerInvitation
from league.models.points import FinalPoints, PointEntry, PointTally, PointTotal
from league.models.preference import RankPreference, RegionPreference
from league.models.profile import PlayerPicture, Profile
from league.models.push import PushDevice, PushKey, PushMessage, PushPreference
from league.models.queue import ArenaQueue
from league.models.rating import Rating, RatingEvent
from league.models.reach import ArenaOrganiser, Role
from league.models.roster import InvitationDay, Roster, RosterInvitation, RosterMember
from league.models.rules_version import RulesVersion, Trial, TrialMove
from league.models.saved_filter import SavedFilter
from league.models.season import Season
from league.models.sent_request import SentRequest
from league.models.setup import DemoRequest, SetupCode
from league.models.site import (
    Announcement,
    ArenaText,
    LeagueLogo,
    LeagueSettings,
    Maintenance,
)
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
from league.models.team import (
    LEADING,
    FormerTeamName,
    StandIn,
    Team,
    TeamInvitation,
    TeamMember,
    TeamPicture,
    TeamRole,
)
from league.models.team_rating import TeamRating, TeamReplay
from league.models.tick import Tick
from league.models.ticket import Proposal, Ticket, TicketArena, TicketMember
from league.models.tv_code import TvCode
from league.models.visit import Visit
from league.models.webhook import (
    EventType,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEvent,
)

__all__ = [
    "ANOTHER_REASON",
    "LEADING",
    "MAILED",
    "AccessToken",
    "AccountDeletion",
    "Agreement",
    "Amnesty",
    "Anchor",
    "Announcement",
    "App",
    "Appeal",
    "Arena",
    "ArenaDay",
    "ArenaOrganiser",
    "ArenaQueue",
    "ArenaText",
    "Arrangement",
    "ArrangementMessage",
    "ArrangementStep",
    "Award",
    "Backup",
    "BadgeKind",
    "BadgeNote",
    "BadgeWatch",
    "BarredAddress",
    "Block",
    "BouncingAddress",
    "CalendarAddress",
    "Case",
    "CaseNote",
    "CasePlayer",
    "Challenge",
    "Competition",
    "Confirmation",
    "ConnectedApp",
    "CorrectedMatch",
    "Correction",
    "CorrectionKind",
    "CorrectionRequest",
    "CounterReport",
    "DataExport",
    "DayOne",
    "DemoRequest",
    "Discipline",
    "DiscordBoard",
    "DiscordInteraction",
    "DiscordMessage",
    "DiscordPreference",
    "DishonorAward",
    "DivisionChange",
    "DivisionNews",
    "Email",
    "Entrant",
    "EventType",
    "EvidenceContent",
    "EvidenceImage",
    "FileContent",
    "FileImport",
    "FillIn",
    "FinalPoints",
    "FinalStanding",
    "Fixture",
    "FixtureGame",
    "Flag",
    "Follow",
    "Format",
    "FormerName",
    "FormerTeamName",
    "Guess",
    "HindsightCurve",
    "ImageRemoval",
    "InvitationDay",
    "Job",
    "LeagueLogo",
    "LeagueSettings",
    "Letter",
    "LiveScore",
    "MailPreference",
    "Maintenance",
    "MapBan",
    "MapChoice",
    "Match",
    "MatchEvent",
    "MatchMap",
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
    "PlayerInvitation",
    "PlayerPicture",
    "PlayerReport",
    "PointEntry",
    "PointTally",
    "PointTotal",
    "Profile",
    "Proposal",
    "PushDevice",
    "PushKey",
    "PushMessage",
    "PushPreference",
    "RankPreference",
    "Rating",
    "RatingEvent",
    "RegionPreference",
    "ReportChange",
    "ReservedWord",
    "Role",
    "Roster",
    "RosterInvitation",
    "RosterMember",
    "Round",
    "RulesVersion",
    "SavedFilter",
    "Scope",
    "Season",
    "SeasonAccuracy",
    "SeasonHindsight",
    "SentRequest",
    "Settlement",
    "SetupCode",
    "Side",
    "SigningKey",
    "SpentGrant",
    "StaffAction",
    "StandIn",
    "Standing",
    "StandingChange",
    "StandingConnections",
    "StandingCuts",
    "StandingDay",
    "StandingDayRanks",
    "StandingHistogram",
    "Status",
    "Team",
    "TeamInvitation",
    "TeamMember",
    "TeamPicture",
    "TeamRating",
    "TeamReplay",
    "TeamRole",
    "Theme",
    "Tick",
    "Ticket",
    "TicketArena",
    "TicketMember",
    "Trial",
    "TrialMove",
    "TvCode",
    "Undoing",
    "UsedNonce",
    "User",
    "Visit",
    "Webhook",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookEvent",
    "WeeklyMail",
]
