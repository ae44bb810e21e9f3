"""The side of a match that is at home, has White or serves."""

from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0232_sent_requests")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="first_side",
            field=models.PositiveSmallIntegerField(
                blank=True,
                choices=[(0, "the side listed first"), (1, "the side listed second")],
                help_text="The side at home, with White or to serve. Empty on neutral ground.",
                null=True,
                verbose_name="first side",
            ),
        ),
        AddConstraintNotValid(
            model_name="match",
            constraint=models.CheckConstraint(
                condition=models.Q(("first_side", None), ("first_side__lte", 1), _connector="OR"),
                name="match_first_side_is_one",
            ),
        ),
    ]
