// A file of a LineRun: its plan, its growth, and its connections.

@testable import DrayCore

/// A file that is fetched over a line, shared out by a ``SegmentPlan``.
final class LineFile {
  static let ceiling = 16

  var plan: SegmentPlan
  var growth: ConnectionGrowth
  var latency = 0.0
  var nextLook = 0.0
  let begunAt: Double
  private(set) var received: Int64 = 0
  private(set) var flows: [PieceID: LineFlow] = [:]
  private var position: [PieceID: Int64] = [:]
  private var fraction: [PieceID: Double] = [:]
  /// The ends of the ranges that were requested. A connection that comes so far can be used again.
  private var requested: [PieceID: Int64] = [:]
  private var leftOutOfOrder = 0.0

  init(size: Int64, learned: Int?, now: Double) {
    begunAt = now
    plan = SegmentPlan(size: size, done: SegmentSet())
    growth = ConnectionGrowth(ceiling: LineFile.ceiling, learned: learned)
  }

  var ids: [PieceID] { flows.keys.sorted() }

  /// The packets that it received out of order.
  var outOfOrder: Double { ids.reduce(leftOutOfOrder) { $0 + (flows[$1]?.outOfOrder ?? 0) } }

  func begin(_ id: PieceID, _ segment: Segment, _ flow: LineFlow) {
    (flows[id], position[id], fraction[id]) = (flow, segment.lowerBound, 0)
    requested[id] = segment.upperBound
  }

  /// Takes bytes that arrived for a piece.
  func take(_ bytes: Double, of id: PieceID, now: Double) {
    guard let piece = plan.pieces.first(where: { $0.id == id }), let before = position[id] else { return }
    let sum = (fraction[id] ?? 0) + bytes
    fraction[id] = sum - sum.rounded(.down)
    let next = min(piece.upper, before + Int64(sum))
    guard next > before else { return }
    received += next - before
    position[id] = next
    plan.note(id, at: next, now: now)
  }

  /// Ends the pieces that are whole.
  /// - Returns: For each, its connection if it can be used again.
  func endPieces(now: Double) -> [LineFlow?] {
    plan.pieces.filter { $0.position == $0.upper }.map { piece in
      plan.end(piece.id, at: piece.upper, now: now)
      guard let flow = flows.removeValue(forKey: piece.id) else { return nil }
      leftOutOfOrder += flow.outOfOrder
      return piece.upper == requested[piece.id] ? flow : nil
    }
  }

  /// Gives a refused range back to the connection that fetches the bytes before it, if its answer continues into it.
  func giveBack(at lower: Int64) {
    guard let free = plan.unowned.segments.first(where: { $0.contains(lower) }),
      let piece = plan.pieces.first(where: { $0.upper == lower && !$0.isClosing }), let end = requested[piece.id],
      end > lower
    else { return }
    plan.extend(piece.id, to: min(free.upperBound, end))
  }

  /// Closes the connection of a piece.
  func close(_ id: PieceID, now: Double) {
    plan.end(id, at: position[id] ?? 0, now: now)
    leftOutOfOrder += flows.removeValue(forKey: id)?.outOfOrder ?? 0
  }
}
