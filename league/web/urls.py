"""The URLs of the pages."""

from django.urls import path, re_path

from league.web.arenas import views as arenas
from league.web.arenas.how_it_works import how_it_works
from league.web.arranging import changes as date_changes
from league.web.arranging import messages as date_messages
from league.web.arranging import reports as date_reports
from league.web.arranging import views as arranging
from league.web.core import home
from league.web.corrections import views as corrections
from league.web.dishonor import conduct
from league.web.dishonor import views as dishonor
from league.web.ladder import views as ladder
from league.web.notices import inbox, mails
from league.web.operations import health, metrics
from league.web.people import claims, players, rosters, settings
from league.web.points import views as points
from league.web.queue import views as queue
from league.web.queue.why import why
from league.web.results import (
    decisions,
    disputes,
    entries,
    figures,
    matches,
    objections,
    own_reports,
    reports,
    stakes,
)
from league.web.seasons import views as seasons
from league.web.setup import views as setup
from league.web.standings import sessions
from league.web.standings import views as standings

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("readyz/<slug:name>", health.check, name="readyz_check"),
    path("metrics", metrics.page, name="metrics"),
    path("favicon.ico", home.favicon, name="favicon"),
    path("robots.txt", home.robots, name="robots"),
    path("setup/", setup.setup, name="setup"),
    path("setup/demo/", setup.demo_progress, name="setup_demo"),
    path("arenas/", home.arena_list, name="arenas"),
    path("arenas/<slug:slug>/", arenas.arena, name="arena"),
    path("arenas/<slug:slug>/how-it-works/", how_it_works, name="how_it_works"),
    path("arenas/<slug:slug>/leaderboard/", standings.leaderboard, name="leaderboard"),
    path("arenas/<slug:slug>/distribution/", standings.distribution, name="distribution"),
    path("arenas/<slug:slug>/session/", sessions.session, name="session"),
    path("arenas/<slug:slug>/inactive/", standings.inactive, name="inactive"),
    path("arenas/<slug:slug>/report/", reports.report, name="report"),
    path("arenas/<slug:slug>/report/order/", reports.report_order, name="report_order"),
    path("arenas/<slug:slug>/enter/", entries.enter, name="enter"),
    path("arenas/<slug:slug>/opponents/", reports.opponents, name="opponents"),
    path("arenas/<slug:slug>/stakes/", stakes.stakes, name="stakes"),
    path("arenas/<slug:slug>/queue/", queue.queue, name="queue"),
    path("arenas/<slug:slug>/queue/join/", queue.join_queue, name="queue_join"),
    path("arenas/<slug:slug>/queue/leave/", queue.leave_queue, name="queue_leave"),
    path("arenas/<slug:slug>/queue/filter/", queue.choose_filter, name="queue_filter"),
    path("arenas/<slug:slug>/queue/regions/", queue.choose_regions, name="queue_regions"),
    path("arenas/<slug:slug>/queue/<int:pk>/answer/", queue.answer, name="queue_answer"),
    path("arenas/<slug:slug>/challenges/", ladder.challenges, name="challenges"),
    path("arenas/<slug:slug>/challenges/new/", ladder.new, name="challenge_new"),
    path("arenas/<slug:slug>/challenges/draw/", ladder.draw, name="challenge_draw"),
    path("challenges/<int:pk>/answer/", ladder.answer, name="challenge_answer"),
    path("challenges/<int:pk>/start/", ladder.start, name="challenge_start"),
    path("challenges/<int:pk>/report/", ladder.report, name="challenge_report"),
    path("arenas/<slug:slug>/dates/", arranging.dates, name="dates"),
    path("arenas/<slug:slug>/dates/new/", arranging.new, name="date_new"),
    path("arenas/<slug:slug>/dates/<int:pk>/", arranging.date, name="date"),
    path("arenas/<slug:slug>/dates/<int:pk>/date.ics", arranging.calendar, name="date_calendar"),
    path("arenas/<slug:slug>/dates/<int:pk>/answer/", arranging.answer, name="date_answer"),
    path("arenas/<slug:slug>/dates/<int:pk>/move/", arranging.move, name="date_move"),
    path("arenas/<slug:slug>/dates/<int:pk>/report/", date_reports.report, name="date_report"),
    path("arenas/<slug:slug>/dates/<int:pk>/no-show/", date_reports.no_show, name="date_no_show"),
    path(
        "arenas/<slug:slug>/dates/<int:pk>/reschedule/",
        date_changes.reschedule,
        name="date_reschedule",
    ),
    path(
        "arenas/<slug:slug>/dates/<int:pk>/call-off/", date_changes.call_off, name="date_call_off"
    ),
    path("arenas/<slug:slug>/dates/<int:pk>/request/", date_changes.answer, name="date_request"),
    path("arenas/<slug:slug>/dates/<int:pk>/messages/", date_messages.write, name="date_write"),
    path("arenas/<slug:slug>/rosters/", rosters.rosters, name="rosters"),
    path("arenas/<slug:slug>/rosters/new/", rosters.new, name="roster_new"),
    path("arenas/<slug:slug>/rosters/<int:pk>/", rosters.edit, name="roster_edit"),
    path("arenas/<slug:slug>/rosters/<int:pk>/leave/", rosters.leave, name="roster_leave"),
    path("invitations/<int:pk>/answer/", rosters.answer, name="invitation_answer"),
    path("arenas/<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("seasons/<int:pk>/", seasons.season, name="season"),
    re_path(
        r"^seasons/(?P<pk>[0-9]{1,18})/standings\.(?P<kind>csv|json)$",
        seasons.export,
        name="season_export",
    ),
    path("arenas/<slug:slug>/points/", points.points, name="points"),
    path("seasons/<int:pk>/points/", points.final_points, name="season_points"),
    re_path(
        r"^seasons/(?P<pk>[0-9]{1,18})/points\.(?P<kind>csv|json)$",
        points.export,
        name="points_export",
    ),
    path("players/<int:pk>/points/<int:season_id>/", points.player_points, name="player_points"),
    path("players/", players.players, name="players"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/claim/", claims.claim, name="player_claim"),
    path("settings/claim/withdraw/", claims.withdraw, name="claim_withdraw"),
    path("divisions/<int:pk>/seen/", players.division_seen, name="division_seen"),
    path("matches/waiting/", matches.waiting, name="waiting"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/leave/", matches.leave, name="match_leave"),
    path("matches/<int:pk>/why/", why, name="match_why"),
    path("matches/<int:pk>/report/", reports.finish, name="match_report"),
    path("matches/<int:pk>/confirm/", matches.confirm, name="match_confirm"),
    path("matches/<int:pk>/dispute/", matches.dispute, name="match_dispute"),
    path("matches/<int:pk>/object/", objections.object_to, name="match_object"),
    path("matches/<int:pk>/objection/withdraw/", objections.withdraw, name="objection_withdraw"),
    path("matches/<int:pk>/objection/reject/", corrections.reject, name="objection_reject"),
    path("matches/<int:pk>/change/", own_reports.change, name="match_change"),
    path("matches/<int:pk>/withdraw/", own_reports.withdraw, name="match_withdraw"),
    path("matches/<int:pk>/counter/", disputes.counter, name="match_counter"),
    path("matches/<int:pk>/counter/answer/", disputes.answer, name="match_counter_answer"),
    path("matches/<int:pk>/messages/", disputes.write, name="match_write"),
    path("matches/<int:pk>/images/<int:message_id>/", disputes.image, name="match_image"),
    path(
        "matches/<int:pk>/images/<int:message_id>/remove/",
        disputes.remove_image,
        name="match_image_remove",
    ),
    path("matches/<int:pk>/conduct/", conduct.report, name="match_conduct"),
    path("matches/<int:pk>/figures/", figures.enter, name="match_figures"),
    path("matches/<int:pk>/decide/", decisions.decide, name="match_decide"),
    path("matches/<int:pk>/correct/", corrections.correct, name="match_correct"),
    path(
        "matches/<int:pk>/correct/<int:request_id>/",
        corrections.correction,
        name="match_correction",
    ),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/read/", inbox.mark_read, name="inbox_read"),
    path("inbox/<int:pk>/", inbox.open_notice, name="notice"),
    path("notices/answer/<str:token>/", mails.answer, name="notice_answer"),
    path("notices/stop/<str:token>/", mails.stop, name="notice_stop"),
    path("settings/", settings.settings, name="settings"),
    path("settings/mail/", mails.mail_settings, name="mail_settings"),
    path("settings/dishonor/", dishonor.dishonor, name="dishonor"),
    path("settings/name/", settings.choose_name, name="player_name"),
    path("settings/name/change/", settings.change_name, name="player_rename"),
    path("settings/tokens/", settings.create_token, name="token_create"),
    path("settings/tokens/<str:key>/revoke/", settings.revoke_token, name="token_revoke"),
]
