"""Messages, announcements, maintenance, and the league's name, logo and colours."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import league.models.site
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
    FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0096_moderation'),
    ]

    operations = [
        migrations.CreateModel(
            name='LeagueLogo',
            fields=[
                ('digest', models.CharField(max_length=32, primary_key=True, serialize=False)),
                ('webp', models.BinaryField(verbose_name='WebP file')),
                ('width', models.PositiveSmallIntegerField(verbose_name='width')),
                ('height', models.PositiveSmallIntegerField(verbose_name='height')),
            ],
            options={
                'verbose_name': 'logo',
                'verbose_name_plural': 'logos',
            },
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff')], max_length=12, verbose_name='kind'),
        ),
        migrations.CreateModel(
            name='ArenaText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rules', models.TextField(help_text='Empty lines separate paragraphs. Lines that begin with “- ” are a list, with “## ” a heading. Write **bold**, and links as [name](https://…).', max_length=50000, verbose_name='rules')),
                ('arena', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='text', to='league.arena', verbose_name='arena')),
            ],
            options={
                'verbose_name': 'rules of an arena',
                'verbose_name_plural': 'rules of arenas',
            },
        ),
        migrations.CreateModel(
            name='LeagueSettings',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(default='Laurel', help_text='Shown at the top of every page and in mails.', max_length=60, verbose_name='name of the league')),
                ('time_zone', models.CharField(default='UTC', help_text='Of the league, such as Europe/Berlin. Pages show times in it to readers whose browser does not tell its own.', max_length=60, validators=[league.models.site.check_zone], verbose_name='time zone')),
                ('accent', models.CharField(blank=True, help_text='Of links and buttons on light pages, such as #1c6a47. Empty for ours.', max_length=7, validators=[django.core.validators.RegexValidator('\\A#[0-9a-fA-F]{6}\\Z', 'Write a colour as # and six digits or letters A to F: #1c6a47.')], verbose_name='accent colour')),
                ('dark_accent', models.CharField(blank=True, help_text='For readers with a dark theme, such as #7fd0a3. Empty for ours.', max_length=7, validators=[django.core.validators.RegexValidator('\\A#[0-9a-fA-F]{6}\\Z', 'Write a colour as # and six digits or letters A to F: #1c6a47.')], verbose_name='accent colour on dark pages')),
                ('logo', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='league.leaguelogo', verbose_name='logo')),
            ],
            options={
                'verbose_name': 'settings of the league',
                'verbose_name_plural': 'settings of the league',
            },
        ),
        migrations.CreateModel(
            name='Letter',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('text', models.TextField(max_length=1000, verbose_name='message')),
                ('by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='letters', to=settings.AUTH_USER_MODEL, verbose_name='by')),
            ],
            options={
                'verbose_name': 'message of staff',
                'verbose_name_plural': 'messages of staff',
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='notice',
            name='letter',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.letter'),
        ),
        migrations.CreateModel(
            name='Maintenance',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('since', models.DateTimeField(blank=True, null=True, verbose_name='since')),
                ('until', models.DateTimeField(blank=True, null=True, verbose_name='expected end')),
                ('message', models.TextField(blank=True, max_length=500, verbose_name='message')),
            ],
            options={
                'verbose_name': 'maintenance',
                'verbose_name_plural': 'maintenance',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='maintenance_is_one')],
            },
        ),
        migrations.CreateModel(
            name='Announcement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=1000, verbose_name='text')),
                ('starts_at', models.DateTimeField(verbose_name='from')),
                ('ends_at', models.DateTimeField(blank=True, help_text='Leave empty for no end.', null=True, verbose_name='until')),
                ('arena', models.ForeignKey(blank=True, help_text='Leave empty for the whole league.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='announcements', to='league.arena', verbose_name='arena')),
                ('by', models.ForeignKey(db_index=False, editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='announcements', to=settings.AUTH_USER_MODEL, verbose_name='by')),
            ],
            options={
                'verbose_name': 'announcement',
                'verbose_name_plural': 'announcements',
                'ordering': ['-id'],
                'indexes': [models.Index(fields=['starts_at'], name='announcement_start')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ends_at', None), ('ends_at__gt', models.F('starts_at')), _connector='OR'), name='announcement_ends_later', violation_error_message='It has to end after it starts.')],
            },
        ),
        migrations.AddConstraint(
            model_name='leaguesettings',
            constraint=models.CheckConstraint(condition=models.Q(('id', 1)), name='league_settings_are_one'),
        ),
        migrations.RunSQL(
            GUARD.format(table='league_letter'),
            'DROP TRIGGER league_letter_is_append_only ON league_letter;',
        ),
    ]
