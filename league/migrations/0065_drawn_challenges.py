"""Challenges whose opponent was drawn at random."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0064_day_one'),
    ]

    operations = [
        migrations.AddField(
            model_name='challenge',
            name='drawn_from',
            field=models.PositiveIntegerField(
                editable=False, null=True, verbose_name='drawn from'
            ),
        ),
    ]
