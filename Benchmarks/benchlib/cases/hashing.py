"""The cost of checking a digest that the server offers."""

from .. import peers
from ..files import expect
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import spoken
from ..table import Goal, Row


def hashing(bench) -> Result:
    """One large file with a digest, which is checked or not: as fast as it comes, and at 100 MiB/s."""
    size = bench.scale.large
    source = bench.serve("large.bin", size)
    bench.server.offer(source)
    result = Result([])
    for place, title in (("offered", "any speed"), ("offered-limited", "100 MiB/s")):
        url = bench.server.url(f"{place}/large.bin")
        contenders = [
            Contender("dray", peers.dray(bench.dray, url, "-x", 1)),
            Contender("dray --verify none", peers.dray(bench.dray, url, "-x", 1, "--verify", "none")),
        ]
        runs = interleaved(
            bench, contenders, bench.scale.rounds, warm=size,
            check=lambda directory: expect(directory / "out", {"file": source}))
        work = f"{spoken(size)} with its SHA-256, {title}"
        result.details[work] = runs
        for measure, figure in (("wall", "wall"), ("cpu", "CPU")):
            result.rows.append(Row(
                work, "dray", figure, runs["dray"].median(measure),
                peers={"unchecked": runs["dray --verify none"].median(measure)},
                goals=[Goal(1.03, "unchecked")] if measure == "wall" else []))
    return result
