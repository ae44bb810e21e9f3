"""Follows, blocks and visits of players, themes of accounts, and exports of their data."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0150_teams"),
    ]

    operations = [
        migrations.CreateModel(
            name='Visit',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='visit', serialize=False, to='league.player', verbose_name='player')),
                ('seen_at', models.DateTimeField()),
                ('seen_places', models.JSONField(default=dict)),
                ('before', models.DateTimeField(null=True)),
                ('places', models.JSONField(default=dict)),
            ],
        ),
        migrations.AddField(
            model_name='user',
            name='theme',
            field=models.CharField(blank=True, choices=[('', 'as the system'), ('light', 'light'), ('dark', 'dark')], db_default='', default='', max_length=5, verbose_name='theme'),
        ),
        migrations.CreateModel(
            name='DataExport',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='data_export', serialize=False, to=settings.AUTH_USER_MODEL, verbose_name='account')),
                ('asked_at', models.DateTimeField(verbose_name='asked')),
                ('made_at', models.DateTimeField(null=True, verbose_name='made')),
                ('content', models.BinaryField(null=True)),
            ],
            options={
                'verbose_name': 'data export',
                'verbose_name_plural': 'data exports',
                'indexes': [models.Index(condition=models.Q(('made_at', None)), fields=['asked_at'], name='data_exports_to_make')],
            },
        ),
        migrations.CreateModel(
            name='Block',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(verbose_name='since')),
                ('blocked', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='blocked_by', to='league.player', verbose_name='blocked player')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='blocks', to='league.player', verbose_name='player')),
            ],
            options={
                'verbose_name': 'block',
                'verbose_name_plural': 'blocks',
                'constraints': [models.UniqueConstraint(fields=('player', 'blocked'), name='blocks_a_player_once'), models.CheckConstraint(condition=models.Q(('blocked', models.F('player')), _negated=True), name='blocks_another')],
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField(verbose_name='since')),
                ('followed', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='league.player', verbose_name='followed player')),
                ('player', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='follows', to='league.player', verbose_name='follower')),
                ('team', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='followers', to='league.team', verbose_name='followed team')),
            ],
            options={
                'verbose_name': 'follow',
                'verbose_name_plural': 'follows',
                'constraints': [models.UniqueConstraint(fields=('player', 'followed'), name='follows_a_player_once'), models.UniqueConstraint(fields=('player', 'team'), name='follows_a_team_once'), models.CheckConstraint(condition=models.Q(('followed', None), ('team', None), _connector='XOR'), name='follows_a_player_or_a_team'), models.CheckConstraint(condition=models.Q(('followed', models.F('player')), _negated=True), name='follows_another')],
            },
        ),
    ]
