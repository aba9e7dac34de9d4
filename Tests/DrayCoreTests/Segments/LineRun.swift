// A file that is fetched over a line of the model of TCP, by as many connections as a ConnectionGrowth or a test says.

@testable import DrayCore

/// A file that is fetched over a ``LineModel``, shared out by a ``SegmentPlan``.
struct LineRun {
  private let line: LineModel
  private let traffic: LineTraffic
  private var plan: SegmentPlan
  private var growth: ConnectionGrowth
  /// The number of connections, if it is given.
  private var fixed: Int?

  private var flows: [PieceID: LineFlow] = [:]
  private var position: [PieceID: Int64] = [:]
  private var fraction: [PieceID: Double] = [:]
  /// The ends of the ranges that were requested. A connection that comes so far can be used again.
  private var requested: [PieceID: Int64] = [:]
  private var idle: [(since: Double, flow: LineFlow)] = []
  private var received: Int64 = 0
  private var opened = 0
  private var latency = 0.0
  private var leftOutOfOrder = 0.0
  private var nextLook = 0.0

  /// - Parameter connections: Their number; `nil` for as many as help.
  init(_ line: LineModel, size: Int64, connections: Int? = nil) {
    (self.line, fixed) = (line, connections)
    traffic = LineTraffic(line, size: Double(size))
    plan = SegmentPlan(size: size, done: SegmentSet())
    growth = ConnectionGrowth(ceiling: 16)
  }

  /// Returns the seconds until the file is whole.
  static func seconds(_ line: LineModel, size: Int64, connections: Int? = nil) -> Double {
    var run = LineRun(line, size: size, connections: connections)
    return run.run()
  }

  private mutating func run() -> Double {
    let first = plan.adopt(0..<plan.size, source: 0, now: 0)
    begin(first, 0..<plan.size, LineFlow(isBBR: line.isBBR, start: 2 * traffic.base, number: 0))
    opened = 1
    while !plan.isWhole, traffic.now < 2000 {
      advance()
      if latency == 0 {
        guard received > 0 else { continue }
        latency = traffic.now
      }
      let hasEnded = endPieces()
      if hasEnded || traffic.now >= nextLook { look() }
    }
    return traffic.now
  }

  private mutating func begin(_ id: PieceID, _ segment: Segment, _ flow: LineFlow) {
    (flows[id], position[id], fraction[id]) = (flow, segment.lowerBound, 0)
    requested[id] = segment.upperBound
  }

  /// Moves the bytes of one step.
  private mutating func advance() {
    let ids = flows.keys.sorted()
    let arrived = traffic.step(ids.compactMap { flows[$0] })
    for (id, bytes) in zip(ids, arrived) where bytes > 0 {
      guard let piece = plan.pieces.first(where: { $0.id == id }), let before = position[id] else { continue }
      let sum = (fraction[id] ?? 0) + bytes
      fraction[id] = sum - sum.rounded(.down)
      let next = min(piece.upper, before + Int64(sum))
      guard next > before else { continue }
      received += next - before
      position[id] = next
      plan.note(id, at: next, now: traffic.now)
    }
  }

  private mutating func endPieces() -> Bool {
    let ended = plan.pieces.filter { $0.position == $0.upper }
    for piece in ended {
      plan.end(piece.id, at: piece.upper, now: traffic.now)
      guard let flow = flows.removeValue(forKey: piece.id) else { continue }
      leftOutOfOrder += flow.outOfOrder
      if piece.upper == requested[piece.id] { idle.append((traffic.now, flow)) }
    }
    return !ended.isEmpty
  }

  private mutating func look() {
    let now = traffic.now
    nextLook = now + (fixed == nil && growth.learned == nil ? 0.027 : 0.09)
    if fixed == nil {
      let alive = plan.pieces.filter { !$0.isClosing }
      let outOfOrder = flows.keys.sorted().reduce(leftOutOfOrder) { $0 + (flows[$1]?.outOfOrder ?? 0) }
      growth.look(
        .init(
          connections: alive.count(where: \.hasBytes), opening: alive.count { !$0.hasBytes }, bytes: received,
          remaining: plan.remaining, latency: latency, outOfOrder: Int(outOfOrder)),
        now: now)
    }
    let room = SegmentPlan.Room(
      connections: fixed ?? growth.limit, perSource: [64], kept: fixed == nil ? growth.kept : 0,
      firstPiece: fixed == nil ? growth.firstPiece : nil)
    for action in plan.next(room, now: now) {
      switch action {
      case .trim: break
      case .open(let id, let segment, _): open(id, segment)
      case .close(let id):
        plan.end(id, at: position[id] ?? 0, now: now)
        leftOutOfOrder += flows.removeValue(forKey: id)?.outOfOrder ?? 0
      }
    }
  }

  private mutating func open(_ id: PieceID, _ segment: Segment) {
    let now = traffic.now
    guard flows.count < line.connections else {
      plan.end(id, at: segment.lowerBound, now: now)
      if let most = fixed { fixed = max(1, min(flows.count, most)) }
      return growth.refused(connections: flows.count, now: now, until: nil)
    }
    let patience = max(0.3, 2 * traffic.roundTrip)
    idle.removeAll { now - $0.since >= patience }
    let flow: LineFlow
    if let used = idle.popLast()?.flow {
      used.reuse(at: now + traffic.roundTrip)
      flow = used
    } else {
      flow = LineFlow(isBBR: line.isBBR, start: now + 2 * traffic.roundTrip, number: opened)
      opened += 1
    }
    begin(id, segment, flow)
    latency += (flow.start - now - latency) / 4
  }
}
