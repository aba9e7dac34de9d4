"""One large file over plain http."""

from .. import peers
from ..files import expect
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import spoken
from ..table import Goal, Row


def large(bench) -> Result:
    """One large file over http to disk; beside peers that leave it in memory, and beside peers that sync it."""
    size = bench.scale.large
    source = bench.serve("large.bin", size)
    url = bench.server.url("large.bin")
    four = ("-x4", "-s4")
    programs = bench.programs
    contenders = [
        Contender("dray", peers.dray(bench.dray, url)),
        Contender("curl", peers.curl(url)),
        Contender("wget2", peers.wget2(url)),
        Contender("wget", peers.wget(url)),
        Contender("aria2", peers.aria2(url, *four)),
        Contender("axel", peers.axel(url, "-n4")),
        Contender("bare C", [programs["recv"], "127.0.0.1", bench.server.port, "/large.bin", peers.OUT]),
        Contender("curl, synced", peers.synced(peers.curl(url))),
        Contender("wget2, synced", peers.synced(peers.wget2(url))),
        Contender("aria2, synced", peers.synced(peers.aria2(url, *four))),
        Contender("bare C, synced", [programs["libcurl"], url, peers.OUT]),
    ]
    if bench.knows("--no-sync"):
        contenders.insert(1, Contender("dray --no-sync", peers.dray(bench.dray, url, "--no-sync")))
    runs = interleaved(
        bench, contenders, bench.scale.rounds, warm=size,
        check=lambda directory: expect(directory / "out", {"file": source}))

    def rows(program, work, suffix, names, goals):
        for measure, figure in (("cpu", "CPU"), ("wall", "wall")):
            beside = {name: runs[name + suffix].median(measure) for name in names}
            yield Row(work, program, figure, runs[program].median(measure), peers=beside, goals=goals)

    work = f"{spoken(size)}, http"
    every = ("curl", "wget2", "wget", "aria2", "axel", "bare C")
    table = [
        *rows("dray", work, "", every, [Goal(0.6, "curl"), Goal(0.95, "wget2"), Goal(1.2, "bare C")]),
        *rows("dray", f"{work}, peers synced, too", ", synced", ("curl", "wget2", "aria2", "bare C"),
              [Goal(0.5, "curl"), Goal(0.8, "wget2")])]
    if "dray --no-sync" in runs:
        table[2:2] = rows("dray --no-sync", work, "", every, [])
    return Result(table, {work: runs})
