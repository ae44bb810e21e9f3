"""Tickets that wait in several arenas."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0200_maps_of_matches'),
    ]

    operations = [
        migrations.CreateModel(
            name='TicketArena',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('modes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), blank=True, default=list, size=None, verbose_name='game modes')),
                ('place', models.BigIntegerField(verbose_name='place')),
                ('arena', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tickets_also', to='league.arena', verbose_name='arena')),
                ('ticket', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='also', to='league.ticket', verbose_name='ticket')),
            ],
            options={
                'verbose_name': 'further arena of a ticket',
                'verbose_name_plural': 'further arenas of tickets',
                'ordering': ['arena', 'place'],
                'indexes': [models.Index(fields=['arena', 'place'], name='ticket_also_waits')],
                'constraints': [models.UniqueConstraint(fields=('ticket', 'arena'), name='ticket_once_an_arena')],
            },
        ),
    ]
