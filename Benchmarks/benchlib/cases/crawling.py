"""One connection of several that crawls."""

from .. import peers
from ..files import expect
from ..network import Network
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import MIB, spoken
from ..table import Goal, Row

RATE, CRAWL = 2 * MIB, 100_000
# The number of the connection, in the order of opening.
CRAWLER = 3


def crawling(bench) -> Result:
    """Eight connections of 2 MiB/s each, but the third gets 100 KB/s."""
    size = bench.scale.crawling
    source = bench.serve("crawling.bin", size)
    network = Network(bench, rate=RATE, crawl=f"{CRAWLER}:{CRAWL}")
    url = network.url("crawling.bin")
    contenders = [
        Contender("aria2", peers.aria2(url, "-x8", "-s8")),
        Contender("aria2 -k1M", peers.aria2(url, "-x8", "-s8", "-k1M")),
        Contender("axel", peers.axel(url, "-n8"))]
    if bench.knows("-x"):
        contenders.append(Contender("dray -x 8", peers.dray(bench.dray, url, "-x", "8")))
    runs = interleaved(
        bench, contenders, bench.scale.long_rounds, warm=size, around=network.fresh,
        check=lambda directory: expect(directory / "out", {"file": source}))
    work = f"{spoken(size)}, one of 8 connections at 100 KB/s"
    value = runs["dray -x 8"].median("wall") if "dray -x 8" in runs else None
    beside = {"ideal": size / 7 / RATE} | {name: runs[name].median("wall") for name in ("aria2", "axel")}
    # By default aria2 splits nothing below 40 MiB; with the option it does much better.
    told = {"aria2": runs["aria2 -k1M"].median("wall")}
    return Result([
        Row(work, "dray -x 8", "wall", value, peers=beside, goals=[Goal(1.15, "ideal"), Goal(0.7, "aria2")]),
        Row(f"{work}, aria2 -k1M", "dray -x 8", "wall", value, peers=told)], {work: runs})
