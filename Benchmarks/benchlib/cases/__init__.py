"""The cases by name, in the order of the table. Each takes a `Bench` and returns a `Result`."""

from .crawling import crawling
from .distant import distant
from .hashing import hashing
from .https import https
from .large import large
from .limited import limited
from .memory import memory
from .queue import queue
from .s3 import s3
from .small import small
from .start import start

CASES = {
    case.__name__: case for case in (large, hashing, https, small, limited, crawling, distant, memory, start, queue, s3)}
