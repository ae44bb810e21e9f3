"""The admin: where staff set up arenas, look after people and see what happened."""

from league.admin.apps.apps import AppAdmin
from league.admin.arenas.arenas import ArenaAdmin
from league.admin.competitions.competitions import CompetitionAdmin
from league.admin.competitions.entrants import EntrantAdmin
from league.admin.competitions.fixtures import FixtureAdmin
from league.admin.core.staff import StaffActionAdmin
from league.admin.dates.arrangements import ArrangementAdmin
from league.admin.discord.boards import DiscordBoardAdmin
from league.admin.dishonor.amnesties import AmnestyAdmin
from league.admin.dishonor.ledgers import DisciplineAdmin, DishonorAwardAdmin
from league.admin.integrity.flags import FlagAdmin
from league.admin.jobs.jobs import JobAdmin
from league.admin.ladder.challenges import ChallengeAdmin
from league.admin.moderation.appeals import AppealAdmin
from league.admin.moderation.cases import CaseAdmin
from league.admin.moderation.reports import PlayerReportAdmin
from league.admin.notices.mail import BouncingAddressAdmin, EmailAdmin
from league.admin.other_rules.trials import TrialAdmin
from league.admin.people.claims import PlayerClaimAdmin
from league.admin.people.players import PlayerAdmin, ReservedWordAdmin
from league.admin.people.rosters import RosterAdmin
from league.admin.people.tokens import AccessTokenAdmin
from league.admin.people.users import AccountAdmin
from league.admin.points.entries import PointEntryAdmin
from league.admin.queue.queues import ArenaQueueAdmin
from league.admin.queue.seats import ProposalAdmin, TicketAdmin
from league.admin.queue.ticks import TickAdmin
from league.admin.rating.ratings import RatingAdmin, RatingEventAdmin
from league.admin.results.matches import MatchAdmin
from league.admin.site.pages import LeagueSettingsAdmin, MaintenanceAdmin
from league.admin.site.texts import AnnouncementAdmin, ArenaTextAdmin
from league.admin.teams.teams import TeamAdmin
from league.admin.transfer.imports import FileImportAdmin
from league.admin.webhooks.deliveries import WebhookDeliveryAdmin
from league.admin.webhooks.webhooks import WebhookAdmin

__all__ = [
    "AccessTokenAdmin",
    "AccountAdmin",
    "AmnestyAdmin",
    "AnnouncementAdmin",
    "AppAdmin",
    "AppealAdmin",
    "ArenaAdmin",
    "ArenaQueueAdmin",
    "ArenaTextAdmin",
    "ArrangementAdmin",
    "BouncingAddressAdmin",
    "CaseAdmin",
    "ChallengeAdmin",
    "CompetitionAdmin",
    "DisciplineAdmin",
    "DiscordBoardAdmin",
    "DishonorAwardAdmin",
    "EmailAdmin",
    "EntrantAdmin",
    "FileImportAdmin",
    "FixtureAdmin",
    "FlagAdmin",
    "JobAdmin",
    "LeagueSettingsAdmin",
    "MaintenanceAdmin",
    "MatchAdmin",
    "PlayerAdmin",
    "PlayerClaimAdmin",
    "PlayerReportAdmin",
    "PointEntryAdmin",
    "ProposalAdmin",
    "RatingAdmin",
    "RatingEventAdmin",
    "ReservedWordAdmin",
    "RosterAdmin",
    "StaffActionAdmin",
    "TeamAdmin",
    "TickAdmin",
    "TicketAdmin",
    "TrialAdmin",
    "WebhookAdmin",
    "WebhookDeliveryAdmin",
]
