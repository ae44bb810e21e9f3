"""What the league keeps about a person, by where it is kept.

Every relation to a player or an account is either exported or has a reason not to be, and a test
fails for one that is neither.
"""

from __future__ import annotations

OF_PLAYER = {
    "Award.player": "awards",
    "Block.player": "blocks",
    "Challenge.challenger": "challenges_sent",
    "Challenge.challenged": "challenges_received",
    "Confirmation.player": "confirmations",
    "CounterReport.reporter": "counter_reports",
    "CounterReport.answered_by": "counter_reports_answered",
    "ReportChange.by": "changed_reports",
    "MatchMessage.player": "match_messages",
    "Objection.player": "objections",
    "PlayerFigures.player": "match_figures",
    "Arrangement.proposer": "dates_proposed",
    "Arrangement.opponent": "dates_received",
    "ArrangementMessage.player": "date_messages",
    "ArrangementStep.by": "date_steps",
    "NoShowPlayer.player": "no_shows",
    "DiscordPreference.player": "discord_messages",
    "DishonorAward.player": "penalties",
    "DivisionChange.player": "divisions",
    "Entrant.player": "competitions",
    "FinalPoints.player": "final_points",
    "FillIn.player": "fill_ins",
    "FinalStanding.player": "final_standings",
    "Follow.player": "follows",
    "FormerName.player": "former_names",
    "HindsightCurve.player": "ratings_in_hindsight",
    "InvitationDay.captain": "invitations_a_day",
    "MailPreference.player": "mail_preferences",
    "MapBan.by": "map_bans",
    "Notice.player": "notices",
    "Participant.player": "participations",
    "PlayerReport.reporter": "reports_of_players",
    "PlayerPicture.player": "picture",
    "PointEntry.player": "points",
    "PointTotal.player": "point_totals",
    "Profile.player": "profile",
    "RankPreference.player": "rank_filters",
    "Rating.player": "ratings",
    "RatingEvent.player": "rating_events",
    "RegionPreference.player": "regions",
    "Roster.captain": "rosters_led",
    "RosterInvitation.player": "roster_invitations",
    "RosterMember.player": "rosters",
    "StandIn.player": "stand_in_offers",
    "TeamInvitation.invited_by": "team_invitations_sent",
    "TeamInvitation.player": "team_invitations",
    "TeamMember.player": "teams",
    "TicketMember.player": "queue_tickets",
    "Visit.player": "visits",
}
"""The files by relation to the player."""

OF_ACCOUNT = {
    "Client.owner": "apps_made",
    "EmailAddress.user": "email_addresses",
    "PlayerClaim.account": "claims",
    "SocialAccount.user": "other_logins",
}
"""The files by relation to the account."""

NOT_EXPORTED = {
    "in other files": {
        *("Side.captain", "Match.reported_by", "Match.confirmed_by", "Match.disputed_by"),
        *("Ticket.captain", "Arrangement.asked", "Arrangement.claimed_by", "Player.user"),
        *("DivisionNews.player", "ArrangementMessage.author", "MatchMessage.author"),
        "ConnectedApp.user",
    },
    "about others, who would be known by it": {
        *("Block.blocked", "Follow.followed", "PlayerReport.reported", "CounterReport.against"),
        *("Notice.actor", "PlayerClaim.player", "Team.successor"),
    },
    "working notes of staff, or decisions about several people": {
        *("Anchor.player", "CasePlayer.player", "ErratumLine.player", "Flag.other", "Flag.player"),
        *("MergeRequest.kept", "MergeRequest.merged", "Player.merged_into", "TrialMove.player"),
        *("MergeRequest.account", "MergeRequest.by"),
    },
    "computed again from other files": {"MemoryCheckpoint.player"},
    "secrets, or rights that staff gave": {
        *("AccessToken.user", "AuthToken.user", "Authenticator.user", "ArenaOrganiser.account"),
        *("CalendarAddress.player", "User_groups.user", "User_user_permissions.user"),
        "Token.user",
    },
    "work as staff": {
        *("Announcement.by", "Case.assignee", "Case.opened_by", "CaseNote.author"),
        *("Correction.by", "CorrectionRequest.by", "DemoRequest.by", "Erratum.by"),
        *("FileImport.by", "Flag.resolved_by", "HistoricalArena.history_user"),
        *("HistoricalArenaQueue.history_user", "HistoricalDiscipline.history_user"),
        *("ImageRemoval.by", "Job.by", "Letter.by", "LogEntry.user", "Match.started_by"),
        *("PlayerFigures.by", "PlayerReport.resolved_by", "RulesVersion.by", "SavedFilter.user"),
        *("StaffAction.actor", "Trial.by", "Webhook.made_by"),
    },
    "answers to programs, kept for a day": {"SentRequest.user"},
    "the export itself": {"DataExport.user"},
    "a request that its own page shows": {"AccountDeletion.user"},
}
"""The other relations, by reason."""

HIDDEN = frozenset(
    {
        *("password", "token", "secret", "client_token"),
        *("note", "resolved_by_id", "resolution", "case_id"),
        *("sent_from", "reported_from", "confirmed_from", "result_digest", "report_digest"),
    }
)
"""Columns that are secrets, work of staff, or hashes: of addresses, and of reports to tell repeated
ones. Some rows are of two players, so these columns are left out even of a person's own."""
