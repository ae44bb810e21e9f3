"""What the deletion of an account does with every row that refers to the account or its player.

``kept_about.py`` names the same relations for exports, and a test fails for one that is missing
here.
"""

from __future__ import annotations

DELETED = {
    *(
        "AccessToken.user",
        "ArenaOrganiser.account",
        "AuthToken.user",
        "Authenticator.user",
        "ConnectedApp.user",
        "DataExport.user",
    ),
    *(
        "EmailAddress.user",
        "PlayerClaim.account",
        "SavedFilter.user",
        "SentRequest.user",
        "SocialAccount.user",
        "Token.user",
    ),
    *("User_groups.user", "User_user_permissions.user", "AccountDeletion.user"),
    *("Block.blocked", "Block.player", "Follow.followed", "Follow.player", "Visit.player"),
    *("CalendarAddress.player", "DiscordPreference.player", "DivisionNews.player"),
    "FormerName.player",
    *("InvitationDay.captain", "MailPreference.player", "Notice.player"),
    *("PlayerPicture.player", "Profile.player"),
    *("RankPreference.player", "RegionPreference.player", "StandIn.player"),
    *("RosterInvitation.player", "RosterMember.player"),
    *("TeamInvitation.invited_by", "TeamInvitation.player", "Team.successor"),
}
"""Rows that are about nobody else. Of a team, only the reference to its next captain goes."""

WORDS = {
    "ArrangementMessage.player": ("text",),
    "ArrangementStep.by": ("reason",),
    "CounterReport.reporter": ("comment",),
    "Match.disputed_by": ("dispute_reason",),
    "MatchMessage.player": ("text", "link"),
    "Objection.player": ("reason",),
}
"""Rows of which the person's own words go. The rest stays for those they were addressed to."""

NAMES = {
    *("Award.player", "Entrant.player", "ErratumLine.player", "FinalPoints.player"),
    "FinalStanding.player",
}
"""Rows that keep the name of their time: they have the new one, and nothing else changes."""

STAYS = {
    "results and ratings, which others share": {
        *("FillIn.player", "MapBan.by"),
        *("Participant.player", "Side.captain", "Match.reported_by", "Match.confirmed_by"),
        *("Confirmation.player", "ReportChange.by", "PlayerFigures.player", "Rating.player"),
        *("CounterReport.against", "CounterReport.answered_by", "RatingEvent.player"),
        *("MemoryCheckpoint.player", "PointEntry.player", "PointTotal.player", "Anchor.player"),
        "HindsightCurve.player",
        *("DivisionChange.player", "TrialMove.player", "Challenge.challenger"),
        *("Challenge.challenged", "Arrangement.proposer", "Arrangement.opponent"),
        *("Arrangement.asked", "Arrangement.claimed_by", "NoShowPlayer.player"),
        *("ArrangementMessage.author", "MatchMessage.author", "Ticket.captain"),
        *("TicketMember.player", "Roster.captain", "TeamMember.player", "Notice.actor"),
    },
    "conduct, and what staff decide by": {
        *("DishonorAward.player", "Flag.player", "Flag.other", "CasePlayer.player"),
        *("PlayerReport.reporter", "PlayerReport.reported", "PlayerClaim.player"),
        *("MergeRequest.kept", "MergeRequest.merged", "MergeRequest.account"),
    },
    "the way from one player to another": {"Player.merged_into", "Player.user"},
    "work as staff, under the name of an empty account": {
        *("Announcement.by", "Case.assignee", "Case.opened_by", "CaseNote.author"),
        *("Correction.by", "CorrectionRequest.by", "DemoRequest.by", "Erratum.by"),
        *("FileImport.by", "Flag.resolved_by", "HistoricalArena.history_user"),
        *("HistoricalArenaQueue.history_user", "HistoricalDiscipline.history_user"),
        *("ImageRemoval.by", "Job.by", "Letter.by", "LogEntry.user", "Match.started_by"),
        *("MergeRequest.by", "PlayerFigures.by", "PlayerReport.resolved_by", "RulesVersion.by"),
        *("StaffAction.actor", "Trial.by", "Webhook.made_by"),
    },
    "apps, which others use": {"Client.owner"},
}
"""The other relations, by reason. They lead to “Former player 12”."""
