"""The permission table of the pages."""

from __future__ import annotations

from tests.support.permission_objects import (
    a_demo_request,
    a_logo,
    alices_roster,
    an_archive,
    charlies_link,
    eves_discord,
    eves_invitation,
    eves_mails,
    eves_notice,
    eves_penalty,
    eves_promotion,
    eves_token,
    in_arena,
    in_eves_found_match,
    in_full_arena,
    in_ladder,
    in_melee,
    in_teams,
    unowned,
)
from tests.support.permission_objects_results import (
    a_correction,
    a_fresh_result,
    a_verdict,
    a_void_report,
    a_voided_match,
    a_voiding,
    a_win,
    accused,
    an_entry,
    an_image,
    countered,
    discussed,
    objected_to,
    of,
)
from tests.support.permission_roles import ADMIN_ONLY, LOGGED_IN, OPEN, Row

CAPTAINS = "login forbidden ok ok forbidden forbidden"
ANSWERING = "login forbidden forbidden ok forbidden forbidden"
HOLDER_ONLY = "ok forbidden forbidden ok forbidden forbidden"
"""Charlie's link works for visitors, and for nobody who is logged in as another player."""
REPORTING = "login forbidden ok forbidden forbidden forbidden"
SIGNED = "login login login login login login"
"""Discord signs its requests, whoever is logged in."""
LINKED = "login ok refused refused refused refused"
"""Eve has linked her account with Discord."""
TALKING = "login forbidden ok ok forbidden ok"
READING = "missing missing ok ok missing ok"
CLOSED_SETUP = "refused refused refused refused refused refused"
"""The setup is over once there is a staff account."""
DECIDING = "login forbidden forbidden forbidden forbidden ok"


