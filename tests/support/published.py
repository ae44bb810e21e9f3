"""Rating systems as their sources publish them."""

from collections.abc import Mapping

from ratings.registry import build, read_name
from ratings.system import RatingSystem


def published(name: str, parameters: Mapping[str, object] | None = None) -> RatingSystem:
    """Return a system such as ``fermi:kreimeier``, except for the parameters given."""
    plain, found = read_name(name)
    return build(plain, {**found, **(parameters or {})})
