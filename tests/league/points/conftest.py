"""An arena with ladder points."""

import pytest

from league.models import Arena
from tests.support.point_steps import with_points


@pytest.fixture
def ladder(db: None) -> Arena:
    return with_points()
