"""What each role may do on which page: the declared table, and the page of the docs made from it.

``python -m tests.support.role_matrix`` writes docs/permissions.md.
"""

from __future__ import annotations

from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "permissions.md"
COLUMNS = ["owner", "organiser", "here", "elsewhere", "referee", "moderator", "editor", "none"]
TITLES = {
    "owner": "Owner",
    "organiser": "Organiser",
    "here": "Arena organiser, own arena",
    "elsewhere": "Arena organiser, other arena",
    "referee": "Referee",
    "moderator": "Moderator",
    "editor": "Editor",
    "none": "Staff without a role",
}
LETTERS = "vacd"
"""To view rows, add, change and delete them. A dot stands for nothing."""

MODELS = """
league.amnesty              | va   va   va   a v v    .    .
league.arena                | vacd vacd vc   . v v    v    .
league.arrangement          | v    v    v    . v .    .    .
league.competition          | vacd vacd vacd a v .    .    .
league.entrant              | v    v    v    . v .    .    .
league.fixture              | v    v    v    . v .    .    .
league.staffaction          | v    v    v    . v v    .    .
league.discipline           | vc   vc   .    . . vc   .    .
league.dishonoraward        | v    v    v    . v v    .    .
league.flag                 | vc   vc   vc   . v vc   .    .
league.job                  | v    v    .    . . .    .    .
league.challenge            | v    v    v    . v .    .    .
league.email                | v    v    .    . . v    .    .
league.bouncingaddress      | vd   .    .    . . vd   .    .
league.playerclaim          | v    .    .    . . v    .    .
league.player               | vacd vac  v    v v vc   .    .
league.reservedword         | vacd vacd .    . . vacd vacd .
league.roster               | vacd vacd vacd a v vc   .    .
league.team                 | vc   vc   .    . . vc   .    .
league.user                 | vacd vc   .    . . vc   .    .
auth.group                  | vacd .    .    . . .    .    .
league.pointentry           | v    v    v    . v v    .    .
league.arenaqueue           | vacd vacd vac  a . .    .    .
league.ticket               | v    v    v    . . .    .    .
league.proposal             | v    v    v    . . .    .    .
league.tick                 | v    v    v    . . .    .    .
league.rating               | v    v    v    . v v    .    .
league.ratingevent          | v    v    v    . v v    .    .
league.match                | v    v    v    . v v    .    .
account.emailaddress        | vacd .    .    . . .    .    .
mfa.authenticator           | vacd .    .    . . .    .    .
socialaccount.socialapp     | vacd .    .    . . .    .    .
socialaccount.socialtoken   | vacd .    .    . . .    .    .
socialaccount.socialaccount | vacd .    .    . . .    .    .
axes.accessattempt          | vcd  .    .    . . vd   .    .
axes.accesslog              | vcd  .    .    . . v    .    .
axes.accessfailurelog       | vcd  .    .    . . .    .    .
league.accesstoken          | vad  .    .    . . .    .    .
league.app                  | vacd .    .    . . .    .    .
league.fileimport           | vc   vc   v    . . .    .    .
league.appeal               | vc   .    .    . . vc   .    .
league.case                 | vac  .    .    . . vac  .    .
league.playerreport         | vc   .    .    . . vc   .    .
league.leaguesettings       | vc   vc   .    . . .    vc   .
league.maintenance          | vc   vc   .    . . .    .    .
league.announcement         | vac  vac  .    . . .    vac  .
league.arenatext            | vac  vac  vac  a . .    vac  .
league.trial                | v    v    v    . . .    .    .
league.webhook              | vacd vacd vacd a . .    .    .
league.webhookdelivery      | v    v    v    . . .    .    .
league.discordboard         | vacd vacd vacd a . .    .    .
"""
PAGES = """
GET setup_demo                          | + . . . . . . .
GET enter                               | + + + . + . . .
POST enter                              | + + + . + . . .
POST match_write                        | + + + . + . . .
GET match_image                         | + + + . + . . .
POST match_image_remove                 | + + + . + . . .
GET match_decide                        | + + + . + . . .
POST match_decide                       | + + + . + . . .
GET objection_reject                    | + + + . + . . .
POST objection_reject                   | + + + . + . . .
GET match_correct                       | + + + . + . . .
POST match_correct                      | + + + . + . . .
GET match_correction                    | + + + . + . . .
GET match_reopen                        | + + + . + . . .
POST match_reopen                       | + + + . + . . .
GET match_erratum                       | + + + . + . . .
GET correction_undo                     | + + + . . . . .
POST correction_undo                    | + + + . . . . .
GET date_answer                         | + + + . + . . .
GET date_move                           | + + + . + . . .
GET date_write                          | + + + . + . . .
POST date_write                         | + + + . + . . .
GET api:date-messages                   | + + + . + . . .
POST api:date-messages                  | + + + . + . . .
GET profile_remove                      | + + . . . + . .
POST profile_remove                     | + + . . . + . .
POST api:profile-removal                | + + . . . + . .
PUT api:player-level                    | + + . . . + . .
POST api:results                        | + + + . + . . .
POST api:bulk-results                   | + + + . . . . .
POST api:bulk-players                   | + + . . . . . .
GET api:webhooks                        | + + + + . . . .
POST api:webhooks                       | + + + . . . . .
GET api:webhook                         | + + + . . . . .
PATCH api:webhook                       | + + + . . . . .
DELETE api:webhook                      | + + + . . . . .
POST api:webhook-secret                 | + + + . . . . .
POST api:webhook-test                   | + + + . . . . .
GET api:webhook-deliveries              | + + + . . . . .
POST api:webhook-replay                 | + + + . . . . .
POST api:live-matches                   | + . . . . . . .
GET api:match-messages                  | + + + . + . . .
POST api:match-messages                 | + + + . + . . .
GET api:match-image                     | + + + . + . . .
POST api:match-image-removal            | + + + . + . . .
POST api:match-reopening                | + + + . + . . .
POST api:objection-rejection            | + + + . + . . .
POST api:match-decision                 | + + + . + . . .
POST api:correction-preview             | + + + . . . . .
POST api:corrections                    | + + + . . . . .
GET api:correction                      | + + + . + . . .
GET admin:app_list                      | + + + + + + + .
GET admin:autocomplete                  | + + + + + + . .
GET admin:test_mail                     | + + . . . . . .
POST admin:test_mail                    | + + . . . . . .
GET admin:backups                       | + + . . . . . .
POST admin:backups                      | + + . . . . . .
POST admin:run_task                     | + + . . . . . .
POST admin:save_filter                  | + + + + + + . .
GET admin:league_player_ban             | + . . . . + . .
POST admin:league_player_ban            | + . . . . + . .
GET admin:league_player_lift_ban        | + . . . . + . .
POST admin:league_player_lift_ban       | + . . . . + . .
GET admin:league_player_penalise        | + + + + . + . .
POST admin:league_player_penalise       | + + + + . + . .
GET admin:league_player_file            | + . . . . + . .
GET admin:league_player_banned          | + . . . . + . .
GET admin:league_user_see_as            | + . . . . + . .
POST admin:league_user_see_as           | + . . . . + . .
GET admin:league_player_merge           | + . . . . + . .
POST admin:league_player_merge          | + . . . . + . .
GET admin:league_player_merge_names     | + . . . . + . .
GET admin:league_player_merge_request   | + . . . . + . .
GET admin:league_player_void_all        | + + + + . . . .
POST admin:league_player_void_all       | + + + + . . . .
GET admin:league_player_undo_all        | + + + . . . . .
POST admin:league_player_undo_all       | + + + . . . . .
GET admin:league_player_voided_all      | + + + . . . . .
GET admin:league_competition_seasons    | + + + + . . . .
GET admin:league_competition_open       | + + + . . . . .
POST admin:league_competition_open      | + + + . . . . .
GET admin:league_competition_start      | + + + . . . . .
POST admin:league_competition_start     | + + + . . . . .
GET admin:league_competition_field      | + + + . . . . .
POST admin:league_competition_field     | + + + . . . . .
GET admin:league_competition_pair       | + + + . . . . .
POST admin:league_competition_pair      | + + + . . . . .
GET admin:league_competition_cancel     | + + + . . . . .
POST admin:league_competition_cancel    | + + + . . . . .
GET admin:league_entrant_withdraw       | + + + . . . . .
GET admin:league_entrant_return         | + + + . . . . .
GET admin:league_entrant_bye            | + + + . . . . .
POST admin:league_entrant_withdraw      | + + + . . . . .
POST admin:league_entrant_return        | + + + . . . . .
POST admin:league_entrant_bye           | + + + . . . . .
GET admin:league_fixture_decide         | + + + . . . . .
POST admin:league_fixture_decide        | + + + . . . . .
GET admin:league_fixture_date           | + + + . . . . .
POST admin:league_fixture_date          | + + + . . . . .
GET admin:league_fixture_match          | + + + . . . . .
POST admin:league_fixture_match         | + + + . . . . .
GET admin:league_fixture_take_off       | + + + . . . . .
POST admin:league_fixture_take_off      | + + + . . . . .
GET admin:league_fixture_keep           | + + + . . . . .
POST admin:league_fixture_keep          | + + + . . . . .
GET admin:league_challenge_call_off     | + + + . + . . .
POST admin:league_challenge_call_off    | + + + . + . . .
GET admin:league_arena_preview          | + + + + . . . .
POST admin:league_arena_preview         | + + + + . . . .
GET admin:league_arenaqueue_preview     | + + + + . . . .
POST admin:league_arenaqueue_preview    | + + + + . . . .
GET admin:league_discipline_preview     | + + . . . + . .
POST admin:league_discipline_preview    | + + . . . + . .
GET admin:league_arena_rerate           | + + + . . . . .
POST admin:league_arena_rerate          | + + + . . . . .
GET admin:league_arena_rerated          | + + + . . . . .
GET admin:league_job_change             | + + . . . . . .
POST admin:league_job_change            | + + . . . . . .
GET admin:league_arena_other_rules      | + + + . . . . .
POST admin:league_arena_other_rules     | + + + . . . . .
GET admin:league_trial_change           | + + + . . . . .
POST admin:league_trial_change          | + + + . . . . .
GET admin:league_arenaqueue_rerun       | + + + . . . . .
POST admin:league_arenaqueue_rerun      | + + + . . . . .
GET admin:league_arena_import           | + + + . . . . .
POST admin:league_arena_import          | + + + . . . . .
GET admin:league_arena_settings_file    | + + + . . . . .
GET admin:league_arena_data             | + + + . . . . .
GET admin:league_app_secret             | + . . . . . . .
POST admin:league_app_secret            | + . . . . . . .
GET admin:league_webhook_run            | + + + . . . . .
POST admin:league_webhook_run           | + + + . . . . .
GET admin:league_webhookdelivery_replay | + + + . . . . .
POST admin:league_webhookdelivery_replay | + + + . . . . .
GET admin:league_fileimport_of_job      | + + + . . . . .
GET admin:league_fileimport_errors      | + + + . . . . .
GET admin:league_arena_evening          | + + + . + . . .
POST admin:league_arena_evening         | + + + . + . . .
GET admin:league_arena_evening_names    | + + + . + . . .
GET admin:league_arena_evening_entered  | + + + . + . . .
POST admin:league_arena_evening_entered | + + + . . . . .
GET admin:league_arena_evening_of_job   | + + + . + . . .
GET admin:league_arena_start            | + + . . . . . .
POST admin:league_arena_start           | + + . . . . . .
GET admin:league_arena_draft            | + + + . . . . .
POST admin:league_arena_draft           | + + + . . . . .
GET admin:league_arena_step             | + + + . . . . .
POST admin:league_arena_step            | + + + . . . . .
GET admin:league_arena_open_season      | + + + . . . . .
GET admin:league_arena_end_season       | + + + . . . . .
GET admin:auth_user_password_change     | + + . . . + . .
GET admin:league_tick_run_again         | + + + . . . . .
"""


