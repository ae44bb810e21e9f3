"""Random starting ratings, drawn when a season opens."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0063_display'),
    ]

    operations = [
        migrations.CreateModel(
            name='DayOne',
            fields=[
                (
                    'season',
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name='drawn',
                        serialize=False,
                        to='league.season',
                    ),
                ),
                ('seed', models.BigIntegerField()),
                (
                    'players',
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
            ],
            options={
                'constraints': [
                    models.CheckConstraint(
                        condition=models.Q(('seed__gte', 0)), name='day_one_has_a_seed'
                    )
                ],
            },
        ),
    ]
