"""The properties of the line between the programs and the server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """`delay` one way in ms, `rate` in Mbit/s, `loss` of packets to the client in percent, `queue` in KiB. `control` is
    the server's congestion control, the machine's own where it is empty. `burst` is the mean number of packets that are
    lost in a row, `change` the factor on the rate from the middle of a run on.

    The server gives a client `connections` at once (http only: over HTTP/2 nginx counts streams) and each of them
    `each` MB/s; 0 is no limit. `flows` is the number of other downloads that share the line."""

    delay: float
    rate: float
    loss: float
    queue: float
    control: str
    burst: float = 1
    change: float = 1
    connections: int = 0
    each: float = 0
    flows: int = 0

    def middle(self, size: int) -> float:
        """The seconds after which half of `size` bytes may be there, in the best case."""
        rate = self.rate * 1e6 / 8 / (1 + self.flows)
        return size / 2 / rate + 4 * self.delay / 1000

    def __str__(self):
        told = [
            f"{self.delay:g} ms one way, {self.rate:g} Mbit/s, {self.loss:g} % lost, a queue of {self.queue:g} KiB, "
            f"{self.control or 'the congestion control of this machine'}"]
        told += [f"{self.burst:g} lost in a row"] if self.burst > 1 and self.loss else []
        told += [f"the rate × {self.change:g} in the middle"] if self.change != 1 else []
        told += [f"{self.connections} connections a client"] if self.connections else []
        told += [f"{self.each:g} MB/s a connection"] if self.each else []
        told += [f"{self.flows} other downloads"] if self.flows else []
        return ", ".join(told)


# Most servers use cubic, the largest ones bbr.
CONDITIONS = {
    "clean-cubic": Condition(20, 400, 0, 2048, "cubic"),
    "clean-bbr": Condition(20, 400, 0, 2048, "bbr"),
    "lossy-cubic": Condition(20, 200, 0.05, 4096, "cubic"),
    "long-cubic": Condition(75, 100, 0.01, 2048, "cubic"),
    "bloat-cubic": Condition(15, 50, 0, 6144, "cubic"),
    "shallow-cubic": Condition(10, 200, 0, 128, "cubic"),
    "lossy-bbr": Condition(40, 200, 1, 4096, "bbr"),
}

# No line: the programs run next to the server.
LOOPBACK = "loopback"

# For the gate, which must never change a setting of the machine.
SMOKE = {
    "smoke-clean": Condition(5, 100, 0, 512, ""),
    "smoke-lossy": Condition(10, 50, 0.5, 256, ""),
}
