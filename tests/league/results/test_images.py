"""Of an uploaded image, its pixels are kept and nothing else."""

import struct
import zlib
from typing import Any

import numpy as np
import pytest
from django.test import override_settings
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from league.services.core.errors import Refused
from league.services.results.reports.images import LONGEST_SIDE, MOST_STORED, Picture, clean
from tests.support.pictures import BLUE, RED, WHITE, halves, is_near, noise, read, saved, upload

GREY = (156, 156, 156)


def cleaned(content: bytes, **named: str) -> Picture:
    return clean(upload(content, **named))


def refusal_of(content: bytes, **named: str) -> Refused:
    with pytest.raises(Refused) as refusal:
        cleaned(content, **named)
    assert refusal.value.field == "image"
    return refusal.value


def ends(picture: Picture) -> tuple[Any, Any]:
    """Return the colours at the left and at the right."""
    image = read(picture.webp)
    assert (image.mode, image.size) == ("RGB", (picture.width, picture.height))
    middle = image.height // 2
    return image.getpixel((3, middle)), image.getpixel((image.width - 4, middle))


def shows(picture: Picture, left: tuple[int, int, int], right: tuple[int, int, int]) -> bool:
    return all(map(is_near, ends(picture), (left, right)))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_the_three_formats_become_webp(kind: str) -> None:
    picture = cleaned(saved(halves(), kind))
    assert picture.webp[:4] + picture.webp[8:12] == b"RIFFWEBP"
    assert (picture.width, picture.height) == (64, 32)
    assert shows(picture, RED, BLUE)


@pytest.mark.parametrize(
    ("name", "declared"),
    [("final.html", "text/html"), ("final.exe", "application/x-msdownload"), ("a\n\x01", "")],
)
def test_the_content_decides_and_not_the_name(name: str, declared: str) -> None:
    assert shows(cleaned(saved(halves()), name=name, declared=declared), RED, BLUE)


@pytest.mark.parametrize(
    "content",
    [
        saved(halves(mode="RGBA")),
        saved(halves(mode="CMYK"), "JPEG"),
        saved(halves().quantize(4)),
        saved(halves((6000, 40))),
        saved(halves(), progressive=True, kind="JPEG"),
        saved(halves(), lossless=True, kind="WEBP"),
        saved(halves(), "MPO", save_all=True, append_images=[halves().rotate(180)]),
    ],
    ids=["rgba", "cmyk", "palette", "wide", "progressive", "lossless", "phone with a preview"],
)
def test_every_kind_of_colour_stays_as_it_looks(content: bytes) -> None:
    assert shows(cleaned(content), RED, BLUE)


def test_sixteen_bits_of_grey_are_not_clipped() -> None:
    grey = Image.new("I;16", (64, 32), 156 * 256)
    assert shows(cleaned(saved(grey)), GREY, GREY)
    assert shows(cleaned(saved(grey.resize((4000, 2000)))), GREY, GREY)


def test_transparency_becomes_white_on_every_page() -> None:
    clear = halves(mode="RGBA")
    clear.putpixel((0, 0), (*RED, 255))
    clear.paste((*RED, 0), (0, 0, 32, 32))
    assert shows(cleaned(saved(clear)), WHITE, BLUE)
    assert shows(cleaned(saved(clear, "WEBP", exact=True)), WHITE, BLUE)
    assert shows(cleaned(saved(halves(), transparency=RED)), WHITE, BLUE)
    few = halves().quantize(4)
    assert shows(cleaned(saved(few, transparency=few.getpixel((0, 0)))), WHITE, BLUE)
    bits = halves(mode="L").convert("1", dither=Image.Dither.NONE)
    bits.paste(1, (0, 0, 32, 32))
    assert shows(cleaned(saved(bits)), WHITE, (0, 0, 0))


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_is_turned_upright(orientation: int) -> None:
    turned = {
        1: [], 2: [0], 3: [3], 4: [1], 5: [5], 6: [2], 7: [6], 8: [4],
    }  # fmt: skip
    stored = halves()
    for method in turned[orientation]:
        stored = stored.transpose(Image.Transpose(method))
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = cleaned(saved(stored, "JPEG", exif=exif, quality=95))
    assert (picture.width, picture.height) == (64, 32)
    assert shows(picture, RED, BLUE)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_metadata_is_removed(kind: str) -> None:
    exif = Image.Exif()
    exif[0x010E] = "secret description"
    exif[0x8825] = {1: "N", 2: (52.0, 31.0, 0.0), 3: "E", 4: (13.0, 24.0, 0.0)}
    more: dict[str, Any] = {"exif": exif, "icc_profile": b"secret profile"}
    if kind == "PNG":
        more["pnginfo"] = PngInfo()
        more["pnginfo"].add_text("Comment", "secret comment")
        more["pnginfo"].add_itxt("XML:com.adobe.xmp", "secret place")
    elif kind == "JPEG":
        more |= {"comment": b"secret comment", "xmp": b"<x:xmpmeta>secret place</x:xmpmeta>"}
    else:
        more["xmp"] = b"<x:xmpmeta>secret place</x:xmpmeta>"
    content = saved(halves(), kind, **more)
    assert content.count(b"secret") >= 3
    picture = cleaned(content)
    assert b"secret" not in picture.webp
    assert not any(mark in picture.webp for mark in (b"EXIF", b"XMP ", b"ICCP", b"VP8X"))
    assert not read(picture.webp).getexif()


