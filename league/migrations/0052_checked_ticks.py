"""Check the ticks and queues of before against the constraints on new ones, without locking them."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0051_ticks_as_differences'),
    ]

    operations = [
        ValidateConstraint('arenaqueue', 'queue_ticks_kept_in_range'),
        ValidateConstraint('tick', 'full_tick_has_rules'),
    ]