WEB = [
    Row("home", "GET", OPEN),
    Row("healthz", "GET", OPEN),
    Row("readyz", "GET", OPEN),
    Row("readyz_check", "GET", OPEN, where=lambda world: {"name": "database"}),
    Row("metrics", "GET", OPEN),  # to this machine; see tests/league/operations/test_metrics.py
    Row("favicon", "GET", OPEN),
    Row("robots", "GET", OPEN),
    Row("site_colours", "GET", OPEN),
    Row("site_logo", "GET", OPEN, where=a_logo),
    Row("announcement_dismiss", "GET", OPEN, where=lambda world: {"pk": 1}),
    Row("announcement_dismiss", "POST", OPEN, where=lambda world: {"pk": 1}),
    Row("setup", "GET", CLOSED_SETUP),
    Row("setup", "POST", CLOSED_SETUP),
    Row("setup_demo", "GET", ADMIN_ONLY, where=a_demo_request),
    Row("arenas", "GET", OPEN),
    Row("arena", "GET", OPEN, where=in_arena),
    Row("how_it_works", "GET", OPEN, where=in_full_arena),
    Row("leaderboard", "GET", OPEN, where=in_arena),
    Row("distribution", "GET", OPEN, where=in_arena),
    Row("inactive", "GET", OPEN, where=in_arena),
    Row("session", "GET", OPEN, where=in_arena),
    Row("seasons", "GET", OPEN, where=in_arena),
    Row("season", "GET", OPEN, where=an_archive),
    Row("season_export", "GET", OPEN, where=lambda world: an_archive(world) | {"kind": "csv"}),
    Row("season_results", "GET", OPEN, where=lambda world: an_archive(world) | {"kind": "csv"}),
    Row("points", "GET", OPEN, where=in_ladder),
    Row("season_points", "GET", OPEN, where=an_archive),
    Row("points_export", "GET", OPEN, where=lambda world: an_archive(world) | {"kind": "json"}),
    Row(
        "player_points",
        "GET",
        OPEN,
        where=lambda world: {"pk": world.alice.pk, "season_id": an_archive(world)["pk"]},
    ),
    Row("players", "GET", OPEN),
    Row("player", "GET", OPEN, where=lambda world: {"pk": world.alice.pk}),
    *(
        Row(name, "GET", OPEN, where=lambda world: {"pk": world.alice.pk})
        for name in ("player_records", "player_matches", "player_compare")
    ),
    Row(
        "player_against",
        "GET",
        OPEN,
        where=lambda world: {"pk": world.alice.pk, "other_pk": world.charlie.pk},
    ),
    Row(
        "player_against_named",
        "GET",
        "refused refused refused refused refused refused",  # nobody is named
        where=lambda world: {"pk": world.alice.pk},
    ),
    Row("what_if", "GET", OPEN, where=in_arena),
    Row("match", "GET", OPEN, where=objected_to),
    Row(
        "match_why",
        "GET",
        "login ok missing missing missing missing",
        where=in_eves_found_match,
    ),
    Row("report", "GET", LOGGED_IN, where=in_arena),
    Row(
        "report",
        "POST",
        "login refused refused refused refused refused",  # an opponent, but no result
        where=in_arena,
        data=lambda world: {"opponent": "Eve"},
    ),
    Row("report_order", "GET", LOGGED_IN, where=in_melee),
    Row(
        "report_order",
        "POST",
        "login refused refused refused refused refused",  # no opponent
        where=in_melee,
    ),
    Row("opponents", "GET", LOGGED_IN, where=in_arena),
    Row("stakes", "GET", LOGGED_IN, where=in_arena),
    Row("enter", "GET", DECIDING, where=in_arena),
    Row("enter", "POST", DECIDING, where=in_arena, data=an_entry),
    Row("match_report", "GET", CAPTAINS, where=lambda world: of(world.live)),
    Row("match_report", "POST", CAPTAINS, where=lambda world: of(world.live), data=a_win),
    Row("match_leave", "GET", LOGGED_IN, where=lambda world: of(world.live)),
    Row("match_leave", "POST", CAPTAINS, where=lambda world: of(world.live)),
    Row("match_claim", "GET", LOGGED_IN, where=accused),
    Row(
        "match_claim",
        "POST",
        "login forbidden refused ok forbidden forbidden",
        where=accused,
        data=lambda world: {"left": "no"},
    ),
    Row("match_confirm", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row("match_confirm", "POST", ANSWERING, where=lambda world: of(world.reported)),
    Row("match_dispute", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row(
        "match_dispute",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data=lambda world: {"reason": "It was a draw."},
    ),
    Row("match_change", "GET", REPORTING, where=lambda world: of(world.reported)),
    Row(
        "match_change",
        "POST",
        REPORTING,
        where=lambda world: of(world.reported),
        data=lambda world: {"outcome": "1", "revision": "1"},
    ),
    Row("match_withdraw", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row("match_withdraw", "POST", REPORTING, where=lambda world: of(world.reported)),
    Row("match_counter", "GET", ANSWERING, where=lambda world: of(world.reported)),
    Row(
        "match_counter",
        "POST",
        ANSWERING,
        where=lambda world: of(world.reported),
        data=lambda world: {"outcome": "1", "revision": "1", "comment": "See the replay."},
    ),
    Row("match_counter_answer", "GET", LOGGED_IN, where=countered),
    Row(
        "match_counter_answer",
        "POST",
        REPORTING,
        where=countered,
        data=lambda world: {"answer": "accept"},
    ),
    Row("match_write", "GET", LOGGED_IN, where=discussed),
    Row("match_write", "POST", TALKING, where=discussed, data=lambda world: {"text": "Look."}),
    Row("match_image", "GET", READING, where=an_image),
    Row("match_image_remove", "GET", LOGGED_IN, where=an_image),
    Row(
        "match_image_remove",
        "POST",
        DECIDING,
        where=an_image,
        data=lambda world: {"reason": "It shows an address."},
    ),
    Row(
        "match_figures",
        "GET",
        "login refused refused refused refused refused",  # this arena has no match figures
        where=lambda world: of(world.reported),
    ),
    Row(
        "match_figures",
        "POST",
        "login refused refused refused refused refused",
        where=lambda world: of(world.reported),
    ),
    *(
        Row(
            "match_conduct",
            method,
            "login forbidden forbidden forbidden forbidden forbidden",  # no reasons are declared
            where=lambda world: of(world.reported),
        )
        for method in ("GET", "POST")
    ),
    Row("match_player_report", "GET", LOGGED_IN, where=lambda world: of(world.reported)),
    Row(
        "match_player_report",
        "POST",
        "login ok refused ok ok ok",  # Alice cannot report herself
        where=lambda world: of(world.reported),
        data=lambda world: {"player": world.alice.pk, "reason": "other", "text": "So."},
    ),
    Row(
        "player_report",
        "GET",
        "login ok refused ok ok ok",
        where=lambda world: {"pk": world.alice.pk},
    ),
    Row(
        "player_report",
        "POST",
        "login ok refused ok ok ok",
        where=lambda world: {"pk": world.alice.pk},
        data=lambda world: {"reason": "other", "text": "So."},
    ),
    *(
        Row(
            "appeal",
            method,
            "login ok missing missing missing missing",
            where=eves_penalty,
            data=lambda world: {"text": "It was the power."},
        )
        for method in ("GET", "POST")
    ),
    Row("match_decide", "GET", DECIDING, where=countered),
    Row("match_decide", "POST", DECIDING, where=lambda world: of(world.disputed), data=a_verdict),
    Row("match_object", "GET", LOGGED_IN, where=a_fresh_result),
    Row(
        "match_object",
        "POST",
        CAPTAINS,
        where=a_fresh_result,
        data=lambda world: {"reason": "It was a draw."},
    ),
    Row("objection_withdraw", "GET", LOGGED_IN, where=objected_to),
    Row("objection_withdraw", "POST", ANSWERING, where=objected_to),
    Row("objection_reject", "GET", DECIDING, where=objected_to),
    Row(
        "objection_reject",
        "POST",
        DECIDING,
        where=objected_to,
        data=lambda world: {"rejection-reason": "The replay shows it."},
    ),
    Row("match_correct", "GET", DECIDING, where=objected_to),
    Row("match_correct", "POST", DECIDING, where=lambda world: of(world.rated), data=a_voiding),
    Row("match_correction", "GET", DECIDING, where=a_correction),
    Row("match_reopen", "GET", DECIDING, where=a_void_report),
    Row(
        "match_reopen",
        "POST",
        DECIDING,
        where=a_void_report,
        data=lambda world: {"reason": "It was played."},
    ),
    Row("match_erratum", "GET", DECIDING, where=lambda world: of(world.rated)),
    Row(
        "match_erratum",
        "POST",
        "login forbidden forbidden forbidden forbidden refused",  # its season is not archived
        where=lambda world: of(world.rated),
        data=lambda _world: {"reason": "Never played."},
    ),
    Row("correction_undo", "GET", DECIDING, where=a_voided_match),
    Row(
        "correction_undo",
        "POST",
        DECIDING,
        where=a_voided_match,
        data=lambda world: {"reason": "It was right.", "digest": "none", "horizon": "0"},
    ),
    Row("division_seen", "GET", "login ok missing missing missing missing", where=eves_promotion),
    Row("division_seen", "POST", "login ok missing missing missing missing", where=eves_promotion),
    Row("player_claim", "GET", LOGGED_IN, where=unowned),
    Row(
        "player_claim",
        "POST",
        "login refused refused refused ok ok",  # three have a history of their own
        where=unowned,
        data=lambda world: {"evidence": "Ask Olga."},
    ),
    Row("claim_withdraw", "GET", LOGGED_IN),
    Row("claim_withdraw", "POST", "login refused refused refused refused refused"),
    Row("waiting", "GET", LOGGED_IN),
    Row("rosters", "GET", LOGGED_IN, where=in_teams),
    Row("roster_new", "GET", LOGGED_IN, where=in_teams),
    Row("roster_new", "POST", LOGGED_IN, where=in_teams, data=lambda world: {"name": "The Others"}),
    Row(
        "roster_edit",
        "GET",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
    ),
    Row(
        "roster_edit",
        "POST",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
        data=lambda world: {"name": "Wood Birds"},
    ),
    Row("roster_leave", "GET", LOGGED_IN, where=alices_roster),
    Row(
        "roster_leave",
        "POST",
        "login forbidden refused forbidden forbidden forbidden",  # Alice leads it
        where=alices_roster,
    ),
    Row("invitation_answer", "GET", LOGGED_IN, where=eves_invitation),
    Row(
        "invitation_answer",
        "POST",
        "login ok refused refused refused refused",
        where=eves_invitation,
        data=lambda world: {"answer": "accept"},
    ),
    Row("impersonation_end", "POST", OPEN),  # leads to the first page, if there is nothing to end
    Row("inbox", "GET", LOGGED_IN),
    Row("inbox_read", "GET", LOGGED_IN),
    Row("inbox_read", "POST", LOGGED_IN),
    Row("notice", "GET", "login ok missing missing missing missing", where=eves_notice),
    Row("notice_answer", "GET", HOLDER_ONLY, where=charlies_link),
    Row(
        "notice_answer",
        "POST",
        HOLDER_ONLY,
        where=charlies_link,
        data=lambda world: {"answer": "confirm"},
    ),
    Row("notice_stop", "GET", OPEN, where=eves_mails),
    Row("notice_stop", "POST", OPEN, where=eves_mails),
    Row("discord_interactions", "POST", SIGNED),
    Row("discord_settings", "GET", LOGGED_IN),
    Row("discord_settings", "POST", LINKED, data=eves_discord),
    Row("mail_settings", "GET", LOGGED_IN),
    Row("mail_settings", "POST", LOGGED_IN, data=lambda world: {"pace": "daily"}),
    Row("settings", "GET", LOGGED_IN),
    Row("dishonor", "GET", LOGGED_IN),
    Row("player_name", "GET", LOGGED_IN),
    Row(
        "player_name",
        "POST",
        "login refused refused refused refused refused",  # each has a player
        data=lambda world: {"name": "Somebody"},
    ),
    Row("player_rename", "GET", LOGGED_IN),
    Row(
        "player_rename",
        "POST",
        LOGGED_IN,
        data=lambda world: {"name": "Wilhelmina"},
    ),
    Row("tokens", "GET", LOGGED_IN),
    Row("tokens", "POST", LOGGED_IN, data=lambda _world: {"name": "Bot", "days": "30"}),
    Row("token_revoke", "GET", LOGGED_IN, where=eves_token),
    Row("token_revoke", "POST", "login ok missing missing missing missing", where=eves_token),
]
