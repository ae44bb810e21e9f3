"""The URLs of the API, below ``/api/``."""

from django.urls import path, re_path

from league.api.arenas.rules import ArenaRules
from league.api.arenas.views import ArenaDetail, Arenas
from league.api.competitions.entering import CheckIn, Entry, Return, SitOut, Withdrawal
from league.api.competitions.views import (
    CompetitionDetail,
    Competitions,
    Entrants,
    Fixtures,
    Table,
)
from league.api.core.docs import Docs, Nowhere, Schema
from league.api.corrections.errata import Errata, SeasonErrata
from league.api.corrections.views import CorrectionDetail, CorrectionPreview, Corrections
from league.api.dates.changes import DateCallOff, DateMove, DateRequestAnswer
from league.api.dates.messages import ChallengeMessages, DateMessages, MatchTalk
from league.api.dates.no_shows import NoShow, NoShowAnswer
from league.api.dates.views import DateAnswer, DateReport, Dates, DateWithdrawal
from league.api.dishonor.penalties import MatchConduct, MatchPenalties
from league.api.dishonor.views import Dishonor, Penalties
from league.api.following.views import (
    Blocked,
    BlockPlayer,
    Following,
    FollowPlayer,
    FollowTeam,
)
from league.api.ladder.views import (
    ChallengeAnswer,
    ChallengeDraw,
    ChallengeReport,
    Challenges,
    ChallengeStart,
)
from league.api.maps.views import Bans, Maps
from league.api.moderation.appeals import Appealing
from league.api.moderation.reports import PlayerReporting
from league.api.notices.views import Notices, ReadNotices
from league.api.people.profiles import OwnPicture, OwnProfile, ProfileRemoval
from league.api.people.records import PlayerRecords
from league.api.people.rosters import (
    Answer,
    Invitations,
    Invite,
    RosterDetail,
    RosterLeaving,
    Rosters,
)
from league.api.people.tokens import TokenDetail, Tokens
from league.api.people.versus import Against, Compare
from league.api.people.views import (
    PlayerDetail,
    PlayerLevel,
    PlayerRatings,
    Players,
    RatingHistory,
)
from league.api.points.views import PlayerPoints, PointsBoard
from league.api.queue.views import (
    ArenaQueues,
    QueueFilter,
    QueueRegions,
    ReadyCheckAnswer,
    SeatLeaving,
)
from league.api.queue.why import Why
from league.api.rating.views import RatingSystems
from league.api.results.answers import (
    Change,
    ClaimAnswer,
    Counter,
    CounterAnswer,
    Objections,
    ObjectionWithdrawal,
    Rejection,
    Withdraw,
)
from league.api.results.events import Events
from league.api.results.figures import Figures
from league.api.results.messages import ImageRemoving, MatchImage, Messages
from league.api.results.opponents import Opponents
from league.api.results.servers import Claim, LiveMatches, Void
from league.api.results.views import (
    Confirm,
    Decision,
    Dispute,
    Entries,
    Leave,
    MatchDetail,
    Matches,
    Reopening,
    Report,
    Reports,
)
from league.api.results.watching import live
from league.api.results.what_if import WhatIf
from league.api.search.views import Search
from league.api.seasons.views import FinalStandings, SeasonDetail, SeasonPoints, Seasons
from league.api.standings.views import Distribution, Inactive, leaderboard
from league.api.teams.inviting import (
    InvitationAnswer,
    Joining,
    MyInvitations,
    OpenInvitation,
    OpenInvitations,
)
from league.api.teams.members import Captaincy, CaptaincyAnswer, Member
from league.api.teams.rosters import Adopting, StandingIn, TeamRoster, TeamRosters
from league.api.teams.views import Disbanding, Leaving, Picture, TeamBoard, TeamDetail, Teams
from league.api.transfer.files import FileImportDetail, FileImportUndoing, SentResults
from league.api.transfer.views import BulkPlayers, BulkResults
from league.api.webhooks.views import (
    Deliveries,
    Replay,
    WebhookDetail,
    Webhooks,
    WebhookSecret,
    WebhookTest,
)

