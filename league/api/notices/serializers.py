"""Notices."""

from __future__ import annotations

from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, Strict, Whole
from league.api.core.references import PlayerLinkSerializer
from league.models import Notice
from league.services.notices.texts import tell

MOST_AT_ONCE = 1000


class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """Something that you were told."""

    text = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField(help_text="The page that it is about.")
    actor = PlayerLinkSerializer(
        allow_null=True, help_text="The player whose action caused it, if it was one."
    )

    class Meta:
        model = Notice
        fields = ["id", "kind", "text", "url", "actor", "match", "challenge", "created_at"]
        fields += ["seen_at"]

    def get_text(self, notice: Notice) -> str:
        return tell(notice).text

    def get_url(self, notice: Notice) -> str:
        return tell(notice).url


class ReadForm(Strict):
    """Notices to mark as read."""

    notices = serializers.ListField(
        child=Whole(min_value=1, max_value=LARGEST_ID),
        required=False,
        allow_null=True,
        default=None,
        max_length=MOST_AT_ONCE,
        help_text="The ids of the notices. Without it, all of yours.",
    )


class ReadSerializer(serializers.Serializer[object]):
    marked = serializers.IntegerField(help_text="How many of them were unread.")
