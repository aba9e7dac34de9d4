// A small fluid model of a network: the throughput of a server and its links, step by step. For tests of how a file is
// divided among connections; nothing in it waits.

@testable import DrayCore

/// The network between servers and one file's connections.
struct NetModel {
  /// Bytes a second of all connections together.
  var total = 1e9
  /// Bytes a second of a connection, by its number (in the order of opening, from 0) and its source.
  var perConnection: (_ number: Int, _ source: Int) -> Double = { _, _ in .infinity }
  /// Whether a connection delivers a whole second's bytes at once, each second, from the start (nginx).
  var isBursty = false
  /// Seconds from opening to the first byte.
  var latency = 0.0
  /// Whether a connection begins with ten packets a round trip and doubles them each round trip.
  var slowStart = false
  /// The factor on the total at a given time.
  var noise: (_ now: Double) -> Double = { _ in 1 }

  /// A connection as the server sees it.
  struct Connection {
    var number: Int
    var source: Int
    var start: Double
    var sent = 0.0
  }

  /// The bytes that each connection gets in the `dt` seconds before `now`.
  func step(_ connections: inout [PieceID: Connection], now: Double, dt: Double) -> [PieceID: Double] {
    var want: [PieceID: Double] = [:]
    for (id, connection) in connections where now > connection.start + latency {
      let age = now - connection.start - latency
      let rate = perConnection(connection.number, connection.source)
      var most = isBursty ? rate * (age.rounded(.down) + 1) - connection.sent : rate * dt
      // Ten packets in the first round trip, doubled with each.
      if slowStart { most = min(most, 14_600 / latency * pow2(age / latency) * dt) }
      if most > 0 { want[id] = most }
    }
    // Shared evenly; bytes that one connection cannot take go to the others.
    var left = total * dt * noise(now)
    var result: [PieceID: Double] = [:]
    for (index, (id, most)) in want.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).enumerated() {
      let share = min(most, left / Double(want.count - index))
      result[id] = share
      left -= share
      connections[id]?.sent += share
    }
    return result
  }

  private func pow2(_ exponent: Double) -> Double {
    var result = 1.0
    for _ in 0..<min(40, Int(exponent)) { result *= 2 }
    return result
  }
}

/// A file that is fetched over a ``NetModel``, divided by a ``SegmentPlan`` and grown by a ``ConnectionGrowth``.
struct NetRun {
  var net: NetModel
  var plan: SegmentPlan
  var growth: ConnectionGrowth
  var perSource = [64]
  var isSaturated = false
  /// The number of simultaneous connections above which the server refuses.
  var refusesBeyond = Int.max
  /// The number of simultaneous connections that each source accepts; empty for no limit.
  var accepts: [Int] = []
  private var servers = ServerLimits()

  private(set) var now = 0.0
  private(set) var connections: [PieceID: NetModel.Connection] = [:]
  private(set) var fraction: [PieceID: Double] = [:]
  private(set) var position: [PieceID: Int64] = [:]
  private(set) var received: Int64 = 0
  private(set) var opened = 0
  private(set) var refused = 0
  /// The limit after each check.
  private(set) var limits: [(time: Double, limit: Int)] = []
  /// All received bytes of every connection: more than the file if some came twice.
  private(set) var fetched: Int64 = 0

  init(_ net: NetModel, size: Int64, ceiling: Int, learned: Int? = nil, sources: Int = 1) {
    self.net = net
    plan = SegmentPlan(size: size, done: SegmentSet())
    growth = ConnectionGrowth(ceiling: ceiling, learned: learned, sources: sources)
    perSource = Array(repeating: 64, count: sources)
  }

  /// Runs until the file is whole or `until` seconds have passed. Returns the elapsed seconds.
  @discardableResult mutating func run(until end: Double = 10_000, dt: Double = 0.01) -> Double {
    if plan.pieces.isEmpty, !plan.isWhole {
      let id = plan.adopt(0..<plan.size, source: 0, now: now)
      connections[id] = .init(number: opened, source: 0, start: now - net.latency)
      opened += 1
    }
    var ticks = 0
    while !plan.isWhole, now < end {
      now += dt
      ticks += 1
      for (id, bytes) in net.step(&connections, now: now, dt: dt) { advance(id, by: bytes) }
      for piece in plan.pieces where piece.position == piece.upper {
        plan.end(piece.id, at: piece.upper, now: now)
        connections[piece.id] = nil
      }
      if ticks % 3 == 0 { look() }
      act()
    }
    return now
  }

  private mutating func advance(_ id: PieceID, by bytes: Double) {
    guard let piece = plan.pieces.first(where: { $0.id == id }) else { return }
    let sum = (fraction[id] ?? 0) + bytes
    let whole = sum.rounded(.down)
    fraction[id] = sum - whole
    let next = min(piece.upper, (position[id] ?? piece.lower) + Int64(whole))
    let came = next - (position[id] ?? piece.lower)
    received += came
    fetched += came
    position[id] = next
    if came > 0 { plan.note(id, at: next, now: now) }
  }

  private mutating func look() {
    for piece in plan.pieces { plan.note(piece.id, at: position[piece.id] ?? piece.lower, now: now) }
    let alive = plan.pieces.filter { !$0.isClosing }
    growth.look(
      .init(
        connections: alive.count(where: \.hasBytes), opening: alive.count { !$0.hasBytes }, bytes: received,
        remaining: plan.remaining, isSaturated: isSaturated, latency: plan.latency ?? net.latency),
      now: now)
    boundGrowth()
    limits.append((now, growth.limit))
  }

  private static func server(_ source: Int) -> Origin { Origin(scheme: "https", host: "\(source).example", port: 443) }

  private var uses: [ServerLimits.Use] {
    perSource.indices.map { source in
      ServerLimits.Use(
        NetRun.server(source), connections: plan.pieces.count { $0.source == source }, room: perSource[source])
    }
  }

  private mutating func boundGrowth() {
    for source in accepts.indices {
      let count = plan.pieces.count { $0.source == source && $0.hasBytes && !$0.isClosing }
      servers.accepted(by: NetRun.server(source), connections: count)
    }
    guard let most = servers.bound(uses, below: growth.limit, now: now) else { return }
    growth.refused(connections: most, now: now, until: servers.nextTry(after: now))
  }

  private mutating func act() {
    let rooms = servers.rooms(uses, now: now)
    for action in plan.next(
      .init(connections: growth.limit, perSource: rooms, kept: growth.kept, firstPiece: growth.firstPiece), now: now)
    {
      switch action {
      case .trim: break
      case .open(let id, let segment, let source):
        if connections.count >= refusesBeyond {
          plan.end(id, at: segment.lowerBound, now: now)
          refused += 1
          growth.refused(connections: connections.count, now: now, until: nil)
        } else if accepts.indices.contains(source), open(at: source) >= accepts[source] {
          plan.end(id, at: segment.lowerBound, now: now)
          refused += 1
          servers.refused(by: NetRun.server(source), connections: open(at: source), now: now, until: nil)
        } else {
          connections[id] = .init(number: opened, source: source, start: now)
          opened += 1
        }
      case .close(let id):
        plan.end(id, at: position[id] ?? plan.pieces.first { $0.id == id }?.lower ?? 0, now: now)
        connections[id] = nil
      }
    }
  }

  private func open(at source: Int) -> Int { connections.values.count { $0.source == source } }
}
