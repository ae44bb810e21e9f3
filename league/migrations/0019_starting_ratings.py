from django.db import migrations, models

ORDERS_TO_RATINGS = """
    UPDATE league_season AS s SET starting_ratings = jsonb_build_object('ladder', (
        SELECT jsonb_object_agg(o.player::text, jsonb_build_array(o.nth, NULL))
        FROM unnest(s.starting_order) WITH ORDINALITY AS o (player, nth)
    )) WHERE s.starting_order <> '{}'
"""
RATINGS_TO_ORDERS = """
    UPDATE league_season AS s SET starting_order = ARRAY(
        SELECT o.key::bigint FROM jsonb_each(s.starting_ratings -> 'ladder') AS o
        ORDER BY (o.value ->> 0)::float8
    ) WHERE s.starting_ratings ? 'ladder'
"""


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0018_planned_line_up'),
    ]

    operations = [
        migrations.AddField(
            model_name='season',
            name='starting_ratings',
            field=models.JSONField(db_default=models.Value({}, models.JSONField()), default=dict, editable=False),
        ),
        migrations.RunSQL(ORDERS_TO_RATINGS, RATINGS_TO_ORDERS),
        migrations.RemoveField(
            model_name='season',
            name='starting_order',
        ),
    ]
