"""Sizes and numbers of rounds: in full, or for a few minutes."""

from dataclasses import dataclass, replace

KIB, MIB = 1 << 10, 1 << 20


@dataclass(frozen=True)
class Scale:
    """Sizes in bytes. `rounds` for runs of a few seconds, `long_rounds` for longer ones."""

    large: int
    small: int  # files of 10 KiB
    limited: int
    crawling: int
    distant: int
    jobs: int  # in the queue
    active: int  # of them at once
    limits: tuple  # what limits each connection
    object: int  # a file that goes into a bucket
    objects: int  # files of 10 KiB that do
    rounds: int
    long_rounds: int

    def with_rounds(self, rounds: int) -> "Scale":
        """The same sizes, with this number of rounds for all cases."""
        return replace(self, rounds=rounds, long_rounds=rounds)


FULL = Scale(
    large=2048 * MIB, small=10_000, limited=200 * MIB, crawling=200 * MIB, distant=200 * MIB, jobs=100_000, active=100,
    limits=("smooth", "nginx"), object=1024 * MIB, objects=1_000, rounds=5, long_rounds=3)
QUICK = Scale(
    large=256 * MIB, small=2_000, limited=32 * MIB, crawling=42 * MIB, distant=40 * MIB, jobs=10_000, active=20,
    limits=("smooth",), object=128 * MIB, objects=200, rounds=2, long_rounds=1)


def spoken(size: int) -> str:
    """A size in words: 2 GiB."""
    return f"{size / 1024 / MIB:g} GiB" if size >= 1024 * MIB else f"{size / MIB:g} MiB"
