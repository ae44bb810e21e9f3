from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0028_languages")]

    operations = [
        migrations.AddField(
            model_name="profile",
            name="about",
            field=models.TextField(
                blank=True,
                db_default="",
                default="",
                max_length=300,
                verbose_name="about the player",
            ),
        ),
    ]
