"""The intervals at which beat starts the tasks in ``league.tasks``."""

SECONDS = {
    "start_due_ticks": 1,
    "cancel_expired_ready_checks": 1,
    "update_standings": 2,
    "deliver_mail": 2,
    "send_webhooks": 2,
    "send_discord_messages": 2,
    "send_push_messages": 2,
    "confirm_expired_reports": 5,
    "store_drawn_maps": 5,
    "process_challenges": 5,
    "open_due_seasons": 5,
    "freeze_due_seasons": 5,
    "compute_connections": 5,
    "tally_points": 5,
    "process_arrangements": 10,
    "process_competitions": 10,
    "create_requested_demo": 10,
    "carry_out_corrections": 10,
    "carry_out_merges": 10,
    "carry_out_jobs": 10,
    "make_exports": 20,
    "delete_accounts": 600,
    "mail_notices": 10,
    "mail_weekly": 300,
    "tell_badges": 30,
    "update_discord_boards": 10,
    "rate_teams": 10,
    "note_standings_of_the_day": 20,
    "take_decay_steps": 60,
    "note_memories": 300,
    "back_up": 600,
    "measure_forecasts": 600,
    "compute_hindsight": 600,
    "note_days": 600,
    "raise_flags": 3600,
    "forget_addresses": 3600,
    "forget_old_ticks": 3600,
    "forget_old_mail": 3600,
    "forget_old_requests": 3600,
    "forget_old_deliveries": 3600,
}
LONGEST_WAIT = 600
"""Seconds after which a task that no worker has begun is dropped: the next one will do its work."""

SCHEDULE = {
    task: {
        "task": f"league.tasks.{task}",
        "schedule": float(seconds),
        "options": {"expires": float(min(seconds, LONGEST_WAIT))},
    }
    for task, seconds in SECONDS.items()
}
