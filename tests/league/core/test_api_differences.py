"""Every page has a route of the API that shows or does the same, apart from the lists below."""

from __future__ import annotations

from tests.support.permission_walk import OURS

SAME = {
    "appeal": "appeal",
    "arena": "arena",
    "arena_live": "live-matches",
    "arenas": "arenas",
    "challenge_answer": "challenge-answer",
    "challenge_draw": "challenge-draw",
    "challenge_new": "challenges",
    "challenge_report": "challenge-report",
    "challenge_start": "challenge-start",
    "challenges": "challenges",
    "competition": "competition",
    "competition_entry": "competition-entry",
    "competition_file": "competition",
    "competitions": "competitions",
    "correction_undo": "corrections",
    "date": "dates",
    "date_answer": "date-answer",
    "date_call_off": "date-call-off",
    "date_move": "date-move",
    "date_new": "dates",
    "date_no_show": "date-no-show",
    "date_report": "date-report",
    "date_request": "date-request",
    "date_reschedule": "date-move",
    "date_write": "date-messages",
    "dates": "dates",
    "dishonor": "dishonor",
    "distribution": "distribution",
    "enter": "results",
    "fixture": "fixtures",
    "following": "following",
    "inactive": "inactive",
    "inbox": "notices",
    "inbox_read": "notices-read",
    "invitation_answer": "invitation-answer",
    "leaderboard": "leaderboard",
    "live": "live",
    "match": "match",
    "match_change": "match-change",
    "match_conduct": "match-conduct",
    "match_confirm": "match-confirm",
    "match_correct": "corrections",
    "match_correction": "correction",
    "match_counter": "match-counter",
    "match_counter_answer": "match-counter-answer",
    "match_decide": "match-decision",
    "match_dispute": "match-dispute",
    "match_figures": "match-figures",
    "match_image": "match-image",
    "match_leave": "match-leave",
    "match_object": "match-objection",
    "match_player_report": "player-report",
    "match_report": "match-report",
    "match_why": "match-why",
    "match_withdraw": "match-withdraw",
    "match_write": "match-messages",
    "notice": "notices",
    "objection_reject": "objection-rejection",
    "objection_withdraw": "objection-withdrawal",
    "opponents": "opponents",
    "player": "player",
    "player_against": "player-against",
    "player_against_named": "player-against",
    "player_block": "player-block",
    "player_compare": "player-compare",
    "player_follow": "player-follow",
    "player_matches": "matches",
    "player_points": "player-points",
    "player_records": "player-records",
    "player_report": "player-report",
    "players": "players",
    "points": "points",
    "profile": "profile",
    "queue": "queue",
    "queue_answer": "ready-check-answer",
    "queue_filter": "queue-filter",
    "queue_join": "queue",
    "queue_leave": "queue",
    "queue_regions": "queue-regions",
    "report": "reports",
    "roster_edit": "roster",
    "roster_leave": "roster-leave",
    "roster_new": "rosters",
    "rosters": "rosters",
    "search": "search",
    "season": "season",
    "season_export": "final-standings",
    "season_points": "season-points",
    "points_export": "season-points",
    "seasons": "seasons",
    "my_teams": "teams",
    "team": "team",
    "team_adopt": "team-adopt",
    "team_answer": "team-invitation-answer",
    "team_board": "team-board",
    "team_captaincy": "team-captaincy",
    "team_disband": "team-disband",
    "team_edit": "team",
    "team_follow": "team-follow",
    "team_join": "team-join",
    "team_leave": "team-leave",
    "team_manage": "team-invitations",
    "team_member": "team-member",
    "team_new": "teams",
    "team_roster": "team-roster",
    "team_roster_new": "team-rosters",
    "team_withdraw": "team-invitation",
    "teams": "teams",
    "token_revoke": "token",
    "tokens": "tokens",
    "stakes": "what-if",
    "stand_in": "stand-in",
    "what_if": "what-if",
}
"""The route of each page, without ``api:``."""

ON_PURPOSE = {
    "an account belongs to a person in a browser": (
        *("account_delete", "account_delete_by_mail", "account_delete_mail", "account_keep"),
        *("claim_withdraw", "player_claim", "player_name", "player_rename", "my_data"),
        *("my_data_file", "privacy", "settings", "session", "impersonation_end"),
    ),
    "it is how a page looks, or where it leads": (
        *("announcement_dismiss", "division_seen", "report_order", "site_colours", "site_logo"),
        *("theme", "waiting", "welcome", "home"),
    ),
    "it is a picture, feed, calendar or part for other sites, with an address of its own": (
        *("arena_feed", "board_picture", "calendar_settings", "competition_calendar"),
        *("competition_picture", "date_calendar", "embed_board", "embed_player"),
        *("match_picture", "oembed", "own_calendar", "player_feed", "player_picture"),
        *("bracket_pgn", "round_pgn", "team_calendar", "team_card", "team_picture", "avatar"),
    ),
    "it is for machines that know nothing of the API": (
        *("favicon", "healthz", "metrics", "readyz", "readyz_check", "robots"),
        *("sitemap", "sitemaps"),
    ),
    "it is reached by a link in a mail, or is about mail": (
        *("mail_settings", "notice_answer", "notice_stop"),
    ),
    "it is the first run": ("setup", "setup_demo"),
}
"""Pages that need no route, by reason."""

MISSING = {
    *("avatar_upload", "how_it_works"),
    *("match_erratum", "match_image_remove", "match_leave_seat", "match_map_ban", "match_maps"),
    *("match_reopen", "profile_remove", "team_upload"),
}
"""Pages that have no route yet. Take a page from here with the route that you add for it."""


def pages() -> set[str]:
    return {row.route for row in OURS if not row.route.startswith("api:")}


def test_every_page_has_a_route_or_is_known_to_have_none() -> None:
    without = {page for group in ON_PURPOSE.values() for page in group}
    lists = [set(SAME), without, MISSING]
    assert sum(map(len, lists)) == len(set.union(*lists)), "a page is in two lists"
    assert set.union(*lists) == pages()


def test_every_route_that_a_page_has_exists() -> None:
    known = {row.route.removeprefix("api:") for row in OURS if row.route.startswith("api:")}
    assert set(SAME.values()) <= known
