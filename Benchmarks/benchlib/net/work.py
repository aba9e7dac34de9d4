"""The files to fetch, and the commands that fetch them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from .. import peers
from ..bench import Bench
from ..rounds import Contender
from ..scale import KIB, MIB


@dataclass(frozen=True)
class Work:
    """`files` is path below the server's root → size. `contenders` makes the commands; their names are the columns of
    the table, and those that begin with "dray" are not peers."""

    title: str
    files: dict
    contenders: Callable[[Bench, "Work"], list]

    @property
    def size(self) -> int:
        return sum(self.files.values())

    def sources(self, site: Path) -> dict:
        """The name that each file must have in the end → the server's file."""
        return {Path(path).name: site / path for path in self.files}

    def urls(self, url) -> list:
        return [url(path) for path in self.files]


def get(bench, *arguments) -> list:
    return [bench.dray, "get", "-q", *arguments, "-d", "out"]


def aria2(*arguments) -> list:
    return ["aria2c", "--no-conf", "-q", *arguments, "-d", "out"]


def curl_parallel(bench, urls, *options) -> list:
    """curl wants a name for each file."""
    pairs = bench.links(f'url = "{url}"\noutput = "out/{url.rpartition("/")[2]}"' for url in urls)
    return ["curl", "-q", "-sS", "-Z", *options, "-K", pairs]


def one_file(bench, work) -> list:
    url, = work.urls(bench.server.url)
    return [
        Contender("dray", get(bench, url)),
        Contender("dray -x1", get(bench, "-x", "1", url)),
        Contender("curl", peers.curl(url)),
        Contender("aria2", peers.aria2(url)),
        Contender("aria2 -x16", peers.aria2(url, "-x16", "-s16", "-k1M")),
    ]


def one_file_h2(bench, work) -> list:
    ca = bench.server.ca
    url, = work.urls(bench.server.tls_url)
    return [
        Contender("dray", get(bench, "--cacert", ca, url)),
        Contender("dray -x1", get(bench, "-x", "1", "--cacert", ca, url)),
        Contender("dray --http1.1", get(bench, "--http1.1", "--cacert", ca, url)),
        Contender("curl", peers.curl(url, "--cacert", ca)),
    ]


def some_files(bench, work) -> list:
    urls = work.urls(bench.server.url)
    links = bench.links(urls)
    return [
        Contender("dray", get(bench, "-i", links)),
        Contender("dray -x1", get(bench, "-x", "1", "-i", links)),
        Contender("curl -Z", curl_parallel(bench, urls)),
        Contender("aria2", aria2("-i", links)),
        Contender("aria2 -j16", aria2("-j16", "-i", links)),
    ]


def some_files_h2(bench, work) -> list:
    urls, ca = work.urls(bench.server.tls_url), bench.server.ca
    links = bench.links(urls)
    wget2 = ["wget2", "--no-config", "-q", f"--ca-certificate={ca}", "-i", links, "-P", "out"]
    return [
        Contender("dray", get(bench, "--cacert", ca, "-i", links)),
        Contender("dray -x1", get(bench, "-x", "1", "--cacert", ca, "-i", links)),
        Contender("curl -Z", curl_parallel(bench, urls, "--cacert", ca)),
        Contender("wget2", wget2),
    ]


def small_files(bench, work) -> list:
    urls = work.urls(bench.server.url)
    links = bench.links(urls)
    return [
        Contender("dray", get(bench, "-i", links)),
        Contender("curl -Z", curl_parallel(bench, urls)),
        Contender("aria2 -j16", aria2("-j16", "-i", links)),
    ]


def small_files_h2(bench, work) -> list:
    urls, ca = work.urls(bench.server.tls_url), bench.server.ca
    links = bench.links(urls)
    wget2 = ["wget2", "--no-config", "-q", "--max-threads=16", f"--ca-certificate={ca}", "-i", links, "-P", "out"]
    return [
        Contender("dray", get(bench, "--cacert", ca, "-i", links)),
        Contender("curl -Z", curl_parallel(bench, urls, "--cacert", ca)),
        Contender("wget2", wget2),
    ]


def limited(bench, work) -> list:
    links = bench.links(work.urls(lambda path: bench.server.url(f"limited/{path}")))
    return [
        Contender("dray", get(bench, "-i", links)),
        Contender("aria2 -x16", aria2("-x16", "-s16", "-k1M", "-j3", "-i", links)),
    ]


def many(directory: str, count: int, size: int) -> dict:
    return {f"{directory}/{number:04}.bin": size for number in range(count)}


SMALL = many("small", 1000, 10 * KIB)

OVER_A_LINE = {
    # `peers` use this name for the fetched file.
    "big": Work("64 MiB", {"file": 64 * MIB}, one_file),
    "big-h2": Work("64 MiB, HTTP/2", {"file": 64 * MIB}, one_file_h2),
    "medium": Work("20 × 4 MiB", many("medium", 20, 4 * MIB), some_files),
    "small": Work("1,000 × 10 KiB", SMALL, small_files),
    "small-h2": Work("1,000 × 10 KiB, HTTP/2", SMALL, small_files_h2),
}

BY_LOT = {
    **OVER_A_LINE,
    "medium-h2": Work("20 × 4 MiB, HTTP/2", many("medium", 20, 4 * MIB), some_files_h2),
}

ON_LOOPBACK = {
    "limited": Work(
        "8.6 + 17 + 26 MiB, 700 KiB/s a connection",
        {"limited-1.bin": int(8.6 * MIB), "limited-2.bin": 17 * MIB, "limited-3.bin": 26 * MIB}, limited),
}

SMOKE = {
    "smoke-clean": {"big": Work("4 MiB", {"file": 4 * MIB}, one_file)},
    "smoke-lossy": {"small-h2": Work("60 × 10 KiB, HTTP/2", many("small", 60, 10 * KIB), small_files_h2)},
}
