from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class LeagueConfig(AppConfig):
    name = "league"
    verbose_name = "League"


class LeagueAdminConfig(admin_apps.AdminConfig):
    """Django's admin with the league's own front page."""

    default = False
    default_site = "league.admin_site.LaurelAdminSite"
