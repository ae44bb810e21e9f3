"""Tables of web pages, which sites export as .xls, and of Excel's XML of 2003."""

import contextlib
import time

import pytest

from ratings.files.choices import Choices
from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read, read_table

PAGE = """\
<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8">
<style>td { color: red } </style>
<script>if (1 < 2) { document.write("<table><tr><td>x") }</script></head>
<body><!-- <table><tr><td>no</td></tr></table> -->
<table><tr><td>Menu</td></tr></table>
<table border=1>
<tr><td colspan=4>Results of the <b>league</b></td></tr>
<tr><th>Date</th><th>Home</th><th>Away</th><th>Score</th></tr>
<tr><td rowspan="2">16/08/2023</td><td>Ann&nbsp;Lee</td>
<td><a href="x">Bob<br>Ray</a></td><td>3&ndash;1</td></tr>
<tr><td>Cid &amp; Co</td><td>Dee</td><td>2:2</td></tr>
<tr><td>31/08/2023<td>Dee<td>Ann Lee<td>0 - 1
</table></body></html>
"""
WORKBOOK = """\
<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table>
<Row><Cell><Data ss:Type="String">Date</Data></Cell><Cell><Data ss:Type="String">Home</Data></Cell>
<Cell><Data ss:Type="String">Note</Data></Cell><Cell><Data ss:Type="String">Away</Data></Cell>
<Cell><Data ss:Type="String">Score</Data></Cell></Row>
<Row><Cell><Data ss:Type="DateTime">2023-08-16T00:00:00.000</Data></Cell>
<Cell><Data>Ann</Data></Cell>
<Cell ss:Index="4"><Data>Bob</Data></Cell><Cell><Data ss:Type="String">3-1</Data></Cell></Row>
</Table></Worksheet></Workbook>
"""


def in_short(found: Found) -> list[tuple[str, str, str, float | None, float | None]]:
    short = []
    for result in found.results:
        one, other = result.sides
        day = str(result.played_at and result.played_at.date())
        short.append((day, one.names[0], other.names[0], one.score, other.score))
    return short


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_the_table_with_the_most_rows_of_a_page_is_read(encoding: str) -> None:
    found = read(PAGE.encode(encoding))
    assert found.problems == []
    assert in_short(found) == [
        ("2023-08-16", "Ann Lee", "Bob Ray", 3, 1),
        ("2023-08-16", "Cid & Co", "Dee", 2, 2),
        ("2023-08-31", "Dee", "Ann Lee", 0, 1),
    ]


def test_another_table_of_the_page_can_be_chosen() -> None:
    rows = "".join(f"<tr><td>{at}</td><td>Prize</td></tr>" for at in range(9))
    content = PAGE.replace("<body>", f"<body><table>{rows}</table>").encode()
    assert read_table(content).sheets == ["Table 1", "Table 2"]
    assert len(read(content, Choices(sheet="Table 2")).results) == 3


def test_the_xml_of_excel_is_read() -> None:
    assert in_short(read(WORKBOOK.encode())) == [("2023-08-16", "Ann", "Bob", 3, 1)]


def test_a_page_without_a_table_says_so() -> None:
    with pytest.raises(UnreadableFile, match="a web page without a table"):
        read(b"<!DOCTYPE html><html><body><p>Please log in.</p></body></html>")


@pytest.mark.parametrize("text", ["a < b, c > d\n1,2\n", "name,<table>\nAnn,1\n"])
def test_a_text_with_angles_is_no_page(text: str) -> None:
    with pytest.raises(UnreadableFile, match="Choose the columns"):
        read(text.encode())


@pytest.mark.parametrize(
    "part",
    ["<!", "<!--", "<table>", "<tr>", "<td>", "<td rowspan=9999 colspan=9999>", "<script>", "&#",
     "</table>", "<", "<tr><td ss:Index=9999>x", "<tr><td colspan=9999>x<td rowspan=99>x", "<td x"],
)  # fmt: skip
def test_the_time_to_read_a_page_grows_with_its_length_alone(part: str) -> None:
    content = ("<table>" + part * 60_000).encode()
    began = time.process_time()
    with contextlib.suppress(UnreadableFile):
        read(content)
    assert time.process_time() - began < 4
