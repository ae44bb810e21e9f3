"""The functions that do each kind of job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.announcements import announcing
from league.services.corrections import rerating, voiding_all
from league.services.laboratory import asking as laboratory
from league.services.laboratory import working as judging
from league.services.moderation import bulk
from league.services.queue import rerunning
from league.services.transfer.evenings import evening_undoing
from league.services.transfer.files import file_imports
from league.services.trials import asking as trials
from league.services.trials import outcomes, working

if TYPE_CHECKING:
    from league.services.jobs import jobs

WORK: dict[str, jobs.Work] = {
    trials.KIND: working.carry_out,
    outcomes.NEXT_MATCH: outcomes.apply_from_next_match,
    outcomes.RERATE: outcomes.rerate,
    rerating.JOB: rerating.work,
    bulk.JOB: bulk.ban_in_job,
    **file_imports.WORK,
    **evening_undoing.WORK,
    announcing.JOB: announcing.tell_in_job,
    voiding_all.JOB: voiding_all.work,
    voiding_all.UNDO_JOB: voiding_all.work_undo,
    rerunning.KIND: rerunning.carry_out,
    laboratory.KIND: judging.carry_out,
}
