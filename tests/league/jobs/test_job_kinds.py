"""The list of jobs names every kind of job in words."""

from league.admin.jobs.kinds import KINDS
from league.work import WORK


def test_every_kind_of_job_has_words() -> None:
    assert set(KINDS) == set(WORK)
