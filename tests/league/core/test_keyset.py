"""Parts of long lists: every item once, in both directions, and nothing but places in addresses."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.services.core.errors import Refused
from league.services.core.keyset import Edge, Part, Place, edge_of, part_of

START = datetime(2020, 1, 1, tzinfo=UTC)

PLACES = st.lists(
    st.builds(
        lambda hours, pk: Place(START + timedelta(hours=hours), pk),
        st.integers(-3, 3),
        st.integers(1, 60),
    ),
    unique_by=lambda place: place.pk,
    max_size=40,
).map(lambda places: sorted(places, reverse=True))


def read_from(places: list[Place], edge: Edge, limit: int) -> list[Place]:
    if edge.place is None:
        return places[:limit]
    if edge.newer:
        return [one for one in reversed(places) if one > edge.place][:limit]
    return [one for one in places if one < edge.place][:limit]


@given(PLACES, st.integers(1, 7))
def test_following_the_links_shows_every_item_once_in_both_directions(
    places: list[Place], count: int
) -> None:
    def part(edge: Edge) -> Part[Place]:
        return part_of(edge, count, lambda edge, limit: read_from(places, edge, limit), lambda p: p)

    seen: list[Place] = []
    found = part(Edge())
    assert found.newer is None
    while True:
        seen += found.rows
        last = found
        if found.older is None:
            break
        found = part(edge_of(found.older.text, ""))
        assert found.newer is not None
    assert seen == places

    back = list(last.rows)
    while last.newer is not None:
        last = part(edge_of("", last.newer.text))
        back = [*last.rows, *back]
        assert last.older is not None
    assert back == places


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "1",
        ",",
        "1,",
        ",1",
        "1,2,3",
        "1,-2",
        "--1,2",
        "1.5,2",
        "1e9,2",
        "²,1",
        "1,١",
        " 1,2",
        "nan,1",
        "9" * 19 + ",1",
        "250000000000000001,1",
        "-62000000000000001,1",
        f"1,{2**63}",
        "1," + "9" * 5000,
    ],
)
def test_what_is_not_a_place_is_refused_by_name(text: str) -> None:
    for name, texts in (("after", (text, "")), ("before", ("", text))):
        with pytest.raises(Refused, match="Follow the links") as refusal:
            edge_of(*texts)
        assert refusal.value.field == name


def test_a_part_has_one_edge() -> None:
    with pytest.raises(Refused, match="not both"):
        edge_of("1,2", "1,2")


def test_a_place_is_read_as_it_was_written() -> None:
    place = Place(datetime(1872, 11, 30, 14, 15, 16, 170_001, tzinfo=UTC), 2**63 - 1)
    assert edge_of(place.text, "") == Edge(place)
    assert edge_of("", place.text) == Edge(place, newer=True)
    assert edge_of("", "") == Edge()
