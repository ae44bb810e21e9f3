"""Let organisers and game servers say how much a contest counts."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0061_regions'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='contest_weight',
            field=models.FloatField(db_default=1.0, default=1.0, verbose_name='contest weight'),
        ),
    ]
