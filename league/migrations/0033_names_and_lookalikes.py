"""Give names skeletons, so that no two look alike, and forms without accents, for the search."""

from django.db import migrations, models

from league.models.lookalikes import SearchField, SkeletonField
from league.models.skeletons import skeleton, without_accents

AT_ONCE = 5_000
RESERVED = [
    'admin', 'administrator', 'administrators', 'admins', 'deleted', 'laurel', 'moderator',
    'moderators', 'official', 'referee', 'staff', 'support', 'system',
]

FILL_PLAYERS = """
UPDATE league_player AS p SET skeleton = f.skeleton, search_name = f.search_name
FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS f(id, skeleton, search_name)
WHERE p.id = f.id
"""
FILL_ROSTERS = """
UPDATE league_roster AS r SET skeleton = f.skeleton
FROM unnest(%s::bigint[], %s::text[]) AS f(id, skeleton) WHERE r.id = f.id
"""

# The first to have a name keeps it for themselves; those who came later may resemble it.
FORGIVE = """
UPDATE league_player AS p SET may_resemble = true
WHERE EXISTS (SELECT FROM league_player AS q WHERE q.skeleton = p.skeleton AND q.id < p.id);
UPDATE league_roster AS r SET may_resemble = true WHERE EXISTS (
    SELECT FROM league_roster AS q
    WHERE q.arena_id = r.arena_id AND q.skeleton = r.skeleton AND q.id < r.id
);
"""

STARTS = """
CREATE OR REPLACE FUNCTION league_add_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO league_namestart (start, player_id)
    SELECT s.start, n.id FROM added AS n CROSS JOIN LATERAL league_name_starts(n.{column})
        AS s(start);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION league_change_name_starts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM league_namestart AS k USING league_name_starts(OLD.{column}) AS s(start)
    WHERE k.start = s.start AND k.player_id = OLD.id;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO league_namestart (start, player_id)
        SELECT start, NEW.id FROM league_name_starts(NEW.{column}) AS s(start);
    END IF;
    RETURN NULL;
END $$;

DROP TRIGGER change_name_starts ON league_player;
CREATE TRIGGER change_name_starts AFTER UPDATE OF {column} ON league_player
FOR EACH ROW WHEN (OLD.{column} <> NEW.{column})
EXECUTE FUNCTION league_change_name_starts();

DELETE FROM league_namestart;
INSERT INTO league_namestart (start, player_id)
SELECT s.start, p.id FROM league_player AS p
CROSS JOIN LATERAL league_name_starts(p.{column}) AS s(start)
ORDER BY 1, 2;
"""

# The pieces of three characters, so that the middle of a name is found without reading all names.
TRIGRAMS = """
CREATE FUNCTION league_trigrams(name text) RETURNS text[]
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500 AS $$
    SELECT coalesce(array_agg(DISTINCT substr(name, n, 3)), '{}')
    FROM generate_series(1, length(name) - 2) AS n
$$;
CREATE INDEX league_player_trigrams ON league_player USING gin (league_trigrams(search_name))
WITH (fastupdate = off);
"""
NO_TRIGRAMS = "DROP INDEX league_player_trigrams; DROP FUNCTION league_trigrams;"


def fill(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        for rows in batches(apps.get_model('league', 'Player')):
            ids, names = zip(*rows)
            bones, plain = map(skeleton, names), map(without_accents, names)
            cursor.execute(FILL_PLAYERS, [list(ids), list(bones), list(plain)])
        for rows in batches(apps.get_model('league', 'Roster')):
            ids, names = zip(*rows)
            cursor.execute(FILL_ROSTERS, [list(ids), list(map(skeleton, names))])


def batches(model):
    last = 0
    while rows := list(
        model.objects.filter(pk__gt=last).order_by('pk').values_list('pk', 'name')[:AT_ONCE]
    ):
        yield rows
        last = rows[-1][0]


def reserve(apps, schema_editor):
    words = apps.get_model('league', 'ReservedWord').objects
    words.bulk_create(words.model(name=word, kind='reserved') for word in RESERVED)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0032_answers'),
    ]

    operations = [
        migrations.CreateModel(
            name='ReservedWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='Names may not contain this word, nor one that looks like it. Existing names stay.', max_length=60, verbose_name='word')),
                ('kind', models.CharField(choices=[('reserved', 'Reserved: only staff may use it'), ('forbidden', 'Forbidden: an insult or worse')], default='reserved', max_length=10, verbose_name='kind')),
                ('skeleton', SkeletonField(editable=False, unique=True)),
            ],
            options={
                'verbose_name': 'reserved word',
                'verbose_name_plural': 'reserved words',
                'ordering': ['name'],
            },
        ),
        migrations.RunPython(reserve, migrations.RunPython.noop),
        migrations.AddField(
            model_name='player',
            name='may_resemble',
            field=models.BooleanField(default=False, help_text="If set, this name may look like another player's and contain reserved words. For names that staff know to be genuine.", verbose_name='may resemble other names'),
        ),
        migrations.AddField(
            model_name='roster',
            name='may_resemble',
            field=models.BooleanField(default=False, help_text="If set, this name may look like another roster's and contain reserved words.", verbose_name='may resemble other names'),
        ),
        # Without a constant default: every row gets its own value below.
        migrations.RunSQL(
            """
            ALTER TABLE league_player ADD skeleton text, ADD search_name text;
            ALTER TABLE league_roster ADD skeleton text;
            """,
            """
            ALTER TABLE league_player DROP skeleton, DROP search_name;
            ALTER TABLE league_roster DROP skeleton;
            """,
            state_operations=[
                migrations.AddField('player', 'skeleton', SkeletonField(db_index=True, default='', editable=False), preserve_default=False),
                migrations.AddField('player', 'search_name', SearchField(default='', editable=False), preserve_default=False),
                migrations.AddField('roster', 'skeleton', SkeletonField(db_index=True, default='', editable=False), preserve_default=False),
            ],
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunSQL(FORGIVE, migrations.RunSQL.noop),
        migrations.RunSQL(
            """
            ALTER TABLE league_player ALTER skeleton SET NOT NULL, ALTER search_name SET NOT NULL;
            ALTER TABLE league_roster ALTER skeleton SET NOT NULL;
            CREATE INDEX league_player_skeleton ON league_player (skeleton);
            CREATE INDEX league_roster_skeleton ON league_roster (skeleton);
            """,
            "DROP INDEX league_player_skeleton, league_roster_skeleton;",
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(condition=models.Q(('may_resemble', False)), fields=('skeleton',), name='player_looks_like_no_other'),
        ),
        migrations.AddConstraint(
            model_name='roster',
            constraint=models.UniqueConstraint(condition=models.Q(('may_resemble', False)), fields=('arena', 'skeleton'), name='roster_looks_like_no_other'),
        ),
        migrations.RunSQL(STARTS.format(column='search_name'), STARTS.format(column='folded_name')),
        migrations.RunSQL(TRIGRAMS, NO_TRIGRAMS),
    ]
