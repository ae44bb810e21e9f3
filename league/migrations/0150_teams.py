"""Teams with members, invitations and ratings of their own, and stand-ins of rosters."""

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import league.models.lookalikes
import league.models.names
from django.db import migrations, models

# As for members of rosters: nobody adds rows about a player who has just been merged into another.
GUARD = """
CREATE FUNCTION league_teammember_is_current() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN (SELECT player_id FROM added) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN (SELECT player_id FROM added) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER league_teammember_is_current AFTER INSERT ON league_teammember
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION league_teammember_is_current();
"""
NO_GUARD = """
DROP TRIGGER league_teammember_is_current ON league_teammember;
DROP FUNCTION league_teammember_is_current();
"""


class Migration(migrations.Migration):

    allows = {
        "adding-foreign-key-constraint": "Rosters are few: the new column is checked at once.",
        "require-concurrent-index-creation": "Rosters are few.",
    }

    dependencies = [
        ("league", "0120_competitions"),
    ]

    operations = [
        migrations.CreateModel(
            name='Team',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, validators=[league.models.names.validate_name], verbose_name='name')),
                ('folded_name', models.CharField(editable=False, max_length=240, unique=True)),
                ('skeleton', league.models.lookalikes.SkeletonField(db_index=True, editable=False)),
                ('search_name', league.models.lookalikes.SearchField(editable=False)),
                ('may_resemble', models.BooleanField(default=False, help_text="If set, this name may look like another team's and contain reserved words.", verbose_name='may resemble other names')),
                ('tag', models.CharField(help_text='Two to five letters or digits, shown where there is little space.', max_length=5, validators=[django.core.validators.RegexValidator('\\A[^\\W_]{2,5}\\Z', 'A tag has two to five letters or digits, and nothing else.')], verbose_name='tag')),
                ('folded_tag', models.CharField(editable=False, max_length=20)),
                ('colour', models.CharField(default='#1c6a47', max_length=7, validators=[django.core.validators.RegexValidator('\\A#[0-9a-f]{6}\\Z', 'Choose a colour.')], verbose_name='first colour')),
                ('second_colour', models.CharField(default='#e3bd62', max_length=7, validators=[django.core.validators.RegexValidator('\\A#[0-9a-f]{6}\\Z', 'Choose a colour.')], verbose_name='second colour')),
                ('picture', models.CharField(blank=True, default='', editable=False, max_length=32)),
                ('created_at', models.DateTimeField(verbose_name='founded')),
                ('disbanded_at', models.DateTimeField(editable=False, null=True, verbose_name='disbanded')),
                ('successor', models.ForeignKey(editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='captaincies_offered', to='league.player')),
            ],
            options={
                'verbose_name': 'team',
                'verbose_name_plural': 'teams',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='TeamReplay',
            fields=[
                ('season', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='team_replay', serialize=False, to='league.season')),
                ('seen', models.TextField()),
                ('at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'verbose_name': 'replay of teams',
                'verbose_name_plural': 'replays of teams',
            },
        ),
        migrations.AddField(
            model_name='participant',
            name='stand_in',
            field=models.BooleanField(db_default=False, default=False, verbose_name='stand-in'),
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('withdrawn', 'an objection that was withdrawn'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('fixture', 'a fixture of your competition'), ('competition', 'news about a competition that you entered'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban'), ('penalised', 'a penalty'), ('appeal', 'the answer to your appeal'), ('letter', 'a message of staff'), ('team_invited', 'an invitation to a team'), ('team_captain', 'an offer to lead a team'), ('team_changed', 'your role in a team'), ('team_joined', 'a new member of your team'), ('team_removed', 'the end of your time in a team')], max_length=12, verbose_name='kind'),
        ),
        migrations.CreateModel(
            name='TeamPicture',
            fields=[
                ('team', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stored_picture', serialize=False, to='league.team')),
                ('digest', models.CharField(max_length=32)),
                ('webp', models.BinaryField(verbose_name='WebP file')),
                ('at', models.DateTimeField(verbose_name='when')),
            ],
            options={
                'verbose_name': 'team picture',
                'verbose_name_plural': 'team pictures',
            },
        ),
        migrations.CreateModel(
            name='FormerTeamName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='former name')),
                ('skeleton', league.models.lookalikes.SkeletonField(db_index=True, editable=False)),
                ('given_up_at', models.DateTimeField(verbose_name='given up')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='former_names', to='league.team')),
            ],
            options={
                'verbose_name': 'former team name',
                'verbose_name_plural': 'former team names',
                'ordering': ['-given_up_at', '-id'],
            },
        ),
        migrations.AddField(
            model_name='notice',
            name='team',
            field=models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='league.team'),
        ),
        migrations.AddField(
            model_name='roster',
            name='team',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rosters', to='league.team', verbose_name='team'),
        ),
        migrations.CreateModel(
            name='TeamInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invited_at', models.DateTimeField(verbose_name='invited')),
                ('expires_at', models.DateTimeField(verbose_name='expires')),
                ('places', models.PositiveSmallIntegerField(default=1, verbose_name='places')),
                ('used', models.PositiveSmallIntegerField(default=0, verbose_name='accepted')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='league.player')),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='team_invitations', to='league.player')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='league.team')),
            ],
            options={
                'verbose_name': 'team invitation',
                'verbose_name_plural': 'team invitations',
                'ordering': ['id'],
            },
        ),
        migrations.CreateModel(
            name='TeamMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('captain', 'captain'), ('vice', 'vice-captain'), ('player', 'player'), ('substitute', 'substitute'), ('coach', 'coach')], default='player', max_length=10, verbose_name='role')),
                ('joined_at', models.DateTimeField(verbose_name='since')),
                ('left_at', models.DateTimeField(blank=True, null=True, verbose_name='until')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='team_memberships', to='league.player')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='league.team')),
            ],
            options={
                'verbose_name': 'team member',
                'verbose_name_plural': 'team members',
                'ordering': ['team', 'id'],
            },
        ),
        migrations.CreateModel(
            name='TeamRating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rating', models.FloatField(verbose_name='rating')),
                ('deviation', models.FloatField(null=True, verbose_name='deviation')),
                ('volatility', models.FloatField(null=True, verbose_name='volatility')),
                ('games', models.PositiveIntegerField(verbose_name='matches')),
                ('wins', models.PositiveIntegerField(verbose_name='won')),
                ('draws', models.PositiveIntegerField(verbose_name='drawn')),
                ('last_played_at', models.DateTimeField(null=True, verbose_name='last played')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='team_ratings', to='league.season')),
                ('team', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='league.team')),
            ],
            options={
                'verbose_name': 'team rating',
                'verbose_name_plural': 'team ratings',
                'ordering': ['season', 'id'],
            },
        ),
        migrations.CreateModel(
            name='StandIn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='since')),
                ('arena', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='league.arena')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_in_offers', to='league.player')),
            ],
            options={
                'verbose_name': 'stand-in',
                'verbose_name_plural': 'stand-ins',
                'ordering': ['arena', 'id'],
                'constraints': [models.UniqueConstraint(fields=('arena', 'player'), name='stand_in_once_an_arena')],
            },
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.CheckConstraint(condition=models.Q(('folded_name', ''), _negated=True), name='team_has_a_folded_name'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.UniqueConstraint(condition=models.Q(('may_resemble', False)), fields=('skeleton',), name='team_looks_like_no_other'),
        ),
        migrations.AddConstraint(
            model_name='team',
            constraint=models.UniqueConstraint(condition=models.Q(('disbanded_at', None)), fields=('folded_tag',), name='team_tag_once'),
        ),
        migrations.AddConstraint(
            model_name='teaminvitation',
            constraint=models.UniqueConstraint(condition=models.Q(('closed_at', None), ('player__isnull', False)), fields=('team', 'player'), name='player_invited_to_team_once'),
        ),
        migrations.AddConstraint(
            model_name='teaminvitation',
            constraint=models.CheckConstraint(condition=models.Q(('used__lte', models.F('places'))), name='team_invitation_has_places'),
        ),
        migrations.AddConstraint(
            model_name='teammember',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('team', 'player'), name='player_once_a_team'),
        ),
        migrations.AddConstraint(
            model_name='teammember',
            constraint=models.UniqueConstraint(condition=models.Q(('left_at', None), ('role', 'captain')), fields=('team',), name='team_has_one_captain'),
        ),
        migrations.AddConstraint(
            model_name='teammember',
            constraint=models.CheckConstraint(condition=models.Q(('left_at', None), ('left_at__gte', models.F('joined_at')), _connector='OR'), name='team_member_left_after_joining'),
        ),
        migrations.AddConstraint(
            model_name='teamrating',
            constraint=models.UniqueConstraint(fields=('season', 'team'), name='team_rated_once_a_season'),
        ),
        migrations.RunSQL(GUARD, NO_GUARD),
    ]
