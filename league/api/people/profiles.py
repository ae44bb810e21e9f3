"""A player's profile: picture, country, links and a short text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.fields import Strict, Text
from league.api.core.pictures import PictureForm
from league.api.core.references import PlayerLinkSerializer
from league.api.core.throttles import COSTLY
from league.models import Player, Profile, Scope
from league.models.profile import LONGEST_ABOUT, LONGEST_LINK, MOST_LINKS
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.privacy import profile

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

COUNTRY = _("A code of ISO 3166-1 with two letters, such as FR; empty for none.")
LINKS = _("Addresses that begin with https://.")
ABOUT = _("What the player says about themselves, as plain text in up to six lines.")


LONGEST_REASON = 2_000


class ProfileSerializer(serializers.ModelSerializer[Profile]):
    """A player, with the picture, country, links and text on their page."""

    player = PlayerLinkSerializer()
    links = serializers.ListField(child=serializers.CharField(), help_text=LINKS)
    picture = serializers.SerializerMethodField(
        help_text=_("The address of the picture; null without one.")
    )

    class Meta:
        model = Profile
        fields = ["player", "country", "links", "picture", "about"]
        extra_kwargs = {"country": {"help_text": COUNTRY}, "about": {"help_text": ABOUT}}

    def get_picture(self, shown: Profile) -> str | None:
        address = reverse("avatar", args=[shown.player_id, shown.picture]) if shown.picture else ""
        return address or None


class ProfileForm(Strict):
    """Changes of your profile. Fields that are left out stay."""

    country = Text(required=False, allow_blank=True, max_length=2, help_text=COUNTRY)
    links = serializers.ListField(
        child=Text(max_length=LONGEST_LINK),
        required=False,
        max_length=MOST_LINKS,
        help_text=LINKS,
    )
    about = Text(required=False, allow_blank=True, max_length=LONGEST_ABOUT, help_text=ABOUT)


class RemovalForm(Strict):
    """The reason to remove a player's picture, links and text."""

    reason = Text(max_length=LONGEST_REASON, help_text=_("It goes into the staff log."))


class OwnProfile(Endpoint):
    queryset = Profile.objects.none()
    serializer_class = ProfileSerializer
    scopes = (Scope.ACCOUNT,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="profile")
    def get(self, _request: Request) -> Response:
        """Return your player, with the picture, country, links and text on your page."""
        return Response(self.serialize(profile.profile_of(self.player())))

    @extend_schema(
        operation_id="change_profile", request=ProfileForm, responses={200: ProfileSerializer}
    )
    def patch(self, _request: Request) -> Response:
        """Choose the country, links and text that your page shows."""
        me = self.player()
        shown = profile.profile_of(me)
        kept = {"country": shown.country, "links": shown.links, "about": shown.about}
        profile.save(me, **(kept | self.body(ProfileForm)), now=database_now())
        return Response(ProfileSerializer(Profile.objects.get(player=me)).data)


class OwnPicture(Endpoint):
    queryset = Profile.objects.none()
    serializer_class = ProfileSerializer
    parser_classes = [MultiPartParser]
    throttle_classes = COSTLY
    scopes = (Scope.ACCOUNT,)

    @extend_schema(
        operation_id="upload_picture",
        request={"multipart/form-data": PictureForm},
        responses={200: ProfileSerializer},
    )
    def put(self, _request: Request) -> Response:
        """Upload your picture. Only its pixels are kept, cropped to a square."""
        me = self.player()
        profile.upload(me, self.body(PictureForm)["image"], database_now())
        return Response(ProfileSerializer(Profile.objects.get(player=me)).data)

    @extend_schema(operation_id="remove_picture", responses={204: None})
    def delete(self, _request: Request) -> Response:
        """Remove your picture, if you have one."""
        profile.take_down(self.player())
        return Response(status=status.HTTP_204_NO_CONTENT)


class ProfileRemoval(Endpoint):
    queryset: Any = Player.objects.none()
    serializer_class = ProfileSerializer
    scopes = (Scope.STAFF,)

    @extend_schema(
        operation_id="remove_profile", request=RemovalForm, responses={200: ProfileSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Remove a player's picture, links and text, as staff who may change players."""
        missing = gettext("There is no player %(id)d.") % {"id": pk}
        player = self.get_or_404(Player.objects.all(), missing, pk=pk)
        if not request.user.has_perm("league.change_player"):
            text = gettext("You need the permission to change players.")
            raise Forbidden("not_staff", text)
        reason, now = self.body(RemovalForm)["reason"], database_now()
        profile.remove_by_staff(player, by=self.account(), reason=reason, now=now)
        return Response(ProfileSerializer(Profile.objects.get(player=player)).data)
