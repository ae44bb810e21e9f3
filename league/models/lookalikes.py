"""Names that nobody else may use: names that look like others, and words reserved by staff."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models.collation import sort_key
from league.models.names import NAME_MAX_LENGTH, tidy
from league.models.skeletons import likenesses, skeleton, spellings, without_accents, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import QuerySet

Row = TypeVar("Row", bound=models.Model)


class NameForm(models.TextField[str, str]):
    """A form of the row's name, computed when it is written."""

    form_of: Callable[[str], str]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "editable": False})

    def pre_save(self, model_instance: Any, add: bool) -> str:  # noqa: ARG002 - Django's signature
        form = type(self).form_of(model_instance.name)
        setattr(model_instance, self.attname, form)
        return form


class SkeletonField(NameForm):
    """The shape of a name, for comparison with others."""

    form_of = staticmethod(skeleton)


class SearchField(NameForm):
    """The name without accents."""

    form_of = staticmethod(without_accents)


class SortField(NameForm):
    """The place of the name in lists."""

    form_of = staticmethod(sort_key)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "db_collation": "C"})


def named_like(rows: QuerySet[Row], text: str) -> QuerySet[Row]:
    """Return those of some hundred rows whose name contains a text, whatever its accents."""
    forms = spellings(text)
    named = rows.order_by().values_list("pk", "name")
    found = [pk for pk, name in named if any(form in without_accents(name) for form in forms)]
    return rows.filter(pk__in=found)


def is_spelt(text: str) -> models.Q:
    """Return the condition that a row's name contains a text, in any of its spellings."""
    conditions = [models.Q(search_name__contains=form) for form in spellings(text)]
    return reduce(or_, conditions)


def looks_like(name: str) -> models.Q:
    """Return the condition that a row's name looks like ``name``."""
    return models.Q(skeleton__in=likenesses(name))


class ReservedWordQuerySet(models.QuerySet["ReservedWord"]):
    def in_name(self, name: str) -> ReservedWordQuerySet:
        """Words that a name consists of, contains as a word, or looks like."""
        return self.filter(skeleton__in=words_of(name))


class ReservedWord(models.Model):
    """A word that names may not contain: one of the staff's, or an insult."""

    class Kind(models.TextChoices):
        RESERVED = "reserved", gettext_lazy("Reserved: only staff may use it")
        FORBIDDEN = "forbidden", gettext_lazy("Forbidden: an insult or worse")

    name = models.CharField(
        gettext_lazy("word"),
        max_length=NAME_MAX_LENGTH,
        help_text=gettext_lazy(
            "Names may not contain this word, nor one that looks like it. Existing names stay."
        ),
    )
    kind = models.CharField(
        gettext_lazy("kind"), max_length=10, choices=Kind.choices, default=Kind.RESERVED
    )
    skeleton = SkeletonField(unique=True)

    objects = ReservedWordQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        verbose_name = gettext_lazy("reserved word")
        verbose_name_plural = gettext_lazy("reserved words")

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        self.name = tidy(self.name)
        same = type(self).objects.filter(skeleton=skeleton(self.name)).exclude(pk=self.pk)
        if other := same.first():
            raise ValidationError(
                {"name": _("This looks like “%(word)s”, which is listed.") % {"word": other}}
            )


def refuse_reserved(name: str) -> None:
    """Refuse names that contain a reserved or forbidden word.

    Raises:
        ValidationError: naming a reserved word, but not repeating an insult.
    """
    word = ReservedWord.objects.in_name(name).first()
    if word is None:
        return
    if word.kind == ReservedWord.Kind.FORBIDDEN:
        raise ValidationError(_("This name contains a forbidden word."), code="forbidden")
    raise ValidationError(
        _("“%(word)s” is reserved. Choose a name without it, or anything like it.")
        % {"word": word.name},
        code="reserved",
    )
