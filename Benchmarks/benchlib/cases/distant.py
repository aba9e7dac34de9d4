"""A server far away, behind a link that all connections share."""

from .. import peers
from ..files import expect
from ..network import Network
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import MIB, spoken
from ..table import Goal, Row

TOTAL, DELAY = 20 * MIB, 50


def distant(bench) -> Result:
    """100 ms there and back, and 20 MiB/s for all connections together."""
    size = bench.scale.distant
    source = bench.serve("distant.bin", size)
    network = Network(bench, total=TOTAL, delay=DELAY)
    url = network.url("distant.bin")
    contenders = [
        Contender("dray", peers.dray(bench.dray, url)),
        Contender("curl", peers.curl(url)),
        Contender("aria2", peers.aria2(url, "-x16", "-s16", "-k1M")),
        Contender("axel", peers.axel(url, "-n16")),
    ]
    runs = interleaved(
        bench, contenders, bench.scale.long_rounds, warm=size, around=network.fresh,
        check=lambda directory: expect(directory / "out", {"file": source}))
    work = f"{spoken(size)}, 100 ms, 20 MiB/s shared"
    values = {"ideal": size / TOTAL} | {name: runs[name].median("wall") for name in ("curl", "aria2", "axel")}
    row = Row(work, "dray", "wall", runs["dray"].median("wall"), peers=values,
              goals=[Goal(1.05, "ideal"), Goal(1, "aria2")])
    return Result([row], {work: runs})
