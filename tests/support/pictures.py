"""Pictures that tests upload."""

from io import BytesIO
from typing import Any

import numpy as np
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

RED, BLUE, WHITE = (220, 20, 30), (20, 30, 220), (255, 255, 255)


def halves(size: tuple[int, int] = (64, 32), mode: str = "RGB") -> Image.Image:
    """Return a picture whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, RED)
    image.paste(BLUE, (size[0] // 2, 0, *size))
    return image.convert(mode)


def noise(side: int) -> Image.Image:
    """Return a picture that no format can compress."""
    return Image.frombytes("RGB", (side, side), np.random.default_rng(1).bytes(3 * side * side))


def saved(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    file = BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def upload(
    content: bytes | None = None, name: str = "final.png", declared: str = "image/png"
) -> SimpleUploadedFile:
    """Return a file as a form sends it, by default a small screenshot."""
    return SimpleUploadedFile(name, saved(halves()) if content is None else content, declared)


def read(webp: bytes) -> Image.Image:
    image = Image.open(BytesIO(webp), formats=["WEBP"])
    image.load()
    return image


def is_near(pixel: Any, colour: tuple[int, int, int]) -> bool:
    """Return whether a pixel has a colour, but for what a lossy format changes."""
    return all(abs(one - other) < 30 for one, other in zip(pixel, colour, strict=True))
