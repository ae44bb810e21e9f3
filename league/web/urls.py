"""The pages and their addresses."""

from django.urls import path

from league.web import (
    account,
    arenas,
    decisions,
    dishonor,
    home,
    matches,
    players,
    queue,
    reports,
    rosters,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("health/", home.health, name="health"),
    path("robots.txt", home.robots, name="robots"),
    path("arenas/<slug:slug>/", arenas.arena, name="arena"),
    path("arenas/<slug:slug>/leaderboard/", arenas.leaderboard, name="leaderboard"),
    path("arenas/<slug:slug>/report/", reports.report, name="report"),
    path("arenas/<slug:slug>/report/order/", reports.report_order, name="report_order"),
    path("arenas/<slug:slug>/opponents/", reports.opponents, name="opponents"),
    path("arenas/<slug:slug>/queue/", queue.queue, name="queue"),
    path("arenas/<slug:slug>/queue/join/", queue.join_queue, name="queue_join"),
    path("arenas/<slug:slug>/queue/leave/", queue.leave_queue, name="queue_leave"),
    path("arenas/<slug:slug>/queue/filter/", queue.choose_filter, name="queue_filter"),
    path("arenas/<slug:slug>/queue/<int:pk>/answer/", queue.answer, name="queue_answer"),
    path("arenas/<slug:slug>/rosters/", rosters.rosters, name="rosters"),
    path("arenas/<slug:slug>/rosters/new/", rosters.new, name="roster_new"),
    path("arenas/<slug:slug>/rosters/<int:pk>/", rosters.edit, name="roster_edit"),
    path("players/", players.players, name="players"),
    path("players/<int:pk>/", players.player, name="player"),
    path("matches/waiting/", matches.waiting, name="waiting"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/leave/", matches.leave, name="match_leave"),
    path("matches/<int:pk>/report/", reports.finish, name="match_report"),
    path("matches/<int:pk>/confirm/", matches.confirm, name="match_confirm"),
    path("matches/<int:pk>/dispute/", matches.dispute, name="match_dispute"),
    path("matches/<int:pk>/decide/", decisions.decide, name="match_decide"),
    path("settings/", account.settings, name="settings"),
    path("settings/dishonor/", dishonor.dishonor, name="dishonor"),
    path("settings/name/", account.choose_name, name="player_name"),
    path("settings/tokens/", account.create_token, name="token_create"),
    path("settings/tokens/<str:key>/revoke/", account.revoke_token, name="token_revoke"),
]
