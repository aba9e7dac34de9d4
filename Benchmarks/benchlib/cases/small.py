"""Many small files."""

from ..files import expect
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import KIB
from ..table import Goal, Row

SIZE = 10 * KIB


def small(bench) -> Result:
    """Many files of 10 KiB, 16 at a time over connections that are kept."""
    count = bench.scale.small
    names = [f"{number:05}.bin" for number in range(count)]
    sources = {name: bench.serve(f"small/{name}", SIZE) for name in names}
    urls = [bench.server.url(f"small/{name}") for name in names]
    links = bench.links(urls)
    pairs = bench.links(f'url = "{url}"\noutput = "out/{name}"' for url, name in zip(urls, names))
    get = [bench.dray, "get", "-q", "-j", "16", "--max-per-host", "16", "-i", links, "-d", "out"]
    contenders = [
        Contender("dray", get),
        Contender("curl", ["curl", "-q", "-sS", "-Z", "--parallel-max", "16", "-K", pairs]),
        Contender("wget2", ["wget2", "--no-config", "-q", "--max-threads=16", "-i", links, "-P", "out"]),
        Contender("wget", ["wget", "--no-config", "-q", "-i", links, "-P", "out"]),
        Contender("aria2", ["aria2c", "--no-conf", "-q", "-j16", "-i", links, "-d", "out"]),
        Contender("bare C", [bench.programs["multi"], links, "out", "16"]),
    ]
    if bench.knows("--no-sync"):
        contenders.insert(1, Contender("dray --no-sync", [*get, "--no-sync"]))
    # The uncounted round prepares nginx, directories and kernel memory, so that all later rounds are alike.
    runs = interleaved(
        bench, contenders, bench.scale.rounds, uncounted=1, warm=4 * count * SIZE, keep=True,
        check=lambda directory: expect(directory / "out", sources))

    def row(program, figure, measure, unit="s", goals=(), of=lambda value: value):
        values = {
            name: of(value) if (value := runs[name].median(measure)) else None
            for name in (program, "curl", "wget2", "wget", "aria2", "bare C")}
        return Row(work, program, figure, values.pop(program), unit, values, list(goals))

    work = f"{count:,} × 10 KiB"
    table = [
        row("dray", "wall", "wall", goals=[Goal(1.2, "curl"), Goal(0.45, "aria2")]),
        row("dray", "files a second", "wall", "/s", of=lambda wall: count / wall),
        row("dray", "CPU", "cpu")]
    if "dray --no-sync" in runs:
        table += [row("dray --no-sync", "wall", "wall", goals=[Goal(0.9, "curl")]),
                  row("dray --no-sync", "CPU", "cpu")]
    table.append(row("dray", "memory", "memory", "MB", [Goal(45e6)]))
    return Result(table, {work: runs})
