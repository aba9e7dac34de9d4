// The lines over which a file is fetched: usually one, or one for each interface that the user gave. Each line is
// measured separately.

internal import Curl
internal import DrayCore

struct FileLines {
  private struct Line {
    var growth: ConnectionGrowth
    /// `nil` before the first byte.
    var sample: LineSample?
    /// The number of bytes received over the line, if there are several lines.
    var received: Int64 = 0
  }

  /// The interfaces; empty if the system chooses.
  let names: [String]
  /// The interface of the only line; `nil` if the system chooses, or if there are several lines.
  private let only: String?
  /// The maximum number of connections over all lines.
  private let ceiling: Int
  private var lines: [Line]
  private var watch: LineWatch
  /// The line of the first answer.
  private let first: Int

  /// - Parameters:
  ///   - names: The interfaces, if there are several.
  ///   - first: The interface of the first answer.
  ///   - ceiling: The maximum number of connections.
  ///   - learned: The number of connections that was found to help for the origin before.
  ///   - sources: The number of URLs.
  init(names: [String], first: String?, ceiling: Int, learned: Int?, sources: Int, sample: LineSample, now: Double) {
    let isSeveral = names.count > 1 && ceiling > 1
    self.names = isSeveral ? names : []
    only = isSeveral ? nil : first
    self.ceiling = ceiling
    self.first = isSeveral ? first.flatMap(names.firstIndex) ?? 0 : 0
    let count = max(1, self.names.count)
    lines = (0..<count).map { _ in
      Line(
        growth: ConnectionGrowth(
          ceiling: max(1, ceiling - (count - 1)), learned: isSeveral ? nil : learned, sources: isSeveral ? 1 : sources))
    }
    lines[self.first].sample = sample
    watch = LineWatch(lines: count, now: now)
  }

  var isSeveral: Bool { !names.isEmpty }

  /// The lines in the order in which they get sources, starting with the line of the first answer.
  var order: [Int] { [first] + lines.indices.filter { $0 != first } }

  /// Returns a request as it is sent over a line.
  func sent(_ request: TransferRequest, over line: Int) -> TransferRequest {
    if isSeveral { return request.sent(from: names[line]) }
    return only.map(request.sent) ?? request
  }

  // MARK: Limits

  /// The maximum number of connections over all lines.
  var limit: Int { isSeveral ? min(ceiling, limits.reduce(0) { $0 + $1.connections }) : lines[0].growth.limit }

  var kept: Int { lines.reduce(0) { $0 + $1.growth.kept } }

  var firstPiece: Int64? { lines.compactMap(\.growth.firstPiece).min() }

  /// The number of connections that was found to help; `nil` if it is not known.
  var learned: Int? { isSeveral ? nil : lines[0].growth.learned }

  var isGrowing: Bool { lines.contains { $0.growth.learned == nil } }

  /// The limits of each line; empty if there is one.
  var limits: [SegmentPlan.Room.Line] {
    guard isSeveral else { return [] }
    return lines.indices.map { line in
      SegmentPlan.Room.Line(
        connections: watch.limit(of: line, lines[line].growth.limit),
        kept: watch.limit(of: line, lines[line].growth.kept))
    }
  }

  mutating func refused(line: Int, connections: Int, now: Double, until: Double?) {
    lines[line].growth.refused(connections: connections, now: now, until: until)
  }

  // MARK: Samples

  /// Whether a rate limit holds back bytes.
  var isHeldBack: Bool {
    get { lines[first].sample?.isHeldBack ?? false }
    set { lines[first].sample?.isHeldBack = newValue }
  }

  /// Records the seconds from opening a connection to its first byte.
  mutating func hears(after seconds: Double, line: Int, scheme: String, now: Double, waited: Double) {
    if lines[line].sample == nil {
      lines[line].sample = LineSample(firstByte: seconds, scheme: scheme, now: now, waited: waited)
    } else {
      lines[line].sample?.hears(after: seconds)
    }
  }

  /// The least latency of a line, in seconds.
  var latency: Double { lines.compactMap(\.sample?.latency).min() ?? 0 }

  /// Counts received bytes.
  mutating func note(_ count: Int, line: Int) { if isSeveral { lines[line].received += Int64(count) } }

  mutating func isBusy(now: Double, waited: Double) -> Bool {
    lines[first].sample?.isBusy(now: now, waited: waited) ?? false
  }

  /// Returns the sample of a line, or that of the first answer while the line has none.
  func sample(of line: Int) -> LineSample? { lines[line].sample ?? lines[first].sample }

  func received(over line: Int) -> Int64 { lines[line].received }

  mutating func look(_ look: ConnectionGrowth.Look, line: Int, now: Double) { lines[line].growth.look(look, now: now) }

  // MARK: Lines that go away

  /// Looks whether lines have gone, or are back.
  /// - Parameter connections: The number of connections of each line, requested ones included.
  mutating func watch(_ connections: [Int], now: Double) -> [(line: Int, change: LineWatch.Change)] {
    guard isSeveral else { return [] }
    return lines.indices.compactMap { line in
      watch.look(line, bytes: lines[line].received, connections: connections[line], now: now).map { (line, $0) }
    }
  }

  /// Records that no connection could be opened over a line.
  mutating func fails(_ line: Int, because reason: String, now: Double) -> LineWatch.Change? {
    isSeveral ? watch.fails(line, because: reason, now: now) : nil
  }

  func isTrying(_ line: Int) -> Bool { watch.isTrying(line) }

  /// Returns the line over which bytes of a source of line `own` are compared.
  func forComparison(own: Int) -> Int {
    isSeveral ? LineChoice.forComparison(own: own, isOpen: lines.indices.map(watch.isOpen)) : own
  }

  func awayUntil(_ line: Int) -> Double? { watch.awayUntil(line) }
}
