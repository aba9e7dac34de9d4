// A fluid model of TCP over one bottleneck: slow start, losses, the queue, limits of the server, a rate that changes,
// and other downloads. For the tests of how many connections a file gets; nothing in it waits.

import Glibc
import TestSupport

/// The properties of a line and of its server.
struct LineModel: CustomStringConvertible {
  var number: Int
  /// The round trip in seconds.
  var roundTrip: Double
  /// Bytes per second.
  var rate: Double
  /// The queue in bytes.
  var queue: Double
  /// The share of packets that are lost, and how many are lost in a row.
  var loss: Double
  var burst: Double
  /// Whether the server uses BBR instead of CUBIC.
  var isBBR: Bool
  /// The number of simultaneous connections above which the server refuses.
  var connections: Int
  /// Bytes per second of each connection.
  var each: Double
  /// The factor on the rate from the time on at which this share of the file could be there.
  var change: Double
  var changeShare: Double
  /// The number of other downloads.
  var others: Int

  /// Draws a line.
  init(drawn number: Int) {
    var random = SplitMix(seed: UInt64(number))
    self.number = number
    roundTrip = random.logUniform(0.001, 0.3)
    rate = random.logUniform(5, 1000) * 125_000
    queue = max(15_000, rate * roundTrip * random.logUniform(0.1, 4))
    let kind = random.unit()
    let (loss, burst) = (random.logUniform(1e-5, 1e-2), 2 + 6 * random.unit())
    self.loss = kind < 0.4 ? 0 : loss
    self.burst = kind > 0.8 ? burst : 1
    isBBR = random.unit() < 0.5
    connections = [1_000_000, 1_000_000, 4, 16][Int(random.unit() * 4)]
    let isSlow = random.unit() < 0.3
    let each = random.logUniform(0.3e6, 5e6)
    self.each = isSlow ? each : 1e12
    change = [1, 1, 1, 0.5, 2][Int(random.unit() * 5)]
    changeShare = 0.3 + 0.4 * random.unit()
    others = [0, 0, 0, 1, 2][Int(random.unit() * 5)]
  }

  var description: String {
    "line \(number): \(Int(roundTrip * 1000)) ms, \(Int(rate / 125_000)) Mbit/s, a queue of \(Int(queue / 1024)) KiB, "
      + "\(loss * 100) % lost, \(isBBR ? "bbr" : "cubic"), at most \(connections) connections of \(each / 1e6) MB/s, "
      + "the rate × \(change), \(others) others"
  }
}

extension SplitMix {
  /// The next number from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func logUniform(_ low: Double, _ high: Double) -> Double { low * pow(high / low, unit()) }
}

/// The sender of one connection.
final class LineFlow {
  static let packet = 1460.0

  let isBBR: Bool
  /// The time from which bytes may arrive.
  var start: Double
  /// In packets.
  var window = 10.0
  private var threshold = 1e9
  private var blockedUntil = -1.0
  private var safeUntil = -1.0
  /// Holes in the stream: when each is filled, and the bytes that arrived behind it.
  private var holes: [(until: Double, bytes: Double)] = []
  /// Packets that arrived out of order.
  private(set) var outOfOrder = 0.0

  // CUBIC (RFC 9438).
  private var epoch: Double?
  private var highest = 0.0
  private var plateau = 0.0
  private var reno = 0.0

  // BBR: the rate is the highest of the last ten round trips.
  private var bandwidth = 0.0
  private var full = 0.0
  private var fullRounds = 0
  private var isStarting = true
  private var roundEnd: Double
  private var roundBytes = 0.0
  private var rounds: [Double] = []
  private var cycle: Int
  private static let gains = [1.25, 0.75, 1, 1, 1, 1, 1, 1]

  init(isBBR: Bool, start: Double, number: Int) {
    (self.isBBR, self.start, roundEnd, cycle) = (isBBR, start, start, number % 8)
  }

  /// A flow that has been under way for long, at this rate.
  init(isBBR: Bool, steadyAt rate: Double, roundTrip: Double, number: Int) {
    (self.isBBR, start, roundEnd, cycle) = (isBBR, -3, -3, number % 8)
    window = max(10, rate * roundTrip / LineFlow.packet)
    (threshold, isStarting, bandwidth, rounds) = (window, false, rate, [rate])
  }

  /// Begins another request on the same connection.
  func reuse(at time: Double) {
    (start, roundEnd, roundBytes, holes, outOfOrder) = (time, time, 0, [], 0)
  }

  /// Bytes per second that it sends.
  func wants(_ now: Double, roundTrip: Double, each: Double) -> Double {
    guard now >= start, now >= blockedUntil else { return 0 }
    var rate = window * LineFlow.packet / roundTrip
    if isBBR, !isStarting { rate = max(bandwidth * LineFlow.gains[cycle], 4 * LineFlow.packet / roundTrip) }
    // The receive window of Linux by default.
    return min(rate, each, 6e6 / roundTrip)
  }

