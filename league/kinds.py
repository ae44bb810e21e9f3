"""The kinds of background work.

Each kind has a queue of the same name. Workers take the kinds that they are started for, all by
default. So a tick that is due each second never waits for a correction of ten minutes.
"""

from __future__ import annotations

TICKS = "ticks"
"""Work that players in a queue wait for: each second, within milliseconds."""
SETTLING = "settling"
"""Results, deadlines, standings, notices and mails: a few seconds at most."""
SLOW = "slow"
"""Work that replays seasons or reads the whole league: up to hours."""
OUTGOING = "outgoing"
"""Webhooks, Discord and push messages: work that waits for other sites, a few seconds for each."""
KINDS = (TICKS, SETTLING, SLOW, OUTGOING)
TASKS = {
    TICKS: ("start_due_ticks", "tick_queue", "cancel_expired_ready_checks"),
    SETTLING: (
        "confirm_expired_reports",
        "process_challenges",
        "process_arrangements",
        "process_competitions",
        "store_drawn_maps",
        "update_standings",
        "compute_connections",
        "tally_points",
        "mail_notices",
        "mail_weekly",
        "tell_badges",
        "deliver_mail",
    ),
    SLOW: (
        "carry_out_correction",
        "carry_out_corrections",
        "carry_out_merge",
        "carry_out_merges",
        "open_due_seasons",
        "open_season",
        "freeze_due_seasons",
        "freeze_season",
        "take_decay_steps",
        "note_standings_of_the_day",
        "note_memories",
        "raise_flags",
        "measure_forecasts",
        "compute_hindsight",
        "note_days",
        "rate_teams",
        "forget_addresses",
        "forget_old_mail",
        "forget_old_requests",
        "forget_old_ticks",
        "back_up",
        "back_up_now",
        "create_requested_demo",
        "carry_out_job",
        "carry_out_jobs",
        "make_exports",
        "delete_accounts",
        "forget_old_deliveries",
    ),
    OUTGOING: (
        "send_webhooks",
        "send_to_webhook",
        "send_discord_messages",
        "send_push_messages",
        "update_discord_boards",
    ),
}
"""The functions of ``league.tasks`` by kind."""
KIND_OF = {f"league.tasks.{name}": kind for kind, names in TASKS.items() for name in names}
ROUTES = {task: {"queue": kind} for task, kind in KIND_OF.items()}
"""Celery's setting that sends each task to the queue of its kind."""
