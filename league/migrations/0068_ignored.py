"""Matches that the rating system ignores, such as draws, are in the record but not rated."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0067_figures'),
    ]

    operations = [
        migrations.AddField(
            model_name='rating',
            name='ignored',
            field=models.PositiveIntegerField(db_default=0, editable=False),
        ),
        migrations.AddField(
            model_name='ratingevent',
            name='ignored',
            field=models.BooleanField(db_default=False, editable=False),
        ),
    ]