def table(text: str) -> dict[str, list[str]]:
    """Return the cells of each line by its first word."""
    lines = (line.split("|") for line in text.strip().splitlines())
    return {name.strip(): cells.split() for name, cells in lines}


def document() -> str:
    """Return docs/permissions.md."""
    # Imported late: the tables above are read without Django.
    from django.utils.translation import override  # noqa: PLC0415

    from league.services.people.role_table import ROLES  # noqa: PLC0415

    with override("en"):
        words = [f"| {role.name} | {role.words} |" for role in ROLES]
    head = [f"| {' | '.join(['', *TITLES.values()])} |", f"|{' --- |' * (len(COLUMNS) + 1)}"]
    rows = [
        [f"| {name} | {' | '.join(cells)} |" for name, cells in table(text).items()]
        for text in (MODELS, PAGES)
    ]
    return "\n".join(
        [
            "# Permissions",
            "",
            "Who may do what. A test compares this page with the site: it asks each page of the",
            "admin and of staff as each role. Write it anew with",
            "`python -m tests.support.role_matrix`.",
            "",
            "| Role | What it is for |",
            "| --- | --- |",
            *words,
            "",
            "An owner can take permissions from a role and add others on its group's page.",
            "Upgrades add permissions that are new, and leave such changes as they are.",
            "",
            "## Rows in the admin",
            "",
            "`v` view, `a` add, `c` change, `d` delete, `.` nothing. An arena organiser adds rows",
            "to their own arenas only.",
            "",
            *head,
            *rows[0],
            "",
            "## Other pages of staff",
            "",
            "`+` open, `.` closed. Pages of the API begin with `api:`.",
            "",
            *head,
            *rows[1],
            "",
        ]
    )


if __name__ == "__main__":
    import django

    django.setup()
    DOCUMENT.write_text(document())
