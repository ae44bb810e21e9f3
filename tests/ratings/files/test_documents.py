"""Files that are in no known format."""

import pytest

from ratings.files.problems import UnreadableFile
from ratings.files.reading import read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "The file is not valid JSON"),
        ('{"id": 1}\n{"id": 2', "Line 2 is not valid JSON"),
        ('{"a": 1}', "This JSON is in none of the supported formats"),
        ("[]", "This JSON is in none of the supported formats"),
        ("[1, 2]", "This JSON is in none of the supported formats"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tournament": {"matches": 1, "participants": []}}', "none of the supported formats"),
        ('{"players": [{"id": 1, "name": "Ann"}]}', "none of the supported formats"),
        ('{"players": {"ann": 1500}}', "none of the supported formats"),
        ('{"standings": [{"rank": 1, "name": "Ann"}]}', "none of the supported formats"),
        ('{"data": {"event": null}}', "none of the supported formats"),
    ],
)
def test_other_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(text.encode())
