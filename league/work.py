"""The functions that do each kind of job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.announcements import announcing
from league.services.corrections import rerating, voiding_all
from league.services.moderation import bulk
from league.services.other_rules import asking as other_rules
from league.services.other_rules import outcomes, saved, working
from league.services.queue import rerunning
from league.services.transfer.evenings import evening_undoing
from league.services.transfer.files import file_imports, sending

if TYPE_CHECKING:
    from league.services.jobs import jobs

WORK: dict[str, jobs.Work] = {
    other_rules.KIND: working.carry_out,
    outcomes.KIND: outcomes.carry_out,
    saved.KIND: saved.carry_out,
    rerating.JOB: rerating.work,
    bulk.JOB: bulk.ban_in_job,
    **file_imports.WORK,
    **sending.WORK,
    **evening_undoing.WORK,
    announcing.JOB: announcing.tell_in_job,
    voiding_all.JOB: voiding_all.work,
    voiding_all.UNDO_JOB: voiding_all.work_undo,
    rerunning.KIND: rerunning.carry_out,
}
