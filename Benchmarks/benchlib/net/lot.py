"""Lines drawn by lot: the properties that lines of the Internet have, in any mixture."""

import itertools
import math
import random

from .condition import Condition

MTU_KIB = 1500 / 1024
# The shortest queue: ten packets, the burst that a server begins with.
LEAST_QUEUE = 10 * MTU_KIB
# The rates of the lines, in Mbit/s.
SLOWEST, FASTEST = 5, 1000


def log_uniform(chance: random.Random, low: float, high: float) -> float:
    return math.exp(chance.uniform(math.log(low), math.log(high)))


def line(chance: random.Random) -> Condition:
    """Draws a line. Each property is drawn whether or not it is used, so that a change of one leaves the others."""
    round_trip, rate = log_uniform(chance, 1, 300), log_uniform(chance, SLOWEST, FASTEST)
    product = rate * 1e6 / 8 * round_trip / 1000 / 1024
    queue = max(LEAST_QUEUE, product * log_uniform(chance, 0.1, 4))
    kind, loss, burst = chance.random(), log_uniform(chance, 0.001, 1), chance.uniform(2, 8)
    control = chance.choice(["cubic", "bbr"])
    connections = chance.choice([0, 0, 4, 16])
    is_slow, each = chance.random() < 0.3, log_uniform(chance, 0.3, 5)
    change, flows = chance.choice([1, 1, 1, 0.5, 2]), chance.choice([0, 0, 0, 1, 2])
    return Condition(
        delay=rounded(round_trip / 2), rate=rounded(rate), queue=rounded(queue), control=control,
        loss=0 if kind < 0.4 else rounded(loss), burst=rounded(burst) if kind > 0.8 else 1, change=change,
        connections=connections, each=rounded(each) if is_slow else 0, flows=flows)


def rounded(value: float) -> float:
    """Three digits: enough to repeat a line by hand."""
    return float(f"{value:.3g}")


def lines(count: int, seed: int, least: float = 0) -> dict:
    """Name → condition, of lines with at least `least` Mbit/s. The first lines of a seed are the same, however many are
    drawn."""
    numbered = ((number, line(random.Random(f"{seed}-{number}"))) for number in itertools.count(1))
    fast_enough = ((number, drawn) for number, drawn in numbered if drawn.rate >= least)
    return {f"lot-{seed}-{number:03}": drawn for number, drawn in itertools.islice(fast_enough, count)}
