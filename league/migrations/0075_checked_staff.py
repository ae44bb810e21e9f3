"""Check that decisions about matches have one, without locking."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0074_staff_and_jobs'),
    ]

    operations = [
        ValidateConstraint(model_name='staffaction', name='staff_action_has_its_match'),
    ]
