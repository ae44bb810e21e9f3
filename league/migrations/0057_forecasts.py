"""Matches keep their forecast, and queues their prediction, until now a part of an imported file."""

import django.contrib.postgres.fields
from django.db import migrations, models

from matchmaking.io.xmltree import parse

PREDICTION = {
    'blank': True,
    'help_text': 'The weights of the published prediction. Empty if matches are predicted from ratings.',
    'null': True,
    'verbose_name': 'prediction',
}


def take_from_files(apps, schema_editor):
    """Read the prediction of each imported file. The file stays as it is."""
    queues = apps.get_model('league', 'ArenaQueue')
    for queue in queues.objects.filter(configuration__contains='<Prediction'):
        queue.prediction = prediction_in(queue.configuration)
        queue.save(update_fields=['prediction'])


def prediction_in(text):
    """Return the values of a ``<Prediction>`` by name: ``{"rank_weight": 1.0}``."""
    return {
        f'{child.tag.lower()}_{name}': value if name == 'method' else float(value)
        for element in parse(text)
        if element.tag == 'Prediction'
        for child in element.children
        for name, value in child.attributes.items()
    }


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0056_meetings'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='forecast',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), editable=False, null=True, size=None),
        ),
        migrations.AddField(
            model_name='arenaqueue',
            name='prediction',
            field=models.JSONField(**PREDICTION),
        ),
        migrations.AddField(
            model_name='historicalarenaqueue',
            name='prediction',
            field=models.JSONField(**PREDICTION),
        ),
        migrations.RunPython(take_from_files, migrations.RunPython.noop),
    ]