def test_what_is_hidden_behind_an_image_is_removed() -> None:
    hidden = b"<script>alert(1)</script>PK\x03\x04GIF89a/*"
    for kind in ("PNG", "JPEG", "WEBP"):
        picture = cleaned(saved(halves(), kind) + hidden)
        assert b"script" not in picture.webp
        assert b"PK\x03\x04" not in picture.webp
        assert shows(picture, RED, BLUE)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 5000,
        b"<html><script>alert(1)</script></html>",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"GIF89a=1;alert(1)",
        b"%PDF-1.7",
        b"PK\x03\x04",
        saved(halves(), "GIF"),
        saved(halves(), "TIFF"),
        saved(halves(), "BMP"),
        saved(halves(), "ICO"),
        saved(halves(), "PPM"),
    ],
    ids=["nothing", "zeros", "html", "svg", "js", "pdf", "zip", "gif", "tiff", "bmp", "ico", "ppm"],
)
def test_other_files_are_no_images(content: bytes) -> None:
    assert refusal_of(content).message == "This is not a PNG, JPEG or WebP image."


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_moving_images_are_refused(kind: str) -> None:
    frames = [halves(), halves().rotate(180)]
    content = saved(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)
    assert "Send a still image" in refusal_of(content).message


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_half_an_image_is_damaged(kind: str) -> None:
    content = saved(noise(100), kind)
    assert "damaged" in refusal_of(content[: len(content) // 2]).message


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_no_damage_is_an_error_of_the_site(kind: str) -> None:
    random, whole = np.random.default_rng(2), saved(noise(40), kind)
    for _case in range(300):
        content = bytearray(whole)
        for _change in range(random.integers(1, 12)):
            content[random.integers(min(len(content), 400))] = random.integers(256)
        try:
            picture = cleaned(bytes(content[: random.integers(1, len(content))]))
        except Refused as refusal:
            assert refusal.field == "image"  # noqa: PT017 - a damaged image may also be readable
        else:
            assert read(picture.webp).size == (picture.width, picture.height)


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that claims to be large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 1_000_000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def webp_bomb() -> bytes:
    """Return a WebP of a few bytes that claims to be as large as one can be."""
    moving = saved(halves(), "WEBP", save_all=True, append_images=[halves().rotate(90)])
    at = moving.index(b"VP8X") + 12
    return moving[:at] + (16_382).to_bytes(3, "little") * 2 + moving[at + 6 :]


@pytest.mark.parametrize(
    "content",
    [bomb(8200, 6100), bomb(10_000, 10_000), bomb(100_000, 100_000), webp_bomb()],
    ids=["50 million", "100 million", "10 billion", "webp"],
)
def test_too_many_pixels_are_refused_before_they_are_decoded(content: bytes) -> None:
    assert len(content) < 5_000
    assert refusal_of(content).message == (
        "An image can have at most 25 million pixels. Make it smaller."
    )


@override_settings(UPLOAD_MOST_BYTES=1000)
def test_too_many_bytes_are_refused() -> None:
    assert refusal_of(saved(noise(100))).message == "An image can be at most 1000\xa0bytes in size."


def test_large_images_are_made_smaller() -> None:
    picture = cleaned(saved(halves((4000, 1000)), "JPEG"))
    assert (picture.width, picture.height) == (LONGEST_SIDE, 640)
    assert shows(picture, RED, BLUE)
    assert (cleaned(saved(halves((20_000, 2)))).height) == 1
    detailed = cleaned(saved(noise(1800), "JPEG", quality=90))
    assert len(detailed.webp) <= MOST_STORED
    assert detailed.width < 1800
