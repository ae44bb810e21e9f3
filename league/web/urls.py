"""The URLs of the pages."""

from django.urls import path, re_path

from league.web.apps import connected
from league.web.arenas import views as arenas
from league.web.arenas.how_it_works import how_it_works
from league.web.competitions import calendars, control, line_ups, organising, pairing, printing, tv
from league.web.competitions import entries as competition_entries
from league.web.competitions import exports as competition_exports
from league.web.competitions import views as competitions
from league.web.core import files, unsent
from league.web.corrections import views as corrections
from league.web.dates import changes as date_changes
from league.web.dates import messages as date_messages
from league.web.dates import reports as date_reports
from league.web.dates import views as dates
from league.web.discord.interactions import interactions
from league.web.discord.settings import discord_settings
from league.web.dishonor import conduct
from league.web.dishonor import views as dishonor
from league.web.following import views as following
from league.web.guesses import views as guesses
from league.web.home import league_wide, week
from league.web.home import views as home
from league.web.home.welcome import welcome
from league.web.ladder import challenge as challenge_pages
from league.web.ladder import views as ladder
from league.web.maps import views as maps
from league.web.moderation import appeals
from league.web.moderation import reports as player_reports
from league.web.notices import app, devices, inbox, mails
from league.web.operations import health, metrics
from league.web.people import (
    badges,
    claims,
    impersonation,
    invited,
    inviting,
    players,
    records,
    reviews,
    rosters,
    settings,
    tokens,
    versus,
)
from league.web.points import views as points
from league.web.privacy import deletion, profiles
from league.web.privacy import views as privacy
from league.web.queue import views as queue
from league.web.queue.seats import leave_seat
from league.web.queue.why import why
from league.web.results import (
    decisions,
    disputes,
    entries,
    figures,
    live_scores,
    matches,
    objections,
    open_matches,
    own_reports,
    quits,
    reports,
    stakes,
    talk,
    watching,
    what_if,
)
from league.web.search import views as search
from league.web.seasons import starting
from league.web.seasons import views as seasons
from league.web.setup import archives
from league.web.setup import views as setup
from league.web.sharing import embeds, feeds, pictures, posters, sitemaps
from league.web.site import languages, themes
from league.web.site import views as site
from league.web.standings import sessions
from league.web.standings import views as standings
from league.web.teams import acts as team_acts
from league.web.teams import leading as team_leading
from league.web.teams import reviews as team_reviews
from league.web.teams import versus as team_versus
from league.web.teams import views as teams

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("readyz/<slug:name>", health.show_check, name="readyz_check"),
    path("metrics", metrics.page, name="metrics"),
    path("favicon.ico", files.favicon, name="favicon"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("app/<slug:digest>/<slug:look>.png", app.app_icon, name="app_icon"),
    path("apple-touch-icon.png", app.apple_icon, name="apple_icon"),
    path("sw.js", app.service_worker, name="service_worker"),
    path("offline/", app.offline, name="offline"),
    path("robots.txt", files.robots, name="robots"),
    *sitemaps.urls(),
    path("oembed/", embeds.oembed, name="oembed"),
    path("embed/arenas/<slug:slug>/", embeds.board, name="embed_board"),
    path("embed/players/<int:pk>/", embeds.player, name="embed_player"),
    path("arenas/<slug:slug>/results.atom", feeds.of_arena, name="arena_feed"),
    path("players/<int:pk>/results.atom", feeds.of_player, name="player_feed"),
    path("league/picture.jpg", pictures.of_league, name="league_picture"),
    path("arenas/<slug:slug>/picture.png", pictures.of_board, name="board_picture"),
    path("players/<int:pk>/picture.png", pictures.of_player, name="player_picture"),
    path("matches/<int:pk>/picture.png", pictures.of_match, name="match_picture"),
    path("teams/<int:pk>/picture.png", pictures.of_team, name="team_card"),
    path("competitions/<int:pk>/picture.png", pictures.of_competition, name="competition_picture"),
    re_path(r"^j/?$", posters.join, name="join"),
    re_path(r"^j/(?P<pk>[0-9]{1,18})/?$", posters.join_competition, name="join_competition"),
    path("poster/", posters.poster, name="poster"),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/poster/",
        posters.competition_poster,
        name="competition_poster",
    ),
    path("league/logo/<slug:digest>.webp", site.logo, name="site_logo"),
    path("league/colours.css", site.colour_sheet, name="site_colours"),
    path("announcements/<int:pk>/dismiss/", site.dismiss, name="announcement_dismiss"),
    path("unsent/", unsent.unsent, name="unsent"),
    path("welcome/", welcome, name="welcome"),
    path("language/", languages.language, name="language"),
    path("week/", week.latest, name="latest_week"),
    re_path(r"^week/(?P<year>[0-9]{4})-(?P<number>[0-9]{2})/$", week.week, name="week"),
    path("theme/", themes.theme, name="theme"),
    path("search/", search.search, name="search"),
    path("setup/", setup.setup, name="setup"),
    path("setup/archive/", archives.archive, name="setup_archive"),
    path("setup/archive/<slug:attempt>/", archives.progress, name="setup_archive_progress"),
    path("setup/demo/", setup.demo_progress, name="setup_demo"),
    path("arenas/", league_wide.arenas, name="arenas"),
    path("arenas/<slug:slug>/", arenas.arena, name="arena"),
    path("arenas/<slug:slug>/how-it-works/", how_it_works, name="how_it_works"),
    path("live/", watching.live, name="live"),
    path("schedule/", league_wide.schedule, name="schedule"),
    path("results/", league_wide.results, name="league_results"),
    path("guesses/", guesses.guesses, name="guesses"),
    path("guesses/mine/", guesses.own, name="own_guesses"),
    path("arenas/<slug:slug>/guesses/", guesses.table, name="guess_table"),
    path("arenas/<slug:slug>/dates/<int:pk>/guess/", guesses.guess, name="guess"),
    path("competitions/", league_wide.competitions, name="league_competitions"),
    path("play/", league_wide.play, name="play"),
    path("arenas/<slug:slug>/live/", watching.arena_live, name="arena_live"),
    path("arenas/<slug:slug>/leaderboard/", standings.leaderboard, name="leaderboard"),
    path("arenas/<slug:slug>/distribution/", standings.distribution, name="distribution"),
    path("arenas/<slug:slug>/session/", sessions.session, name="session"),
    path("arenas/<slug:slug>/inactive/", standings.inactive, name="inactive"),
    path("arenas/<slug:slug>/report/", reports.report, name="report"),
    path("arenas/<slug:slug>/report/order/", reports.report_order, name="report_order"),
    path("arenas/<slug:slug>/enter/", entries.enter, name="enter"),
    path("arenas/<slug:slug>/opponents/", reports.opponents, name="opponents"),
    path("arenas/<slug:slug>/stakes/", stakes.stakes, name="stakes"),
    path("arenas/<slug:slug>/what-if/", what_if.what_if, name="what_if"),
    path("arenas/<slug:slug>/queue/", queue.queue, name="queue"),
    path("arenas/<slug:slug>/queue/join/", queue.join_queue, name="queue_join"),
    path("arenas/<slug:slug>/queue/leave/", queue.leave_queue, name="queue_leave"),
    path("arenas/<slug:slug>/queue/filter/", queue.choose_filter, name="queue_filter"),
    path("arenas/<slug:slug>/queue/regions/", queue.choose_regions, name="queue_regions"),
    path("arenas/<slug:slug>/queue/<int:pk>/answer/", queue.answer, name="queue_answer"),
    path("arenas/<slug:slug>/leaderboard/start/", starting.starting_list, name="starting_list"),
    path("arenas/<slug:slug>/challenges/", ladder.challenges, name="challenges"),
    path("arenas/<slug:slug>/challenges/new/", ladder.new, name="challenge_new"),
    path("arenas/<slug:slug>/challenges/enter/", ladder.enter, name="challenge_enter"),
    path("arenas/<slug:slug>/challenges/draw/", ladder.draw, name="challenge_draw"),
    path("challenges/<int:pk>/", challenge_pages.challenge, name="challenge"),
    path("challenges/<int:pk>/messages/", challenge_pages.write, name="challenge_write"),
    path("challenges/<int:pk>/answer/", ladder.answer, name="challenge_answer"),
    path("challenges/<int:pk>/end/", ladder.end, name="challenge_end"),
    path("challenges/<int:pk>/start/", ladder.start, name="challenge_start"),
    path("challenges/<int:pk>/report/", ladder.report, name="challenge_report"),
    path("arenas/<slug:slug>/dates/", dates.dates, name="dates"),
    path("arenas/<slug:slug>/dates/new/", dates.new, name="date_new"),
    path("arenas/<slug:slug>/dates/<int:pk>/", dates.date, name="date"),
    path("arenas/<slug:slug>/dates/<int:pk>/date.ics", dates.calendar, name="date_calendar"),
    path("arenas/<slug:slug>/dates/<int:pk>/score/", dates.score, name="date_score"),
    path("arenas/<slug:slug>/dates/<int:pk>/answer/", dates.answer, name="date_answer"),
    path("arenas/<slug:slug>/dates/<int:pk>/move/", dates.move, name="date_move"),
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
    path("arenas/<slug:slug>/competitions/", competitions.competitions, name="competitions"),
    path("arenas/<slug:slug>/competitions/<int:pk>/", competitions.competition, name="competition"),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/print/",
        printing.print_page,
        name="competition_print",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/entrants/",
        organising.entrants,
        name="competition_entrants",
    ),
    path("arenas/<slug:slug>/competitions/<int:pk>/run/", control.run, name="competition_run"),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/run/pairings/",
        pairing.pair,
        name="competition_pair",
    ),
    path("tv/", tv.tv, name="tv"),
    path("tv/<uuid:key>/", tv.screen, name="tv_screen"),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/clock/",
        competitions.round_clock,
        name="competition_clock",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/calendar.ics",
        calendars.of_competition,
        name="competition_calendar",
    ),
    re_path(
        r"^arenas/(?P<slug>[-\w]+)/competitions/(?P<pk>[0-9]{1,18})/"
        r"(?P<what>table|crosstable|schedule)\.(?P<kind>csv|json|xlsx)$",
        competition_exports.file,
        name="competition_file",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/report.trf",
        competition_exports.report_as_trf,
        name="competition_trf",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/games.pgn",
        competition_exports.games_as_pgn,
        name="competition_pgn",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/rounds/<int:number>.pgn",
        competition_exports.round_as_pgn,
        name="round_pgn",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/bracket/<slug:stage>/<int:number>.pgn",
        competition_exports.round_as_pgn,
        name="bracket_pgn",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/entry/",
        competition_entries.entry,
        name="competition_entry",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/fixtures/<int:number>/",
        competitions.fixture,
        name="fixture",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/fixtures/<int:number>/line-up/",
        line_ups.line_up,
        name="fixture_line_up",
    ),
    path("arenas/<slug:slug>/rosters/", rosters.rosters, name="rosters"),
    path("arenas/<slug:slug>/rosters/new/", rosters.new, name="roster_new"),
    path("arenas/<slug:slug>/rosters/<int:pk>/", rosters.edit, name="roster_edit"),
    path("arenas/<slug:slug>/rosters/<int:pk>/leave/", rosters.leave, name="roster_leave"),
    path("invitations/", inviting.invitations, name="invitations"),
    path("invited/<str:token>/", invited.show_invitation, name="invited"),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/invitations/",
        inviting.competition_invitations,
        name="competition_invitations",
    ),
    path(
        "arenas/<slug:slug>/competitions/<int:pk>/invitations/slips/",
        inviting.competition_slips,
        name="competition_slips",
    ),
    path("invitations/<int:pk>/answer/", rosters.answer, name="invitation_answer"),
    path("arenas/<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("seasons/<int:pk>/", seasons.season, name="season"),
    re_path(
        r"^seasons/(?P<pk>[0-9]{1,18})/standings\.(?P<kind>csv|json|xlsx)$",
        seasons.export,
        name="season_export",
    ),
    re_path(
        r"^seasons/(?P<pk>[0-9]{1,18})/results\.(?P<kind>csv|json|xlsx)$",
        seasons.export_results,
        name="season_results",
    ),
    path("arenas/<slug:slug>/points/", points.points, name="points"),
    path("seasons/<int:pk>/points/", points.final_points, name="season_points"),
    re_path(
        r"^seasons/(?P<pk>[0-9]{1,18})/points\.(?P<kind>csv|json|xlsx)$",
        points.export,
        name="points_export",
    ),
    path("teams/", teams.teams, name="teams"),
    path("teams/mine/", teams.mine, name="my_teams"),
    path("teams/new/", team_leading.new, name="team_new"),
    path("teams/join/<str:token>/", teams.join, name="team_join"),
    path("teams/invitations/<int:pk>/answer/", team_acts.answer, name="team_answer"),
    path("teams/<int:pk>/", teams.team, name="team"),
    path("teams/<int:pk>/against/<int:other_pk>/", team_versus.against, name="team_against"),
    path("teams/<int:pk>/seasons/<int:season_id>/", team_reviews.review, name="team_review"),
    path(
        "teams/<int:pk>/seasons/<int:season_id>/picture.png",
        pictures.of_team_review,
        name="team_review_picture",
    ),
    path("teams/<int:pk>/picture/<slug:digest>.webp", teams.picture, name="team_picture"),
    path("teams/<int:pk>/calendar.ics", calendars.of_team, name="team_calendar"),
    path("teams/<int:pk>/follow/", following.follow_team, name="team_follow"),
    path("teams/<int:pk>/edit/", team_leading.edit, name="team_edit"),
    path("teams/<int:pk>/picture/", team_leading.picture, name="team_upload"),
    path("teams/<int:pk>/manage/", team_leading.manage, name="team_manage"),
    path("teams/<int:pk>/members/<int:member_id>/", team_acts.member, name="team_member"),
    path("teams/<int:pk>/captaincy/", team_acts.captaincy, name="team_captaincy"),
    path(
        "teams/<int:pk>/invitations/<int:invitation_id>/withdraw/",
        team_acts.withdraw,
        name="team_withdraw",
    ),
    path("teams/<int:pk>/leave/", team_acts.leave, name="team_leave"),
    path("teams/<int:pk>/disband/", team_acts.disband, name="team_disband"),
    path("teams/<int:pk>/rosters/new/", team_leading.line_up, name="team_roster_new"),
    path("teams/<int:pk>/rosters/adopt/", team_acts.adopt, name="team_adopt"),
    path("teams/<int:pk>/rosters/<int:roster_id>/", team_leading.line_up, name="team_roster"),
    path("arenas/<slug:slug>/teams/", teams.board, name="team_board"),
    path("arenas/<slug:slug>/stand-in/", team_acts.stand_in, name="stand_in"),
    path("players/<int:pk>/points/<int:season_id>/", points.player_points, name="player_points"),
    path("badges/", badges.badges, name="badges"),
    path("players/", players.players, name="players"),
    path("players/<int:pk>/", players.player, name="player"),
    path("players/<int:pk>/records/", records.records, name="player_records"),
    path("players/<int:pk>/seasons/<int:season_id>/", reviews.review, name="player_review"),
    path(
        "players/<int:pk>/seasons/<int:season_id>/picture.png",
        pictures.of_review,
        name="review_picture",
    ),
    path("players/<int:pk>/matches/", records.all_matches, name="player_matches"),
    path("players/<int:pk>/compare/", versus.compare, name="player_compare"),
    path("players/<int:pk>/against/", versus.against_named, name="player_against_named"),
    path("players/<int:pk>/against/<int:other_pk>/", versus.against, name="player_against"),
    path("players/<int:pk>/claim/", claims.claim, name="player_claim"),
    path("players/<int:pk>/follow/", following.follow_player, name="player_follow"),
    path("players/<int:pk>/block/", following.block, name="player_block"),
    path("players/<int:pk>/report/", player_reports.report_player, name="player_report"),
    path("settings/claim/withdraw/", claims.withdraw, name="claim_withdraw"),
    path("divisions/<int:pk>/seen/", players.division_seen, name="division_seen"),
    path("matches/waiting/", open_matches.waiting, name="waiting"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/leave/", matches.leave, name="match_leave"),
    path("matches/<int:pk>/left/", quits.answer, name="match_claim"),
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
    path("matches/<int:pk>/score/", live_scores.match_score, name="match_score"),
    path("matches/<int:pk>/talk/", talk.talk, name="match_talk"),
    path("matches/<int:pk>/images/<int:message_id>/", disputes.image, name="match_image"),
    path(
        "matches/<int:pk>/images/<int:message_id>/remove/",
        disputes.remove_image,
        name="match_image_remove",
    ),
    path("matches/<int:pk>/seat/leave/", leave_seat, name="match_leave_seat"),
    path("matches/<int:pk>/maps/", maps.maps, name="match_maps"),
    path("matches/<int:pk>/maps/ban/", maps.ban, name="match_map_ban"),
    path("matches/<int:pk>/conduct/", conduct.report, name="match_conduct"),
    path(
        "matches/<int:pk>/report-player/",
        player_reports.report_from_match,
        name="match_player_report",
    ),
    path("matches/<int:pk>/figures/", figures.enter, name="match_figures"),
    path("matches/<int:pk>/decide/", decisions.decide, name="match_decide"),
    path("matches/<int:pk>/reopen/", decisions.reopen, name="match_reopen"),
    path("matches/<int:pk>/correct/", corrections.correct, name="match_correct"),
    path("matches/<int:pk>/erratum/", corrections.erratum, name="match_erratum"),
    path(
        "matches/<int:pk>/correct/<int:request_id>/",
        corrections.correction,
        name="match_correction",
    ),
    path(
        "matches/<int:pk>/corrections/<int:correction_id>/undo/",
        corrections.undo,
        name="correction_undo",
    ),
    path("inbox/", inbox.inbox, name="inbox"),
    path("inbox/read/", inbox.mark_read, name="inbox_read"),
    path("inbox/<int:pk>/", inbox.open_notice, name="notice"),
    path("notices/answer/<str:token>/", mails.answer, name="notice_answer"),
    path("notices/stop/<str:token>/", mails.stop, name="notice_stop"),
    path("impersonation/end/", impersonation.end, name="impersonation_end"),
    path("discord/interactions/", interactions, name="discord_interactions"),
    path("settings/", settings.settings, name="settings"),
    path("settings/calendar/", calendars.settings, name="calendar_settings"),
    path("calendars/<str:token>.ics", calendars.own, name="own_calendar"),
    path("settings/discord/", discord_settings, name="discord_settings"),
    path("settings/mail/", mails.mail_settings, name="mail_settings"),
    path("settings/mail/devices/", devices.subscribe, name="push_subscribe"),
    path("settings/mail/devices/<int:pk>/remove/", devices.remove, name="push_remove"),
    path("settings/dishonor/", dishonor.dishonor, name="dishonor"),
    path("settings/dishonor/<int:pk>/appeal/", appeals.appeal, name="appeal"),
    path("settings/following/", following.following, name="following"),
    path("settings/profile/", profiles.profile, name="profile"),
    path("settings/profile/picture/", profiles.upload, name="avatar_upload"),
    path("players/<int:pk>/avatar/<slug:digest>.webp", profiles.avatar, name="avatar"),
    path("players/<int:pk>/profile/remove/", profiles.remove, name="profile_remove"),
    path("settings/privacy/", privacy.privacy, name="privacy"),
    path("settings/delete/", deletion.delete, name="account_delete"),
    path("settings/delete/mail/", deletion.mail_link, name="account_delete_mail"),
    path("settings/delete/keep/", deletion.keep, name="account_keep"),
    path("delete-account/<str:token>/", deletion.by_mail, name="account_delete_by_mail"),
    path("settings/data/", privacy.my_data, name="my_data"),
    path("settings/data/file/", privacy.download, name="my_data_file"),
    path("settings/name/", settings.choose_name, name="player_name"),
    path("settings/name/change/", settings.change_name, name="player_rename"),
    path("settings/tokens/", tokens.tokens, name="tokens"),
    path("settings/tokens/<int:pk>/revoke/", tokens.revoke_token, name="token_revoke"),
    path("settings/apps/", connected.connected_apps, name="connected_apps"),
    path("settings/apps/<int:pk>/remove/", connected.remove, name="connected_app_remove"),
]
