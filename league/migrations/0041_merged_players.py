"""Players who are one person become one, and nothing new is written about the merged one."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from league.models.lookalikes import SearchField
from league.models.skeletons import without_accents

# Rows of these ledgers follow their player into the one that theirs is merged into. Nothing else
# of them changes.
MOVED_LEDGERS = {
    "league_dishonoraward": "player_id",
    "league_reportchange": "by_id",
    "league_matchmessage": "player_id",
}

ALLOW_MERGING = """
CREATE FUNCTION league_only_merge() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was jsonb := to_jsonb(OLD);
    becomes jsonb;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        becomes := to_jsonb(NEW);
        IF was - TG_ARGV[0] = becomes - TG_ARGV[0] AND EXISTS (
            SELECT FROM league_player WHERE id = (was->>TG_ARGV[0])::bigint
                AND merged_into_id = (becomes->>TG_ARGV[0])::bigint
        ) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% is a ledger: its rows are written once and never changed, but for the '
        'player that theirs is merged into', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = TG_NAME;
END $$;
""" + "".join(
    f"""
DROP TRIGGER {table}_is_append_only ON {table};
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_only_merge('{column}');
"""
    for table, column in MOVED_LEDGERS.items()
)

REFUSE_ANY_CHANGE = "".join(
    f"""
DROP TRIGGER {table}_is_append_only ON {table};
CREATE TRIGGER {table}_is_append_only BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION league_refuse_change();
"""
    for table in MOVED_LEDGERS
) + "DROP FUNCTION league_only_merge();"

# What makes players play, meet or be penalised. A merge locks both players' rows, so whoever
# inserts at the same time either comes first and is moved, or waits here and is refused.
GUARDED = {
    "league_participant": ["player_id"],
    "league_ticketmember": ["player_id"],
    "league_rostermember": ["player_id"],
    "league_rosterinvitation": ["player_id"],
    "league_dishonoraward": ["player_id"],
    "league_challenge": ["challenger_id", "challenged_id"],
    "league_arrangement": ["proposer_id", "opponent_id"],
}

GUARD = """
CREATE FUNCTION {table}_is_current() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    merged bigint;
BEGIN
    PERFORM FROM league_player WHERE id IN ({players}) ORDER BY id FOR KEY SHARE;
    SELECT id INTO merged FROM league_player
    WHERE merged_into_id IS NOT NULL AND id IN ({players}) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'player % has been merged into another', merged
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'player_is_merged';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER {table}_is_current AFTER INSERT ON {table}
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_current();
"""

GUARDS = "".join(
    GUARD.format(
        table=table, players=" UNION ".join(f"SELECT {column} FROM added" for column in columns)
    )
    for table, columns in GUARDED.items()
)
NO_GUARDS = "".join(
    f"DROP TRIGGER {table}_is_current ON {table}; DROP FUNCTION {table}_is_current();"
    for table in GUARDED
)

AT_ONCE = 5_000
FILL_ROSTERS = """
UPDATE league_roster AS r SET search_name = f.search_name
FROM unnest(%s::bigint[], %s::text[]) AS f(id, search_name) WHERE r.id = f.id
"""


def fill(apps, schema_editor):
    rosters = list(apps.get_model('league', 'Roster').objects.values_list('id', 'name'))
    with schema_editor.connection.cursor() as cursor:
        for start in range(0, len(rosters), AT_ONCE):
            part = rosters[start:start + AT_ONCE]
            names = [without_accents(name) for _id, name in part]
            cursor.execute(FILL_ROSTERS, [[pk for pk, _name in part], names])


DROP_RULE = "ALTER TABLE league_staffaction DROP CONSTRAINT staff_action_about_a_match;"
# Merges stay on record: the earlier rule applies to new rows only.
OLD_RULE = """
ALTER TABLE league_staffaction ADD CONSTRAINT staff_action_about_a_match CHECK (
    kind IN ('amnesty', 'challenge', 'ban', 'unban', 'renamed', 'claim') OR match_id IS NOT NULL
) NOT VALID;
"""
FORGET_NOTICES = """
DELETE FROM league_notice WHERE kind = 'unbanned';
UPDATE league_mailpreference SET muted = array_remove(muted, 'unbanned') WHERE 'unbanned' = ANY(muted);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0040_changed_dates'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='player',
            options={'ordering': ['name'], 'permissions': [('ban_player', 'Can ban players and lift bans'), ('merge_player', 'Can merge players')], 'verbose_name': 'player', 'verbose_name_plural': 'players'},
        ),
        migrations.RunSQL(migrations.RunSQL.noop, FORGET_NOTICES),
        migrations.SeparateDatabaseAndState(
            [migrations.RunSQL(DROP_RULE, OLD_RULE)],
            [
                migrations.RemoveConstraint(
                    model_name='staffaction', name='staff_action_about_a_match'
                )
            ],
        ),
        migrations.AddField(
            model_name='player',
            name='merged_into',
            field=models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged_players', to='league.player', verbose_name='merged into'),
        ),
        migrations.AlterField(
            model_name='correction',
            name='kind',
            field=models.CharField(choices=[('void', 'voided'), ('result', 'corrected'), ('merge', 'rated again for a merged player')], max_length=10, verbose_name='what'),
        ),
        migrations.AlterField(
            model_name='correctionrequest',
            name='kind',
            field=models.CharField(choices=[('void', 'voided'), ('result', 'corrected'), ('merge', 'rated again for a merged player')], max_length=10),
        ),
        migrations.AlterField(
            model_name='mailpreference',
            name='muted',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban')], max_length=12), blank=True, default=list, size=None, verbose_name='no mail about'),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('reported', 'a result to confirm'), ('disputed', 'a dispute about your result'), ('decided', 'a decision of staff about your match'), ('rated', 'a result that counts'), ('lapsed', 'a result that nobody confirmed'), ('undecided', 'an objection that was not decided in time'), ('dated', 'news about a date to play'), ('waiting', 'a date that waits for your answer'), ('called_off', 'a date that was called off'), ('messaged', 'a message about a date'), ('challenged', 'a challenge to you'), ('answered', 'an answer to your challenge'), ('invited', 'an invitation to a roster'), ('queued', 'your captain has queued you'), ('found', 'a match was found for you'), ('banned', 'a ban'), ('unbanned', 'a lifted ban')], max_length=12, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='staffaction',
            name='kind',
            field=models.CharField(choices=[('upheld', 'upheld a reported result'), ('corrected', 'corrected a reported result'), ('voided', 'voided a match'), ('entered', 'entered a result'), ('amnesty', 'granted an amnesty'), ('challenge', 'called off a challenge'), ('ban', 'banned a player'), ('unban', 'lifted a ban'), ('renamed', 'renamed a player'), ('claim', 'decided a claim'), ('rejected', 'rejected an objection'), ('merged', 'merged two players')], max_length=20, verbose_name='action'),
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('merged_into__isnull', False)), fields=['merged_into'], name='player_merged_into'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', None), ('user', None), _connector='OR'), name='merged_player_has_no_account'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into', models.F('id')), _negated=True), name='player_merged_into_another'),
        ),
        migrations.AddConstraint(
            model_name='staffaction',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['amnesty', 'challenge', 'ban', 'unban', 'renamed', 'claim', 'merged']), ('match__isnull', False), _connector='OR'), name='staff_action_about_a_match'),
        ),
        migrations.AddField('roster', 'search_name', SearchField(default='', editable=False), preserve_default=False),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunSQL(ALLOW_MERGING, REFUSE_ANY_CHANGE),
        migrations.RunSQL(GUARDS, NO_GUARDS),
    ]
