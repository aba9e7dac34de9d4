"""The properties of the line between the programs and the server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """`delay` one way in ms, `rate` in Mbit/s, `loss` of packets to the client in percent, `queue` in KiB. `control` is
    the server's congestion control; if empty, the machine's."""

    delay: float
    rate: float
    loss: float
    queue: float
    control: str

    def __str__(self):
        return (
            f"{self.delay:g} ms one way, {self.rate:g} Mbit/s, {self.loss:g} % lost, a queue of {self.queue:g} KiB, "
            f"{self.control or 'the congestion control of this machine'}")


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
