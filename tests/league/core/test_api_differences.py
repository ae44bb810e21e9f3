"""Every page has a route of the API that shows or does the same, or a reason to have none."""

from tests.support.permission_walk import OURS

OTHERWISE = {
    "arena_live": "live-matches",
    "avatar_upload": "profile-picture",
    "challenge_new": "challenges",
    "competition_file": "competition",
    "correction_undo": "corrections",
    "date": "dates",
    "date_new": "dates",
    "date_reschedule": "date-move",
    "date_write": "date-messages",
    "enter": "results",
    "fixture": "fixtures",
    "how_it_works": "arena-rules",
    "inbox": "notices",
    "inbox_read": "notices-read",
    "match_correct": "corrections",
    "match_correction": "correction",
    "match_decide": "match-decision",
    "match_claim": "match-left",
    "match_image_remove": "match-image-removal",
    "match_leave_seat": "match-seat-leave",
    "match_object": "match-objection",
    "match_player_report": "player-report",
    "match_reopen": "match-reopening",
    "match_write": "match-messages",
    "my_teams": "teams",
    "notice": "notices",
    "objection_reject": "objection-rejection",
    "objection_withdraw": "objection-withdrawal",
    "player_against_named": "player-against",
    "player_matches": "matches",
    "points_export": "season-points",
    "profile_remove": "profile-removal",
    "queue_answer": "ready-check-answer",
    "queue_join": "queue",
    "queue_leave": "queue",
    "report": "reports",
    "roster_edit": "roster",
    "roster_new": "rosters",
    "season_export": "final-standings",
    "season_results": "matches",
    "stakes": "what-if",
    "team_answer": "team-invitation-answer",
    "team_edit": "team",
    "team_manage": "team-invitations",
    "team_new": "teams",
    "team_roster_new": "team-rosters",
    "team_upload": "team-picture",
    "team_withdraw": "team-invitation",
    "token_revoke": "token",
}
"""The route of a page that is called otherwise than the page, without ``api:``."""

ON_PURPOSE = {
    "an account belongs to a person in a browser": (
        "account_delete",
        "account_delete_by_mail",
        "account_delete_mail",
        "account_keep",
        "claim_withdraw",
        "player_claim",
        "player_name",
        "player_rename",
        "my_data",
        "my_data_file",
        "privacy",
        "settings",
        "session",
        "impersonation_end",
        "discord_settings",
        "connected_apps",
        "connected_app_remove",
    ),
    "it is where apps and those who let them in meet, as the standards of OAuth have it": (
        "idp:oidc:configuration",
        "idp:oidc:oauth_configuration",
        "idp:oidc:jwks",
        "idp:oidc:authorization",
        "idp:oidc:token",
        "idp:oidc:revoke",
        "idp:oidc:userinfo",
        "idp:oidc:device_authorization",
        "idp:oidc:device_code",
        "idp:oidc:logout",
    ),
    "it is how a page looks, or where it leads": (
        "announcement_dismiss",
        "division_seen",
        "join",
        "join_competition",
        "poster",
        "report_order",
        "site_colours",
        "site_logo",
        "theme",
        "waiting",
        "welcome",
        "home",
    ),
    "it is a picture, feed, calendar or part for other sites, with an address of its own": (
        "arena_feed",
        "board_picture",
        "calendar_settings",
        "competition_calendar",
        "competition_picture",
        "date_calendar",
        "embed_board",
        "embed_player",
        "match_picture",
        "oembed",
        "own_calendar",
        "player_feed",
        "player_picture",
        "bracket_pgn",
        "round_pgn",
        "team_calendar",
        "team_card",
        "team_picture",
        "avatar",
    ),
    "it is where organisers run an event in the hall; programs enter results and read its rounds": (
        "challenge_enter",
        "competition_clock",
        "competition_entrants",
        "competition_pair",
        "competition_poster",
        "competition_print",
        "competition_run",
        "ladder_order",
    ),
    "it is for machines that know nothing of the API": (
        "discord_interactions",
        "favicon",
        "healthz",
        "metrics",
        "readyz",
        "readyz_check",
        "robots",
        "sitemap",
        "sitemaps",
    ),
    "it is reached by a link in a mail, or is about mail": (
        "mail_settings",
        "notice_answer",
        "notice_stop",
    ),
    "it is the first run": ("setup", "setup_demo"),
}
"""Pages that need no route, by reason."""


PAGES = {row.route for row in OURS if not row.route.startswith("api:")}
ROUTES = {row.route.removeprefix("api:") for row in OURS if row.route.startswith("api:")}
WITHOUT = {page for group in ON_PURPOSE.values() for page in group}
SAME = {page for page in PAGES if page.replace("_", "-") in ROUTES} - OTHERWISE.keys() - WITHOUT


def test_every_page_has_a_route_or_a_reason_to_have_none() -> None:
    assert not WITHOUT & OTHERWISE.keys(), "a page is in two lists"
    assert SAME | WITHOUT | OTHERWISE.keys() == PAGES


def test_every_route_that_a_page_has_exists() -> None:
    assert set(OTHERWISE.values()) <= ROUTES