app_name = "api"
urlpatterns = [
    path("v1/arenas/", Arenas.as_view(), name="arenas"),
    path("v1/arenas/<slug:slug>/", ArenaDetail.as_view(), name="arena"),
    path("v1/arenas/<slug:slug>/rules/", ArenaRules.as_view(), name="arena-rules"),
    path("v1/arenas/<slug:slug>/leaderboard/", leaderboard, name="leaderboard"),
    path("v1/arenas/<slug:slug>/distribution/", Distribution.as_view(), name="distribution"),
    path("v1/arenas/<slug:slug>/inactive/", Inactive.as_view(), name="inactive"),
    path("v1/arenas/<slug:slug>/seasons/", Seasons.as_view(), name="seasons"),
    path("v1/seasons/<int:pk>/", SeasonDetail.as_view(), name="season"),
    path("v1/seasons/<int:pk>/standings/", FinalStandings.as_view(), name="final-standings"),
    path("v1/seasons/<int:pk>/points/", SeasonPoints.as_view(), name="season-points"),
    path("v1/seasons/<int:pk>/errata/", SeasonErrata.as_view(), name="season-errata"),
    path("v1/arenas/<slug:slug>/what-if/", WhatIf.as_view(), name="what-if"),
    path("v1/arenas/<slug:slug>/points/", PointsBoard.as_view(), name="points"),
    path("v1/arenas/<slug:slug>/reports/", Reports.as_view(), name="reports"),
    path("v1/arenas/<slug:slug>/results/", Entries.as_view(), name="results"),
    path("v1/arenas/<slug:slug>/results/bulk/", BulkResults.as_view(), name="bulk-results"),
    path("v1/arenas/<slug:slug>/results/file/", SentResults.as_view(), name="sent-results"),
    path("v1/imports/<int:pk>/", FileImportDetail.as_view(), name="file-import"),
    path("v1/imports/<int:pk>/undo/", FileImportUndoing.as_view(), name="file-import-undo"),
    path("v1/arenas/<slug:slug>/players/bulk/", BulkPlayers.as_view(), name="bulk-players"),
    path("v1/live-matches/", live, name="live"),
    path("v1/arenas/<slug:slug>/live-matches/", LiveMatches.as_view(), name="live-matches"),
    path("v1/arenas/<slug:slug>/opponents/", Opponents.as_view(), name="opponents"),
    path("v1/arenas/<slug:slug>/queue/", ArenaQueues.as_view(), name="queue"),
    path("v1/arenas/<slug:slug>/queue/regions/", QueueRegions.as_view(), name="queue-regions"),
    path("v1/arenas/<slug:slug>/queue/filter/", QueueFilter.as_view(), name="queue-filter"),
    path("v1/arenas/<slug:slug>/stand-in/", StandingIn.as_view(), name="stand-in"),
    path("v1/arenas/<slug:slug>/challenges/", Challenges.as_view(), name="challenges"),
    path("v1/arenas/<slug:slug>/challenges/draw/", ChallengeDraw.as_view(), name="challenge-draw"),
    path("v1/challenges/<int:pk>/answer/", ChallengeAnswer.as_view(), name="challenge-answer"),
    path(
        "v1/challenges/<int:pk>/messages/", ChallengeMessages.as_view(), name="challenge-messages"
    ),
    path("v1/challenges/<int:pk>/start/", ChallengeStart.as_view(), name="challenge-start"),
    path("v1/challenges/<int:pk>/report/", ChallengeReport.as_view(), name="challenge-report"),
    path("v1/arenas/<slug:slug>/competitions/", Competitions.as_view(), name="competitions"),
    path("v1/competitions/<int:pk>/", CompetitionDetail.as_view(), name="competition"),
    path("v1/competitions/<int:pk>/entry/", Entry.as_view(), name="competition-entry"),
    path("v1/competitions/<int:pk>/check-in/", CheckIn.as_view(), name="competition-check-in"),
    path(
        "v1/competitions/<int:pk>/withdrawal/",
        Withdrawal.as_view(),
        name="competition-withdrawal",
    ),
    path("v1/competitions/<int:pk>/return/", Return.as_view(), name="competition-return"),
    path("v1/competitions/<int:pk>/byes/", SitOut.as_view(), name="competition-byes"),
    path("v1/competitions/<int:pk>/entrants/", Entrants.as_view(), name="entrants"),
    path("v1/competitions/<int:pk>/fixtures/", Fixtures.as_view(), name="fixtures"),
    path("v1/competitions/<int:pk>/table/", Table.as_view(), name="table"),
    path("v1/arenas/<slug:slug>/dates/", Dates.as_view(), name="dates"),
    path("v1/dates/<int:pk>/answer/", DateAnswer.as_view(), name="date-answer"),
    path("v1/dates/<int:pk>/withdraw/", DateWithdrawal.as_view(), name="date-withdraw"),
    path("v1/dates/<int:pk>/report/", DateReport.as_view(), name="date-report"),
    path("v1/dates/<int:pk>/messages/", DateMessages.as_view(), name="date-messages"),
    path("v1/dates/<int:pk>/move/", DateMove.as_view(), name="date-move"),
    path("v1/dates/<int:pk>/call-off/", DateCallOff.as_view(), name="date-call-off"),
    path("v1/dates/<int:pk>/request/", DateRequestAnswer.as_view(), name="date-request"),
    path("v1/dates/<int:pk>/no-show/", NoShow.as_view(), name="date-no-show"),
    path("v1/dates/<int:pk>/no-show/answer/", NoShowAnswer.as_view(), name="date-no-show-answer"),
    path("v1/ready-checks/<int:pk>/answer/", ReadyCheckAnswer.as_view(), name="ready-check-answer"),
    path("v1/following/", Following.as_view(), name="following"),
    path("v1/blocks/", Blocked.as_view(), name="blocks"),
    path("v1/notices/", Notices.as_view(), name="notices"),
    path("v1/notices/read/", ReadNotices.as_view(), name="notices-read"),
    path("v1/dishonor/", Dishonor.as_view(), name="dishonor"),
    path("v1/dishonor/penalties/", Penalties.as_view(), name="penalties"),
    path("v1/dishonor/penalties/<int:pk>/appeal/", Appealing.as_view(), name="appeal"),
    path("v1/profile/", OwnProfile.as_view(), name="profile"),
    path("v1/profile/picture/", OwnPicture.as_view(), name="profile-picture"),
    path("v1/arenas/<slug:slug>/rosters/", Rosters.as_view(), name="rosters"),
    path("v1/arenas/<slug:slug>/rosters/<int:pk>/", RosterDetail.as_view(), name="roster"),
    path(
        "v1/arenas/<slug:slug>/rosters/<int:pk>/leave/",
        RosterLeaving.as_view(),
        name="roster-leave",
    ),
    path("v1/arenas/<slug:slug>/rosters/<int:pk>/invite/", Invite.as_view(), name="roster-invite"),
    path("v1/invitations/", Invitations.as_view(), name="invitations"),
    path("v1/invitations/<int:pk>/answer/", Answer.as_view(), name="invitation-answer"),
    path("v1/players/", Players.as_view(), name="players"),
    path("v1/players/<int:pk>/", PlayerDetail.as_view(), name="player"),
    path("v1/players/<int:pk>/follow/", FollowPlayer.as_view(), name="player-follow"),
    path("v1/players/<int:pk>/block/", BlockPlayer.as_view(), name="player-block"),
    path("v1/players/<int:pk>/records/", PlayerRecords.as_view(), name="player-records"),
    path("v1/players/<int:pk>/compare/", Compare.as_view(), name="player-compare"),
    path(
        "v1/players/<int:pk>/against/<int:other>/",
        Against.as_view(),
        name="player-against",
    ),
    path("v1/players/<int:pk>/report/", PlayerReporting.as_view(), name="player-report"),
    path(
        "v1/players/<int:pk>/profile-removal/",
        ProfileRemoval.as_view(),
        name="profile-removal",
    ),
    path("v1/players/<int:pk>/level/", PlayerLevel.as_view(), name="player-level"),
    path("v1/players/<int:pk>/ratings/", PlayerRatings.as_view(), name="player-ratings"),
    path("v1/players/<int:pk>/rating-history/", RatingHistory.as_view(), name="rating-history"),
    path("v1/players/<int:pk>/points/", PlayerPoints.as_view(), name="player-points"),
    path("v1/search/", Search.as_view(), name="search"),
    path("v1/teams/", Teams.as_view(), name="teams"),
    path("v1/teams/join/", Joining.as_view(), name="team-join"),
    path("v1/teams/<int:pk>/", TeamDetail.as_view(), name="team"),
    path("v1/teams/<int:pk>/follow/", FollowTeam.as_view(), name="team-follow"),
    path("v1/teams/<int:pk>/picture/", Picture.as_view(), name="team-picture"),
    path("v1/teams/<int:pk>/disband/", Disbanding.as_view(), name="team-disband"),
    path("v1/teams/<int:pk>/leave/", Leaving.as_view(), name="team-leave"),
    path("v1/teams/<int:pk>/captaincy/", Captaincy.as_view(), name="team-captaincy"),
    path(
        "v1/teams/<int:pk>/captaincy/answer/",
        CaptaincyAnswer.as_view(),
        name="team-captaincy-answer",
    ),
    path("v1/teams/<int:pk>/invitations/", OpenInvitations.as_view(), name="team-invitations"),
    path(
        "v1/teams/<int:pk>/invitations/<int:invitation>/",
        OpenInvitation.as_view(),
        name="team-invitation",
    ),
    path("v1/teams/<int:pk>/members/<int:player>/", Member.as_view(), name="team-member"),
    path("v1/teams/<int:pk>/rosters/", TeamRosters.as_view(), name="team-rosters"),
    path("v1/teams/<int:pk>/rosters/adopt/", Adopting.as_view(), name="team-adopt"),
    path("v1/teams/<int:pk>/rosters/<int:roster>/", TeamRoster.as_view(), name="team-roster"),
    path("v1/arenas/<slug:slug>/teams/", TeamBoard.as_view(), name="team-board"),
    path("v1/team-invitations/", MyInvitations.as_view(), name="my-team-invitations"),
    path(
        "v1/team-invitations/<int:pk>/answer/",
        InvitationAnswer.as_view(),
        name="team-invitation-answer",
    ),
    path("v1/webhooks/", Webhooks.as_view(), name="webhooks"),
    path("v1/webhooks/<int:pk>/", WebhookDetail.as_view(), name="webhook"),
    path("v1/webhooks/<int:pk>/secret/", WebhookSecret.as_view(), name="webhook-secret"),
    path("v1/webhooks/<int:pk>/test/", WebhookTest.as_view(), name="webhook-test"),
    path("v1/webhooks/<int:pk>/deliveries/", Deliveries.as_view(), name="webhook-deliveries"),
    path(
        "v1/webhooks/<int:pk>/deliveries/<int:delivery_id>/replay/",
        Replay.as_view(),
        name="webhook-replay",
    ),
    path("v1/matches/", Matches.as_view(), name="matches"),
    path("v1/matches/<int:pk>/", MatchDetail.as_view(), name="match"),
    path("v1/matches/<int:pk>/figures/", Figures.as_view(), name="match-figures"),
    path("v1/matches/<int:pk>/why/", Why.as_view(), name="match-why"),
    path("v1/matches/<int:pk>/events/", Events.as_view(), name="match-events"),
    path("v1/matches/<int:pk>/claim/", Claim.as_view(), name="match-claim"),
    path("v1/matches/<int:pk>/void/", Void.as_view(), name="match-void"),
    path("v1/matches/<int:pk>/report/", Report.as_view(), name="match-report"),
    path("v1/matches/<int:pk>/penalties/", MatchPenalties.as_view(), name="match-penalties"),
    path("v1/matches/<int:pk>/conduct/", MatchConduct.as_view(), name="match-conduct"),
    path("v1/matches/<int:pk>/leave/", Leave.as_view(), name="match-leave"),
    path("v1/matches/<int:pk>/left/", ClaimAnswer.as_view(), name="match-left"),
    path("v1/matches/<int:pk>/confirm/", Confirm.as_view(), name="match-confirm"),
    path("v1/matches/<int:pk>/dispute/", Dispute.as_view(), name="match-dispute"),
    path("v1/matches/<int:pk>/change/", Change.as_view(), name="match-change"),
    path("v1/matches/<int:pk>/withdraw/", Withdraw.as_view(), name="match-withdraw"),
    path("v1/matches/<int:pk>/counter-report/", Counter.as_view(), name="match-counter"),
    path(
        "v1/matches/<int:pk>/counter-report/answer/",
        CounterAnswer.as_view(),
        name="match-counter-answer",
    ),
    path("v1/matches/<int:pk>/objection/", Objections.as_view(), name="match-objection"),
    path(
        "v1/matches/<int:pk>/objection/withdrawal/",
        ObjectionWithdrawal.as_view(),
        name="objection-withdrawal",
    ),
    path(
        "v1/matches/<int:pk>/objection/rejection/",
        Rejection.as_view(),
        name="objection-rejection",
    ),
    path("v1/matches/<int:pk>/messages/", Messages.as_view(), name="match-messages"),
    path("v1/matches/<int:pk>/talk/", MatchTalk.as_view(), name="match-talk"),
    path("v1/matches/<int:pk>/images/<int:message_id>/", MatchImage.as_view(), name="match-image"),
    path(
        "v1/matches/<int:pk>/images/<int:message_id>/removal/",
        ImageRemoving.as_view(),
        name="match-image-removal",
    ),
    path("v1/matches/<int:pk>/maps/", Maps.as_view(), name="match-maps"),
    path("v1/matches/<int:pk>/maps/ban/", Bans.as_view(), name="match-map-ban"),
    path("v1/matches/<int:pk>/seat/leave/", SeatLeaving.as_view(), name="match-seat-leave"),
    path("v1/matches/<int:pk>/reopening/", Reopening.as_view(), name="match-reopening"),
    path("v1/matches/<int:pk>/decision/", Decision.as_view(), name="match-decision"),
    path(
        "v1/matches/<int:pk>/correction-preview/",
        CorrectionPreview.as_view(),
        name="correction-preview",
    ),
    path("v1/matches/<int:pk>/corrections/", Corrections.as_view(), name="corrections"),
    path("v1/matches/<int:pk>/erratum/", Errata.as_view(), name="match-erratum"),
    path(
        "v1/matches/<int:pk>/corrections/<int:request_id>/",
        CorrectionDetail.as_view(),
        name="correction",
    ),
    path("v1/rating-systems/", RatingSystems.as_view(), name="rating-systems"),
    path("v1/tokens/", Tokens.as_view(), name="tokens"),
    path("v1/tokens/<int:pk>/", TokenDetail.as_view(), name="token"),
    path("v1/schema/", Schema.as_view(), name="schema"),
    path("v1/docs/", Docs.as_view(), name="docs"),
    re_path("", Nowhere.as_view(), name="nowhere"),
]
