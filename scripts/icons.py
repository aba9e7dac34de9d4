#!/usr/bin/env python3
"""Draws the page's icons for telephones, which take no SVG: the shapes of icon.svg, on a ground without round corners.

    scripts/icons.py      writes icon192.png and icon512.png beside icon.svg
"""

import math
import struct
import zlib
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "Sources/DrayPage/Page/Look"
GROUND, INK = (0x0B, 0x5F, 0xB5), (0xFF, 0xFF, 0xFF)
#: Half the width of a line, in the units of icon.svg (64 to a side).
HALF = 2.5
LINES = [(10, 40, 54, 40), (32, 11, 32, 30), (23, 22, 32, 31), (32, 31, 41, 22)]
CIRCLES = [(21, 50, 4.5), (43, 50, 4.5)]
#: The part of the icon that no mask cuts off.
SAFE = 0.8
#: The steps between ground and ink. A palette keeps the files small.
STEPS = 4


def distance(x, y):
    """The distance from the nearest line's middle."""
    nearest = min(abs(math.hypot(x - cx, y - cy) - r) for cx, cy, r in CIRCLES)
    for x1, y1, x2, y2 in LINES:
        dx, dy = x2 - x1, y2 - y1
        at = max(0, min(1, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)))
        nearest = min(nearest, math.hypot(x - x1 - at * dx, y - y1 - at * dy))
    return nearest


def row(side, y):
    """The numbers of the colours in a row."""
    unit = 64 / side / SAFE
    for x in range(side):
        far = distance((x + 0.5 - side / 2) * unit + 32, (y + 0.5 - side / 2) * unit + 32)
        yield round(max(0, min(1, (HALF - far) / unit + 0.5)) * (STEPS - 1))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(side):
    lines = bytearray()
    for y in range(side):
        colours = list(row(side, y))
        lines.append(0)
        lines += bytes(a << 6 | b << 4 | c << 2 | d for a, b, c, d in zip(*(colours[at::4] for at in range(4))))
    palette = b"".join(bytes(a + (b - a) * step // (STEPS - 1) for a, b in zip(GROUND, INK)) for step in range(STEPS))
    head = struct.pack(">IIBBBBB", side, side, 2, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette) + chunk(b"IDAT", zlib.compress(bytes(lines), 9)) + chunk(b"IEND", b"")


for side in (192, 512):
    (PAGE / f"icon{side}.png").write_bytes(png(side))
