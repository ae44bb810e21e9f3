"""What players show of themselves, apart from their pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.fields import Strict, Text
from league.api.core.references import PlayerLinkSerializer
from league.models import Profile, Scope
from league.models.profile import LONGEST_LINK, MOST_LINKS
from league.services.core.clock import database_now
from league.services.privacy import profile

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

COUNTRY = _("A code of ISO 3166-1 with two letters, such as FR; empty for none.")
LINKS = _("Addresses that begin with https://.")


class ProfileSerializer(serializers.ModelSerializer[Profile]):
    """Your player, and the country and links that your page shows."""

    player = PlayerLinkSerializer()
    links = serializers.ListField(child=serializers.CharField(), help_text=LINKS)

    class Meta:
        model = Profile
        fields = ["player", "country", "links"]
        extra_kwargs = {"country": {"help_text": COUNTRY}}


class ProfileForm(Strict):
    """What changes about your profile. Fields that are left out stay."""

    country = Text(required=False, allow_blank=True, max_length=2, help_text=COUNTRY)
    links = serializers.ListField(
        child=Text(max_length=LONGEST_LINK),
        required=False,
        max_length=MOST_LINKS,
        help_text=LINKS,
    )


class OwnProfile(Endpoint):
    queryset = Profile.objects.none()
    serializer_class = ProfileSerializer
    scopes = (Scope.ACCOUNT,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="profile")
    def get(self, _request: Request) -> Response:
        """Return your player, and the country and links that your page shows."""
        return Response(self.shown(profile.profile_of(self.player())))

    @extend_schema(
        operation_id="change_profile", request=ProfileForm, responses={200: ProfileSerializer}
    )
    def patch(self, _request: Request) -> Response:
        """Choose the country and links that your page shows."""
        me = self.player()
        shown = profile.profile_of(me)
        new = {"country": shown.country, "links": shown.links} | self.body(ProfileForm)
        profile.save(me, country=new["country"], links=new["links"], now=database_now())
        return Response(ProfileSerializer(Profile.objects.get(player=me)).data)
