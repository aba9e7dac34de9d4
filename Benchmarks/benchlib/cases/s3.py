"""Files from a server straight into a bucket."""

import ctypes
import multiprocessing
import os
import shutil
import sys
from contextlib import ExitStack, contextmanager

from .. import objects
from ..files import fill
from ..measure import Meter
from ..net.condition import Condition
from ..net.line import SERVER, Line
from ..net.namespaces import namespace
from ..net.server import FarServer
from ..report import Result
from ..rounds import Contender, interleaved
from ..scale import KIB, spoken
from ..table import Goal, Row

# There and back 40 ms.
LINE = Condition(20, 200, 0, 2048, "")
# A packet of 1500 bytes carries this many of a file.
CARRIED = 1448 / 1500
CURL, RCLONE = "curl | aws", "rclone"


def s3(bench) -> Result:
    """One large file and many small ones into SeaweedFS: on this machine, and over a line of 40 ms to both servers."""
    result = Result([], {})
    with objects.bucket(bench.work / "seaweedfs") as bucket, using(bench, bucket):
        add(result, large(bench, bucket))
        add(result, small(bench, bucket))
    if os.geteuid() == 0 and os.path.exists("/dev/net/tun"):
        add(result, distant(bench))
    else:
        print("run: s3: the line of 40 ms is left out: only root can make it", file=sys.stderr)
    return result


def add(result: Result, other: Result):
    result.rows += other.rows
    result.details |= other.details


@contextmanager
def using(bench, bucket, within=()):
    """The contenders have the keys of the bucket in their environment."""
    before = bench.meter
    bench.meter = Meter(bench.programs["cost"], within, bucket.variables)
    try:
        yield
    finally:
        bench.meter = before


def contenders(bench, url, size) -> list:
    """dray, and those of its peers that are installed."""
    found = [Contender("dray", objects.dray(bench.dray, url, "large.bin"))]
    if program := objects.aws():
        found.append(Contender(CURL, objects.curl_aws(program, url, "large.bin", size)))
    if shutil.which(RCLONE):
        found.append(Contender(RCLONE, objects.rclone(url, "large.bin")))
    return found


def large(bench, bucket) -> Result:
    size = bench.scale.object
    source = bench.serve("large-object.bin", size)
    url = bench.server.url("large-object.bin")
    runs = interleaved(
        bench, contenders(bench, url, size), bench.scale.long_rounds, uncounted=1, warm=objects.warm(size),
        check=lambda _: bucket.expect({"large.bin": source}))
    work = f"{spoken(size)} into a bucket"
    table = []
    for measure, figure, unit, most in (("wall", "wall", "s", 1.0), ("cpu", "CPU", "s", 0.5), ("memory", "memory", "MB", None)):
        beside = {name: runs[name].median(measure) for name in runs if name != "dray"}
        goals = [Goal(most, name) for name in beside] if most else [Goal(100e6)]
        table.append(Row(work, "dray", figure, runs["dray"].median(measure), unit, beside, goals))
    return Result(table, {work: runs})


def small(bench, bucket) -> Result:
    count = bench.scale.objects
    sources = {f"small/{name}": bench.serve(f"objects/{name}", 10 * KIB) for name in names(count)}
    runs = interleaved(
        bench, many(bench, bench.server, count), bench.scale.long_rounds, uncounted=1, warm=4 * count * 10 * KIB,
        check=lambda _: bucket.expect(sources))
    return compared(f"{count:,} × 10 KiB into a bucket", runs, count)


def names(count: int) -> list:
    return [f"{number:05}.bin" for number in range(count)]


def many(bench, server, count: int) -> list:
    """dray, and rclone if it is installed, with small files of a server."""
    links = bench.links(server.url(f"objects/{name}") for name in names(count))
    get = [bench.dray, "get", "-q", "-j", "16", "--max-per-host", "16", "-i", links, "-d", "s3://bucket/small/"]
    found = [Contender("dray", get)]
    if shutil.which(RCLONE):
        found.append(Contender(RCLONE, objects.rclone_many(server.url("objects/"), bench.links(names(count)), "small")))
    return found


def compared(work: str, runs: dict, count: int) -> Result:
    walls = {name: runs[name].median("wall") for name in runs}
    wall = walls.pop("dray")
    goals = [Goal(0.5, RCLONE)] if RCLONE in walls else []
    cpu = {name: runs[name].median("cpu") for name in walls}
    return Result(
        [Row(work, "dray", "wall", wall, peers=walls, goals=goals),
         Row(work, "dray", "files a second", count / wall if wall else None, "/s",
             {name: count / value if value else None for name, value in walls.items()}),
         Row(work, "dray", "CPU", runs["dray"].median("cpu"), peers=cpu)], {work: runs})


def distant(bench) -> Result:
    """Both servers at the far end of one line: files come down and go up at the same time."""
    size, count = bench.scale.object, bench.scale.objects
    with ExitStack() as stack:
        far, near = stack.enter_context(namespace("server")), stack.enter_context(namespace("client"))
        line = stack.enter_context(Line(bench.programs["line"], LINE, far, near))
        server = stack.enter_context(FarServer(bench.work / "far").at(SERVER, far.within, LINE))
        bucket = stack.enter_context(objects.bucket(bench.work / "far-bucket", SERVER, far.within))
        stack.enter_context(using(bench, bucket, near.within))
        # The check is made from the server's side of the line.
        local = bench.server.site / "large-object.bin"
        source = server.site / "large-object.bin"
        if not source.exists():
            os.link(local, source)
        sources = {f"small/{name}": server.site / "objects" / name for name in names(count)}
        (server.site / "objects").mkdir(exist_ok=True)
        for path in sources.values():
            fill(path, 10 * KIB)
        few = interleaved(
            bench, many(bench, server, count), bench.scale.long_rounds, warm=4 * count * 10 * KIB, around=line.fresh,
            check=lambda _: inside(far.name, bucket, sources))
        runs = interleaved(
            bench, contenders(bench, server.url("large-object.bin"), size), bench.scale.long_rounds,
            warm=objects.warm(size), around=line.fresh, check=lambda _: inside(far.name, bucket, {"large.bin": source}))
    where = f"40 ms and {LINE.rate:g} Mbit/s to both"
    result = compared(f"{count:,} × 10 KiB, {where}", few, count)
    work = f"{spoken(size)}, {where}"
    walls = {name: runs[name].median("wall") for name in runs}
    wall = walls.pop("dray")
    ideal = size * 8 / (LINE.rate * 1e6) / CARRIED
    row = Row(work, "dray", "wall", wall, peers={"ideal": ideal} | walls, goals=[Goal(1.05, "ideal")])
    add(result, Result([row], {work: runs}))
    return result


def inside(name: str, bucket, sources: dict):
    """Checks from within the namespace `name`, in a process of its own: this one stays where it is."""
    def check(problems):
        with open(f"/run/netns/{name}", "rb") as place:
            # setns(2): the network of the namespace.
            if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), 0x40000000):
                problems.put("the namespace cannot be entered")
                return
        try:
            bucket.expect(sources)
            problems.put("")
        except objects.Wrong as wrong:
            problems.put(str(wrong))

    context = multiprocessing.get_context("fork")
    problems = context.Queue()
    process = context.Process(target=check, args=(problems,))
    process.start()
    try:
        told = problems.get(timeout=300)
    finally:
        process.join(10)
        process.kill()
    if told:
        raise objects.Wrong(told)
