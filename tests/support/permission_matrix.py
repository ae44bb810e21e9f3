"""The permission table of the pages."""

from tests.support.permission_objects import (
    A_DEVICE,
    a_demo_request,
    a_logo,
    alices_roster,
    an_archive,
    an_invitation,
    charlies_link,
    eves_device,
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
from tests.support.permission_roles import ADMIN_ONLY, LOGGED_IN, OPEN, Row, form

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
    Row("readyz_check", "GET", OPEN, where={"name": "database"}),
    Row("metrics", "GET", OPEN),  # to this machine; see tests/league/operations/test_metrics.py
    Row("favicon", "GET", OPEN),
    Row("robots", "GET", OPEN),
    Row("site_colours", "GET", OPEN),
    Row("site_logo", "GET", OPEN, where=a_logo),
    *form("announcement_dismiss", OPEN, OPEN, where={"pk": 1}),
    *form("setup", CLOSED_SETUP, CLOSED_SETUP),
    *form("setup_archive", CLOSED_SETUP, CLOSED_SETUP),
    Row("setup_archive_progress", "GET", OPEN, where={"attempt": "unknown"}),
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
    Row("match_why", "GET", "login ok missing missing missing missing", where=in_eves_found_match),
    *form(
        "report",
        LOGGED_IN,
        "login refused refused refused refused refused",  # an opponent, but no result
        where=in_arena,
        data={"opponent": "Eve"},
    ),
    *form(
        "report_order",
        LOGGED_IN,
        "login refused refused refused refused refused",  # no opponent
        where=in_melee,
    ),
    Row("opponents", "GET", LOGGED_IN, where=in_arena),
    Row("stakes", "GET", LOGGED_IN, where=in_arena),
    *form("enter", DECIDING, DECIDING, where=in_arena, data=an_entry),
    *form("match_report", CAPTAINS, CAPTAINS, where=lambda world: of(world.live), data=a_win),
    *form("match_leave", LOGGED_IN, CAPTAINS, where=lambda world: of(world.live)),
    *form(
        "match_claim",
        LOGGED_IN,
        "login forbidden refused ok forbidden forbidden",
        where=accused,
        data={"left": "no"},
    ),
    *form("match_confirm", LOGGED_IN, ANSWERING, where=lambda world: of(world.reported)),
    *form(
        "match_dispute",
        LOGGED_IN,
        ANSWERING,
        where=lambda world: of(world.reported),
        data={"reason": "It was a draw."},
    ),
    *form(
        "match_change",
        REPORTING,
        REPORTING,
        where=lambda world: of(world.reported),
        data={"outcome": "1", "revision": "1"},
    ),
    *form("match_withdraw", LOGGED_IN, REPORTING, where=lambda world: of(world.reported)),
    *form(
        "match_counter",
        ANSWERING,
        ANSWERING,
        where=lambda world: of(world.reported),
        data={"outcome": "1", "revision": "1", "comment": "See the replay."},
    ),
    *form("match_counter_answer", LOGGED_IN, REPORTING, where=countered, data={"answer": "accept"}),
    Row("match_score", "GET", OPEN, where=lambda world: of(world.live)),
    Row(
        "match_score",
        "POST",
        LOGGED_IN,
        where=lambda world: of(world.live),
        data={"act": "first", "seen": "0"},
    ),
    *form(
        "match_talk",
        LOGGED_IN,
        TALKING,
        where=lambda world: of(world.live),
        data={"text": "Hello."},
    ),
    *form("match_write", LOGGED_IN, TALKING, where=discussed, data={"text": "Look."}),
    Row("match_image", "GET", READING, where=an_image),
    *form(
        "match_image_remove",
        LOGGED_IN,
        DECIDING,
        where=an_image,
        data={"reason": "It shows an address."},
    ),
    *form(
        "match_figures",
        "login refused refused refused refused refused",  # this arena has no match figures
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
    *form(
        "match_player_report",
        LOGGED_IN,
        "login ok refused ok ok ok",  # Alice cannot report herself
        where=lambda world: of(world.reported),
        data=lambda world: {"player": world.alice.pk, "reason": "other", "text": "So."},
    ),
    *form(
        "player_report",
        "login ok refused ok ok ok",
        "login ok refused ok ok ok",
        where=lambda world: {"pk": world.alice.pk},
        data={"reason": "other", "text": "So."},
    ),
    *(
        Row(
            "appeal",
            method,
            "login ok missing missing missing missing",
            where=eves_penalty,
            data={"text": "It was the power."},
        )
        for method in ("GET", "POST")
    ),
    Row("match_decide", "GET", DECIDING, where=countered),
    Row("match_decide", "POST", DECIDING, where=lambda world: of(world.disputed), data=a_verdict),
    *form(
        "match_object", LOGGED_IN, CAPTAINS, where=a_fresh_result, data={"reason": "It was a draw."}
    ),
    *form("objection_withdraw", LOGGED_IN, ANSWERING, where=objected_to),
    *form(
        "objection_reject",
        DECIDING,
        DECIDING,
        where=objected_to,
        data={"rejection-reason": "The replay shows it."},
    ),
    Row("match_correct", "GET", DECIDING, where=objected_to),
    Row("match_correct", "POST", DECIDING, where=lambda world: of(world.rated), data=a_voiding),
    Row("match_correction", "GET", DECIDING, where=a_correction),
    *form(
        "match_reopen", DECIDING, DECIDING, where=a_void_report, data={"reason": "It was played."}
    ),
    *form(
        "match_erratum",
        DECIDING,
        "login forbidden forbidden forbidden forbidden refused",  # its season is not archived
        where=lambda world: of(world.rated),
        data={"reason": "Never played."},
    ),
    *form(
        "correction_undo",
        DECIDING,
        DECIDING,
        where=a_voided_match,
        data={"reason": "It was right.", "digest": "none", "horizon": "0"},
    ),
    *form(
        "division_seen",
        "login ok missing missing missing missing",
        "login ok missing missing missing missing",
        where=eves_promotion,
    ),
    *form(
        "player_claim",
        LOGGED_IN,
        "login refused refused refused ok ok",  # three have a history of their own
        where=unowned,
        data={"evidence": "Ask Olga."},
    ),
    *form(
        "invitations",
        ADMIN_ONLY,
        ADMIN_ONLY,
        data={"answer": "send", "names": "Ines Sole; ines@club.example"},
    ),
    *form(
        "invited",
        OPEN,
        "forbidden refused refused refused ok forbidden",  # three have a history, and Olga sent it
        where=an_invitation,
        data={"answer": "join"},
    ),
    *form("claim_withdraw", LOGGED_IN, "login refused refused refused refused refused"),
    Row("waiting", "GET", LOGGED_IN),
    Row("rosters", "GET", LOGGED_IN, where=in_teams),
    *form("roster_new", LOGGED_IN, LOGGED_IN, where=in_teams, data={"name": "The Others"}),
    *form(
        "roster_edit",
        "login forbidden ok forbidden forbidden forbidden",
        "login forbidden ok forbidden forbidden forbidden",
        where=alices_roster,
        data={"name": "Wood Birds"},
    ),
    *form(
        "roster_leave",
        LOGGED_IN,
        "login forbidden refused forbidden forbidden forbidden",  # Alice leads it
        where=alices_roster,
    ),
    *form(
        "invitation_answer",
        LOGGED_IN,
        "login ok refused refused refused refused",
        where=eves_invitation,
        data={"answer": "accept"},
    ),
    Row("impersonation_end", "POST", OPEN),  # leads to the first page, if there is nothing to end
    Row("inbox", "GET", LOGGED_IN),
    *form("inbox_read", LOGGED_IN, LOGGED_IN),
    Row("notice", "GET", "login ok missing missing missing missing", where=eves_notice),
    *form(
        "notice_answer", HOLDER_ONLY, HOLDER_ONLY, where=charlies_link, data={"answer": "confirm"}
    ),
    *form("notice_stop", OPEN, OPEN, where=eves_mails),
    Row("discord_interactions", "POST", SIGNED),
    *form("discord_settings", LOGGED_IN, LINKED, data=eves_discord),
    *form("mail_settings", LOGGED_IN, LOGGED_IN, data={"pace": "daily"}),
    *form("push_subscribe", LOGGED_IN, LOGGED_IN, data=A_DEVICE),
    *form(
        "push_remove",
        LOGGED_IN,
        "login ok missing missing missing missing",
        where=eves_device,
    ),
    Row("settings", "GET", LOGGED_IN),
    Row("dishonor", "GET", LOGGED_IN),
    *form(
        "player_name",
        LOGGED_IN,
        "login refused refused refused refused refused",  # each has a player
        data={"name": "Somebody"},
    ),
    *form("player_rename", LOGGED_IN, LOGGED_IN, data={"name": "Wilhelmina"}),
    *form("tokens", LOGGED_IN, LOGGED_IN, data={"name": "Bot", "days": "30"}),
    *form("token_revoke", LOGGED_IN, "login ok missing missing missing missing", where=eves_token),
]
