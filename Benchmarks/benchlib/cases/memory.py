"""Peak memory. That with many URLs is a row of `small`."""

from .. import peers
from ..files import expect
from ..network import Network
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import MIB, spoken
from ..table import Goal, Row

# Slow enough for eight connections to help, and fast enough to end soon.
RATE = 32 * MIB


def memory(bench) -> Result:
    """The peak memory of one large file by eight connections of 32 MiB/s each (curl and wget2: by one, unlimited)."""
    size = bench.scale.large
    source = bench.serve("large.bin", size)
    network = Network(bench, rate=RATE)
    url, direct = network.url("large.bin"), bench.server.url("large.bin")
    contenders = [
        Contender("curl", peers.curl(direct)),
        Contender("wget2", peers.wget2(direct)),
        Contender("aria2", peers.aria2(url, "-x8", "-s8")),
        Contender("axel", peers.axel(url, "-n8")),
    ]
    if bench.knows("-x"):
        contenders.append(Contender("dray -x 8", peers.dray(bench.dray, url, "-x", "8")))
    runs = interleaved(
        bench, contenders, bench.scale.long_rounds, warm=size, around=network.fresh,
        check=lambda directory: expect(directory / "out", {"file": source}))
    work = f"{spoken(size)}, 8 connections"
    value = runs["dray -x 8"].median("memory") if "dray -x 8" in runs else None
    values = {name: runs[name].median("memory") for name in ("curl", "wget2", "aria2", "axel")}
    return Result([Row(work, "dray -x 8", "memory", value, "MB", values, [Goal(30e6)])], {work: runs})
