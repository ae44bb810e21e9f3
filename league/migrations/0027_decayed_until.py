"""How far the steps of zero-sum decay have come in a season. Those that run go on from now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0026_decay_steps")]

    operations = [
        migrations.AddField(
            model_name="season",
            name="decayed_until",
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
