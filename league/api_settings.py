"""The settings of the API: REST framework, tokens and the schema."""

from __future__ import annotations

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.core.authentication.AccessTokens",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["league.api.core.parsers.Json"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "league.api.core.schema.Described",
    "DEFAULT_PAGINATION_CLASS": None,
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "league.api.core.errors.explain",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_THROTTLE_CLASSES": ["league.api.core.throttles.PerMinute"],
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Laurel",
    "DESCRIPTION": "Arenas, leaderboards, players, matches and rating history of a league.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "list"},
    "ENUM_NAME_OVERRIDES": {
        "MatchStatus": "league.models.Status",
        "Settlement": "league.models.Settlement",
        "ArenaFormat": "league.models.Format",
        "ChallengeState": "league.models.Challenge.State",
        "ChallengeAnswer": "league.api.ladder.serializers.ANSWERS",
        "DateState": "league.models.Arrangement.State",
        "DateAnswer": "league.api.dates.serializers.ANSWERS",
        "DateRequestAnswer": "league.api.dates.serializers.REQUEST_ANSWERS",
        "NoShowAnswer": "league.api.dates.serializers.NO_SHOW_ANSWERS",
        "Verdict": "league.models.staff.VERDICTS",
        "MatchAction": "league.models.staff.ABOUT_MATCHES",
        "Agreement": "league.models.Agreement",
        "SeasonState": "league.api.seasons.serializers.STATES",
        "MapChoice": "league.models.MapChoice",
        "MarginEnum": ["none", "clear", "goals", "log"],
        "LearntMarginEnum": ["none", "learnt"],
        "ParameterKind": "league.api.rating.serializers.KINDS",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "league.api.core.schema.complete",
    ],
}
