"""Check the new rules of penalties on the rows that are there."""

from django.contrib.postgres.operations import ValidateConstraint
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0069_penalty_reasons'),
    ]

    operations = [
        ValidateConstraint('dishonoraward', 'further_penalties_are_given_by_somebody'),
        ValidateConstraint('staffaction', 'staff_action_about_a_match'),
    ]
