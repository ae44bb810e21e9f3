"""Boards on Discord."""

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0276_discord_messages'),
    ]

    operations = [
        migrations.CreateModel(
            name='DiscordBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('channel', models.CharField(help_text='Its id. In Discord, turn on the developer mode and choose “Copy channel ID”.', max_length=20, validators=[django.core.validators.RegexValidator('^[0-9]{15,20}\\Z', 'Enter the id of the channel: 15 to 20 digits.')], verbose_name='channel')),
                ('tells_results', models.BooleanField(default=False, help_text='Each minute, new results are posted below the board.', verbose_name='announces results')),
                ('message', models.CharField(default='', editable=False, max_length=20)),
                ('shown', models.CharField(default='', editable=False, max_length=64)),
                ('told_order', models.BigIntegerField(default=0, editable=False)),
                ('shown_at', models.DateTimeField(editable=False, null=True, verbose_name='updated')),
                ('next_attempt_at', models.DateTimeField(editable=False, null=True, verbose_name='next attempt')),
                ('stopped_at', models.DateTimeField(editable=False, null=True, verbose_name='stopped since')),
                ('failures', models.PositiveIntegerField(default=0, editable=False, verbose_name='failures in a row')),
                ('error', models.CharField(blank=True, default='', editable=False, max_length=200, verbose_name='error')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='discord_boards', to='league.arena', verbose_name='arena')),
            ],
            options={
                'verbose_name': 'board on Discord',
                'verbose_name_plural': 'boards on Discord',
                'ordering': ['arena', 'id'],
                'indexes': [models.Index(condition=models.Q(('next_attempt_at__isnull', False)), fields=['next_attempt_at'], name='discord_board_due')],
                'constraints': [models.UniqueConstraint(fields=('arena', 'channel'), name='one_board_a_channel', violation_error_message='This channel has a board of this arena already.'), models.CheckConstraint(condition=models.Q(('next_attempt_at__isnull', True), ('stopped_at__isnull', True), _connector='OR'), name='board_works_or_is_stopped')],
            },
        ),
    ]
