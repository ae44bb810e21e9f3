"""Ticks are stored as what changed since another, and each queue says how long."""

import datetime
import django.core.validators
import django.db.models.deletion
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0050_joined'),
    ]

    operations = [
        migrations.AddField(
            model_name='arenaqueue',
            name='ticks_kept',
            field=models.DurationField(db_default=datetime.timedelta(days=7), default=datetime.timedelta(days=7), help_text='How long each run of the matcher can be run again and explained. From 1 hour to 365 days. A queue with 12 waiting rosters takes about 7 MB a day, one with 5,000 up to 2 GB.', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=3600)), django.core.validators.MaxValueValidator(datetime.timedelta(days=365))], verbose_name='ticks kept'),
        ),
        migrations.AddField(
            model_name='historicalarenaqueue',
            name='ticks_kept',
            field=models.DurationField(db_default=datetime.timedelta(days=7), default=datetime.timedelta(days=7), help_text='How long each run of the matcher can be run again and explained. From 1 hour to 365 days. A queue with 12 waiting rosters takes about 7 MB a day, one with 5,000 up to 2 GB.', validators=[django.core.validators.MinValueValidator(datetime.timedelta(seconds=3600)), django.core.validators.MaxValueValidator(datetime.timedelta(days=365))], verbose_name='ticks kept'),
        ),
        migrations.AddField(
            model_name='tick',
            name='base',
            field=models.ForeignKey(db_constraint=False, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='league.tick'),
        ),
        migrations.AlterField(
            model_name='tick',
            name='rules',
            field=models.JSONField(null=True, verbose_name='rules'),
        ),
        AddConstraintNotValid(
            model_name='arenaqueue',
            constraint=models.CheckConstraint(condition=models.Q(('ticks_kept__gte', datetime.timedelta(seconds=3600)), ('ticks_kept__lte', datetime.timedelta(days=365))), name='queue_ticks_kept_in_range'),
        ),
        AddConstraintNotValid(
            model_name='tick',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('base', None), ('rules__isnull', False)), models.Q(('base__isnull', False), ('rules__isnull', True)), _connector='OR'), name='full_tick_has_rules'),
        ),
    ]
