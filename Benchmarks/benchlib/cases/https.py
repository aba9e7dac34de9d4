"""One large file over https."""

from .. import peers
from ..files import expect
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import spoken
from ..table import BEST, Goal, Row


def https(bench) -> Result:
    """One large file over https, by one connection and by four."""
    size = bench.scale.large
    source = bench.serve("large.bin", size)
    url, ca = bench.server.tls_url("large.bin"), bench.server.ca
    contenders = [
        Contender("dray", peers.dray(bench.dray, url, "--cacert", ca)),
        Contender("curl", peers.curl(url, "--cacert", ca)),
        Contender("wget2", peers.wget2(url, f"--ca-certificate={ca}")),
        Contender("wget", peers.wget(url, f"--ca-certificate={ca}")),
        Contender("aria2", peers.aria2(url, f"--ca-certificate={ca}")),
        Contender("bare C", [bench.programs["libcurl"], url, peers.OUT, ca]),
        Contender("aria2 -x4", peers.aria2(url, f"--ca-certificate={ca}", "-x4", "-s4")),
        # Debian 12's axel takes no certificate for localhost; it still does all the work of the cipher.
        Contender("axel -n4", peers.axel(url, "-k", "-n4")),
    ]
    if bench.knows("-x"):
        contenders.append(Contender("dray -x 4", peers.dray(bench.dray, url, "--cacert", ca, "-x", "4")))
    runs = interleaved(
        bench, contenders, bench.scale.long_rounds, warm=size,
        check=lambda directory: expect(directory / "out", {"file": source}))

    def row(work, program, measure, figure, beside):
        values = {column: runs[name].median(measure) for column, name in beside.items()}
        value = runs[program].median(measure) if program in runs else None
        return Row(work, program, figure, value, peers=values, goals=[Goal(0.95, BEST)])

    work = f"{spoken(size)}, https"
    one = {name: name for name in ("curl", "wget2", "wget", "aria2", "bare C")}
    four = {"aria2": "aria2 -x4", "axel": "axel -n4"}
    measures = (("cpu", "CPU"), ("wall", "wall"))
    return Result(
        [row(work, "dray", *measure, one) for measure in measures]
        + [row(f"{work}, 4 connections", "dray -x 4", *measure, four) for measure in measures], {work: runs})
