"""Who may open which page of the admin, for the test that walks the tables.

A page of a model follows one rule: it is for staff with a permission for that model. Listed here
are the pages that belong to no model, and those that are closed to superusers as well. Pages about
people and about arenas have tables beside this one.
"""

from tests.support.permission_matrix_admin_arenas import ARENAS
from tests.support.permission_matrix_admin_people import PEOPLE
from tests.support.permission_matrix_competitions import STEPS
from tests.support.permission_objects_admin import content_type_of_arenas
from tests.support.permission_roles import PERMITTED, Row, form

STAFF = "login login login login ok ok"
WITH_PERMISSION = "login login login login missing ok"
NO_SUCH_PAGE = "login login login login missing missing"

ADMIN = [
    Row("admin:index", "GET", STAFF),
    *form(
        "admin:login",
        "login forbidden forbidden forbidden ok ok",
        "login forbidden forbidden forbidden ok ok",
    ),
    Row("admin:logout", "POST", "ok ok ok ok ok ok"),
    *form("admin:password_change", STAFF, STAFF),
    Row("admin:password_change_done", "GET", STAFF),
    Row("admin:jsi18n", "GET", STAFF),
    Row("admin:app_list", "GET", WITH_PERMISSION, where={"app_label": "league"}),
    Row(
        "admin:autocomplete",
        "GET",
        PERMITTED,
        query={"app_label": "league", "model_name": "roster", "field_name": "captain", "term": "A"},
    ),
    Row(
        "admin:view_on_site",
        "GET",
        STAFF,
        where=lambda world: {
            "content_type_id": content_type_of_arenas(),
            "object_id": world.arena.pk,
        },
    ),
    Row("admin:invite", "GET", STAFF),
    *(
        Row(f"admin:{page}", method, PERMITTED)
        for page in ("test_mail", "backups")
        for method in ("GET", "POST")
    ),
    Row("admin:archive", "POST", PERMITTED),
    Row("admin:run_task", "POST", PERMITTED, where={"name": "note_days"}),
    Row(
        "admin:save_filter",
        "POST",
        "login login login login missing ok",
        data={"page": "league.match", "name": "Mine", "query": "q=a"},
    ),
    *PEOPLE,
    *ARENAS,
    *STEPS,
    Row("/admin/nothing/", "GET", NO_SUCH_PAGE),
]

CLOSED = {
    f"admin:{page}"
    for page in (
        # Matches come from reports, ratings and their events from the replay: none is made here.
        "league_match_add",
        "league_match_delete",
        "league_rating_add",
        "league_rating_delete",
        # Jobs are started by the pages that need them.
        "league_job_add",
        "league_job_delete",
        "league_trial_add",
        "league_trial_delete",
        # Files are uploaded on the page of an arena.
        "league_fileimport_add",
        "league_fileimport_delete",
        # Ledgers only grow, and by what happens.
        "league_ratingevent_add",
        "league_ratingevent_delete",
        "league_pointentry_add",
        "league_pointentry_delete",
        "league_staffaction_add",
        "league_staffaction_delete",
        "league_dishonoraward_add",
        "league_dishonoraward_delete",
        "league_amnesty_delete",
        "league_challenge_add",
        "league_challenge_delete",
        # Players enter competitions, and the draw makes their fixtures.
        "league_entrant_add",
        "league_entrant_delete",
        "league_fixture_add",
        "league_fixture_delete",
        # Detectors raise flags, and resolved ones stay.
        "league_flag_add",
        "league_flag_delete",
        "league_arrangement_add",
        "league_arrangement_delete",
        # Players report each other and appeal on the site.
        "league_playerreport_add",
        "league_playerreport_delete",
        "league_appeal_add",
        "league_appeal_delete",
        "league_case_delete",
        # The league has one row of settings, and announcements stay on record.
        "league_leaguesettings_add",
        "league_leaguesettings_delete",
        "league_maintenance_add",
        "league_maintenance_delete",
        "league_announcement_delete",
        "league_arenatext_delete",
        # People make claims on the pages of players.
        "league_playerclaim_add",
        "league_playerclaim_delete",
        "league_team_add",
        "league_team_delete",
        "league_webhookdelivery_add",
        "league_webhookdelivery_delete",
        "league_tick_add",
        "league_tick_delete",
        # Tickets and ready checks are made by players and the matcher.
        "league_ticket_add",
        "league_ticket_delete",
        "league_proposal_add",
        "league_proposal_delete",
        # Mails are written by the site, and addresses marked by their mail servers.
        "league_email_add",
        "league_email_delete",
        "league_bouncingaddress_add",
        # There is one row of rules, which furnish() has made.
        "league_discipline_add",
        "league_discipline_delete",
        "axes_accessattempt_add",
        "axes_accesslog_add",
        "axes_accessfailurelog_add",
    )
}