  /// Bytes were acknowledged.
  func acknowledge(_ bytes: Double, _ now: Double, roundTrip: Double, base: Double, isLimited: Bool) {
    let packets = bytes / LineFlow.packet
    if isBBR { return paceNext(bytes, packets, now, roundTrip: roundTrip, isLimited: isLimited) }
    if window < threshold {
      if !isLimited { window += packets }
      // A growing round trip ends slow start (RFC 9406).
      if window > 16, roundTrip > base + min(0.016, max(0.004, base / 8)) { threshold = window }
      return
    }
    if isLimited { return }
    let began = epoch ?? now
    if epoch == nil {
      epoch = now
      highest = max(highest, window)
      plateau = highest > window ? pow((highest - window) / 0.4, 1.0 / 3) : 0
      reno = window
    }
    reno += 0.53 * packets / window
    let time = now - began + roundTrip - plateau
    let target = min(highest + 0.4 * time * time * time, 1.5 * window)
    if target > window { window += (target - window) / window * packets }
    window = max(window, reno)
  }

  private func paceNext(_ bytes: Double, _ packets: Double, _ now: Double, roundTrip: Double, isLimited: Bool) {
    roundBytes += bytes
    if isStarting, !isLimited { window += packets }
    guard now >= roundEnd + roundTrip else { return }
    let rate = roundBytes / (now - roundEnd)
    rounds.append(rate)
    if rounds.count > 10 { rounds.removeFirst() }
    bandwidth = rounds.max() ?? 0
    (roundEnd, roundBytes, cycle) = (now, 0, (cycle + 1) % 8)
    guard isStarting else { return }
    if rate >= 1.25 * full {
      (full, fullRounds) = (rate, 0)
    } else {
      fullRounds += 1
      if fullRounds >= 3 { isStarting = false }
    }
  }

  /// A packet was lost.
  func lose(_ now: Double, roundTrip: Double) {
    holes.append((now + roundTrip, 0))
    guard now >= safeUntil else { return }
    safeUntil = now + roundTrip
    if isBBR { return }
    highest = window < highest ? window * 0.85 : window
    if window < 4 {
      blockedUntil = now + max(0.2, 2 * roundTrip)
      (threshold, window) = (max(2, window / 2), 2)
    } else {
      window = max(2, window * 0.7)
      threshold = window
    }
    epoch = nil
  }

  /// Bytes arrived.
  /// - Returns: The bytes that the program receives: those behind a hole wait until it is filled.
  func arrive(_ bytes: Double, _ now: Double) -> Double {
    var result = 0.0
    while let hole = holes.first, now >= hole.until {
      result += hole.bytes
      holes.removeFirst()
    }
    guard !holes.isEmpty else { return result + bytes }
    holes[holes.count - 1].bytes += bytes
    outOfOrder += bytes / LineFlow.packet
    return result
  }
}

/// All senders over a line, step by step.
final class LineTraffic {
  let line: LineModel
  /// The length of a step in seconds.
  let interval: Double
  /// The round trip without a queue. It is no shorter than a step.
  let base: Double
  private(set) var now = 0.0
  private var waiting = 0.0
  private let changeAt: Double
  private let others: [LineFlow]
  private var random: SplitMix

  init(_ line: LineModel, size: Double) {
    self.line = line
    random = SplitMix(seed: UInt64(line.number * 7919 + 1))
    let fair = line.rate / Double(line.others + 1)
    others = (0..<line.others).map {
      LineFlow(isBBR: line.isBBR, steadyAt: fair, roundTrip: line.roundTrip, number: 100 + $0)
    }
    changeAt = line.changeShare * size / fair + 4 * line.roundTrip
    interval = min(0.02, max(0.002, line.roundTrip / 4, size / line.rate / 4000))
    base = max(line.roundTrip, interval)
  }

  private var rate: Double { now >= changeAt ? line.rate * line.change : line.rate }
  var roundTrip: Double { base + waiting / rate }

  /// Returns the bytes that each of these flows delivers in the next step.
  func step(_ flows: [LineFlow]) -> [Double] {
    now += interval
    let (rate, roundTrip, all) = (self.rate, self.roundTrip, flows + others)
    var sent: [Double] = []
    for (index, flow) in all.enumerated() {
      sent.append(flow.wants(now, roundTrip: roundTrip, each: index < flows.count ? line.each : 1e12))
    }
    let total = sent.reduce(0, +) * interval
    let passed = min(waiting + total, rate * interval)
    let queued = waiting + total - passed
    let dropped = max(0, queued - line.queue)
    waiting = queued - dropped
    var result: [Double] = []
    for (index, flow) in all.enumerated() {
      let (own, chance) = (sent[index] * interval, random.unit())
      var bytes = 0.0
      if own > 0 {
        let share = own / total
        bytes = share * passed
        let isLimited = sent[index] < flow.window * LineFlow.packet / roundTrip * 0.99
        flow.acknowledge(bytes, now, roundTrip: roundTrip, base: base, isLimited: isLimited)
        let lost = dropped * share / LineFlow.packet + own / LineFlow.packet * line.loss / line.burst
        if lost > 0, chance < 1 - exp(-lost) { flow.lose(now, roundTrip: roundTrip) }
      }
      let arrived = flow.arrive(bytes, now)
      if index < flows.count { result.append(arrived) }
    }
    return result
  }
}
