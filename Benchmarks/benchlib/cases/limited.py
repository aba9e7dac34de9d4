"""A server that limits each connection."""

from .. import peers
from ..files import expect
from ..network import Network
from ..report import Result
from ..rounds import Contender, interleaved, nothing_around
from ..scale import MIB, spoken
from ..table import Goal, Row

RATE = 2 * MIB
CONNECTIONS = (4, 8, 16)


def limited(bench) -> Result:
    """A server that limits each connection to 2 MiB/s: smoothly, and as nginx does, by the second."""
    size = bench.scale.limited
    bench.serve("limited.bin", size)
    result = Result([])
    for limit in bench.scale.limits:
        one_way(bench, size, limit, result)
    return result


def one_way(bench, size, limit, result):
    """Adds the results for one kind of limit."""
    if limit == "smooth":
        network = Network(bench, rate=RATE)
        url, around, name = network.url("limited.bin"), network.fresh, "smooth limit"
    else:
        url, around, name = bench.server.url("limited/limited.bin"), nothing_around, "nginx's limit_rate"
    contenders = [
        Contender(f"dray -x {count}", peers.dray(bench.dray, url, "-x", count))
        for count in CONNECTIONS if bench.knows("-x")]
    contenders += [
        Contender("aria2", peers.aria2(url, "-x16", "-s16", "-k1M")), Contender("axel", peers.axel(url, "-n16"))]
    source = bench.server.site / "limited.bin"
    runs = interleaved(
        bench, contenders, bench.scale.long_rounds, warm=size, around=around,
        check=lambda directory: expect(directory / "out", {"file": source}))
    work = f"{spoken(size)}, 2 MiB/s a connection, {name}"
    result.details[work] = runs
    for count in CONNECTIONS:
        program = f"dray -x {count}"
        values, goals = {"ideal": size / count / RATE}, [Goal(1.08, "ideal")]
        if count == 16:
            values |= {name: runs[name].median("wall") for name in ("aria2", "axel")}
            goals.append(Goal(1, "aria2"))
        value = runs[program].median("wall") if program in runs else None
        result.rows.append(Row(work, program, "wall", value, peers=values, goals=goals))
