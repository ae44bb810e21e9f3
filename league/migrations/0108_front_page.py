"""Figures of days for the first page of the admin, and filters that staff save."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0101_file_imports'),
    ]

    operations = [
        migrations.CreateModel(
            name='ArenaDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('matches', models.PositiveIntegerField(default=0)),
                ('waits', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('forecasts', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveIntegerField(), default=list, size=None)),
                ('chances', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), default=list, size=None)),
                ('wins', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), default=list, size=None)),
                ('arena', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='days', to='league.arena')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('day', 'arena'), name='arena_day_once')],
            },
        ),
        migrations.CreateModel(
            name='SavedFilter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(max_length=100)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('query', models.CharField(max_length=2000)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='saved_filters', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('user', 'page', 'name'), name='filter_name_once')],
            },
        ),
    ]
