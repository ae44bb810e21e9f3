"""Reports by players, cases with notes, and appeals."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0092_rules_versions'),
    ]

    operations = [
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('opened_at', models.DateTimeField(verbose_name='opened')),
                ('state', models.CharField(choices=[('open', 'open'), ('closed', 'closed')], default='open', max_length=10, verbose_name='state')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('outcome', models.TextField(blank=True, verbose_name='outcome')),
                ('assignee', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases_assigned', to=settings.AUTH_USER_MODEL, verbose_name='assigned to')),
                ('flags', models.ManyToManyField(blank=True, related_name='cases', to='league.flag', verbose_name='flags')),
                ('matches', models.ManyToManyField(blank=True, related_name='cases', to='league.match', verbose_name='matches')),
                ('opened_by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='cases_opened', to=settings.AUTH_USER_MODEL, verbose_name='opened by')),
            ],
            options={
                'verbose_name': 'case',
                'verbose_name_plural': 'cases',
                'ordering': ['-id'],
                'permissions': [('read_file', 'Can read the whole file of a player')],
            },
        ),
        migrations.CreateModel(
            name='CaseNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('text', models.TextField(max_length=2000, verbose_name='note')),
                ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='case_notes', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notes', to='league.case', verbose_name='case')),
            ],
            options={
                'verbose_name': 'note of a case',
                'verbose_name_plural': 'notes of cases',
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='CasePlayer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('case', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='about_players', to='league.case')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='case_entries', to='league.player')),
            ],
            options={
                'verbose_name': 'player of a case',
                'verbose_name_plural': 'players of cases',
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='players',
            field=models.ManyToManyField(related_name='cases', through='league.CasePlayer', to='league.player', verbose_name='players'),
        ),
        migrations.CreateModel(
            name='PlayerReport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(choices=[('cheating', 'cheating'), ('insults', 'insults or harassment'), ('throwing', 'losing on purpose, or arranged results'), ('sharing', 'shared or second account'), ('name', 'offensive name'), ('other', 'something else')], max_length=20, verbose_name='reason')),
                ('text', models.TextField(verbose_name='what happened')),
                ('at', models.DateTimeField(verbose_name='first reported')),
                ('latest_at', models.DateTimeField(verbose_name='last reported')),
                ('times', models.PositiveSmallIntegerField(db_default=1, default=1, verbose_name='times reported')),
                ('resolved_at', models.DateTimeField(blank=True, null=True, verbose_name='resolved')),
                ('note', models.TextField(blank=True, help_text='What staff found. Only staff can read it.', verbose_name='note')),
                ('case', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='league.case', verbose_name='case')),
                ('match', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='player_reports', to='league.match', verbose_name='match')),
                ('reported', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='player_reports', to='league.player', verbose_name='reported player')),
                ('reporter', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='player_reports_made', to='league.player', verbose_name='reported by')),
                ('resolved_by', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='player_reports_resolved', to=settings.AUTH_USER_MODEL, verbose_name='resolved by')),
            ],
            options={
                'verbose_name': 'report by a player',
                'verbose_name_plural': 'reports by players',
                'ordering': ['-latest_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=2000, verbose_name='appeal')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('state', models.CharField(choices=[('open', 'waiting for staff'), ('upheld', 'the penalty stands'), ('shortened', 'the ban was shortened'), ('lifted', 'the penalty was lifted')], default='open', max_length=10, verbose_name='state')),
                ('action', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='league.staffaction', verbose_name='answer')),
                ('award', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='appeal', to='league.dishonoraward', verbose_name='penalty')),
            ],
            options={
                'verbose_name': 'appeal',
                'verbose_name_plural': 'appeals',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['id'], name='appeal_open')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('action', None), ('state', 'open')), models.Q(models.Q(('state', 'open'), _negated=True), ('action__isnull', False)), _connector='OR'), name='appeal_answered_has_its_answer')],
            },
        ),
        migrations.AddConstraint(
            model_name='caseplayer',
            constraint=models.UniqueConstraint(fields=('case', 'player'), name='case_player_once'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('state', 'open')), fields=['id'], name='case_open'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('state', 'open')), models.Q(('closed_at__isnull', False), ('state', 'closed'), models.Q(('outcome', ''), _negated=True)), _connector='OR'), name='case_closed_has_its_outcome'),
        ),
        migrations.AddIndex(
            model_name='playerreport',
            index=models.Index(fields=['reporter', 'latest_at'], name='player_report_recent'),
        ),
        migrations.AddIndex(
            model_name='playerreport',
            index=models.Index(fields=['-latest_at', '-id'], name='player_report_latest'),
        ),
        migrations.AddConstraint(
            model_name='playerreport',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('resolved_at', None), ('resolved_by', None)), models.Q(('resolved_at__isnull', False), ('resolved_by__isnull', False)), _connector='OR'), name='player_report_resolved_by_somebody'),
        ),
        migrations.RunSQL(
            GUARD.format(table='league_casenote'),
            'DROP TRIGGER league_casenote_is_append_only ON league_casenote;',
        ),
    ]
