"""docs/importing.md lists the formats as their modules describe them.

``python -m tests.ratings.files.test_formats_in_docs`` writes the table.
"""

from pathlib import Path

from ratings.files.formats import FORMATS

PAGE = Path(__file__).resolve().parents[3] / "docs/importing.md"
BEGIN, END = "<!-- formats: from ratings/files/formats -->\n", "<!-- end of formats -->\n"


def table() -> str:
    head = "| from | what is read | what is left out |\n|---|---|---|\n"
    rows = (f"| {one.programs} | {one.reads} | {one.leaves_out} |\n" for one in FORMATS)
    return head + "".join(rows)


def fill_in_formats(text: str) -> str:
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.split(END)[1]}"


def test_the_table_is_that_of_the_modules() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == fill_in_formats(text), f"run: python -m {__name__}"


def test_every_format_is_named_once_and_says_what_it_leaves_out() -> None:
    assert len({one.name for one in FORMATS}) == len(FORMATS)
    for one in FORMATS:
        assert one.label.endswith(".")
        for text in (one.programs, one.reads, one.leaves_out):
            assert "|" not in text
            assert text == text.strip() != ""


if __name__ == "__main__":
    PAGE.write_text(fill_in_formats(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
