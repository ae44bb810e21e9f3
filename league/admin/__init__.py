"""The admin: where staff set up arenas, look after people and see what happened."""

from league.admin.arenas.arenas import ArenaAdmin
from league.admin.arranging.arrangements import ArrangementAdmin
from league.admin.core.staff import StaffActionAdmin
from league.admin.dishonor.amnesties import AmnestyAdmin
from league.admin.dishonor.ledgers import DisciplineAdmin, DishonorAwardAdmin
from league.admin.integrity.flags import FlagAdmin
from league.admin.ladder.challenges import ChallengeAdmin
from league.admin.notices.mail import BouncingAddressAdmin, EmailAdmin
from league.admin.people.claims import PlayerClaimAdmin
from league.admin.people.players import PlayerAdmin
from league.admin.people.reserved import ReservedWordAdmin
from league.admin.people.rosters import RosterAdmin
from league.admin.people.users import AccountAdmin
from league.admin.points.entries import PointEntryAdmin
from league.admin.queue.queues import ArenaQueueAdmin
from league.admin.queue.seats import ProposalAdmin, TicketAdmin
from league.admin.queue.ticks import TickAdmin
from league.admin.rating.ratings import RatingAdmin, RatingEventAdmin
from league.admin.results.matches import MatchAdmin

__all__ = [
    "AccountAdmin",
    "AmnestyAdmin",
    "ArenaAdmin",
    "ArenaQueueAdmin",
    "ArrangementAdmin",
    "BouncingAddressAdmin",
    "ChallengeAdmin",
    "DisciplineAdmin",
    "DishonorAwardAdmin",
    "EmailAdmin",
    "FlagAdmin",
    "MatchAdmin",
    "PlayerAdmin",
    "PlayerClaimAdmin",
    "PointEntryAdmin",
    "ProposalAdmin",
    "RatingAdmin",
    "RatingEventAdmin",
    "ReservedWordAdmin",
    "RosterAdmin",
    "StaffActionAdmin",
    "TickAdmin",
    "TicketAdmin",
]
