// Files that are fetched over a line of the model of TCP, each by as many connections as its ConnectionGrowth or a test
// says.

@testable import DrayCore

/// Files that are fetched over a ``LineModel``, a few at a time.
struct LineRun {
  private let line: LineModel
  private let traffic: LineTraffic
  /// The files that have not begun.
  private var waiting: Int
  private let size: Int64
  /// The number of connections of each file, if it is given.
  private let fixed: Int?
  private var files: [LineFile] = []
  private var idle: [(since: Double, flow: LineFlow)] = []
  private var opened = 0
  /// The bytes and packets out of order of files that are whole.
  private var gone: (bytes: Int64, outOfOrder: Double) = (0, 0)
  private var learned: Int?
  /// Whether more files are fetched at once once one took long.
  private let grows: Bool
  private var slots = JobGrowth.few

  /// - Parameters:
  ///   - size: The bytes of each file.
  ///   - connections: The number of connections of each file; `nil` for as many as help.
  ///   - grows: Whether more files are fetched at once where each takes long.
  init(_ line: LineModel, files: Int, size: Int64, connections: Int?, grows: Bool) {
    (self.line, waiting, self.size, fixed) = (line, files, size, connections)
    self.grows = grows
    traffic = LineTraffic(line, size: Double(size) * Double(files))
  }

  /// Returns the seconds until all files are whole.
  static func seconds(
    _ line: LineModel, files: Int = 1, size: Int64, connections: Int? = nil, grows: Bool = true
  ) -> Double {
    var run = LineRun(line, files: files, size: size, connections: connections, grows: grows)
    return run.run()
  }

  private mutating func run() -> Double {
    while traffic.now < 2000 {
      while files.count < slots, waiting > 0 { beginFile() }
      if files.isEmpty { break }
      advance()
      for file in files { step(file) }
      for file in files where file.plan.isWhole {
        gone.bytes += file.received
        gone.outOfOrder += file.outOfOrder
        learned = file.growth.learned ?? learned
        let pace = FilePace(seconds: traffic.now - file.begunAt - file.latency, roundTrip: line.roundTrip)
        // The server accepts no more connections than the line says.
        if grows, pace.isLong { slots = max(JobGrowth.few, min(JobGrowth.slow, line.connections)) }
      }
      files.removeAll(where: \.plan.isWhole)
    }
    return traffic.now
  }

  private mutating func beginFile() {
    waiting -= 1
    let file = LineFile(size: size, learned: learned, now: traffic.now)
    let flow = takeFlow()
    file.begin(file.plan.adopt(0..<size, source: 0, now: traffic.now), 0..<size, flow)
    files.append(file)
  }

  /// Moves the bytes of one step.
  private func advance() {
    let flows = files.flatMap { file in file.ids.map { (file, $0) } }
    let arrived = traffic.step(flows.compactMap { $0.flows[$1] })
    for ((file, id), bytes) in zip(flows, arrived) where bytes > 0 { file.take(bytes, of: id, now: traffic.now) }
  }

  private mutating func step(_ file: LineFile) {
    if file.latency == 0 {
      guard file.received > 0 else { return }
      file.latency = traffic.now - file.begunAt
    }
    let ended = file.endPieces(now: traffic.now)
    idle += ended.compactMap { $0 }.map { (traffic.now, $0) }
    if !ended.isEmpty || traffic.now >= file.nextLook { look(file) }
  }

  private mutating func look(_ file: LineFile) {
    let now = traffic.now
    file.nextLook =
      now + 0.9 * (fixed == nil && file.growth.learned == nil ? ConnectionGrowth.interval(latency: file.latency) : 0.1)
    if fixed == nil {
      let alive = file.plan.pieces.filter { !$0.isClosing }
      let connections = alive.count(where: \.hasBytes)
      let others = files.reduce(0) { $1 === file ? $0 : $0 + $1.plan.pieces.count }
      file.growth.look(
        .init(
          connections: connections, opening: alive.count { !$0.hasBytes }, bytes: file.received,
          remaining: file.plan.remaining, latency: file.latency,
          line: .init(
            connections: connections + others, bytes: files.reduce(gone.bytes) { $0 + $1.received },
            outOfOrder: Int(files.reduce(gone.outOfOrder) { $0 + $1.outOfOrder }))),
        now: now)
    }
    let mine = file.plan.pieces.count
    let share = ConnectionShare.room(
      wanted: LineFile.ceiling, mine: mine, all: files.reduce(0) { $0 + $1.plan.pieces.count },
      limit: ConnectionShare.usual, files: files.count)
    let room = SegmentPlan.Room(
      connections: fixed ?? file.growth.limit, perSource: [fixed ?? share], kept: fixed == nil ? file.growth.kept : 0,
      firstPiece: fixed == nil ? file.growth.firstPiece : nil)
    for action in file.plan.next(room, now: now) {
      switch action {
      case .trim: break
      case .open(let id, let segment, _): open(id, segment, of: file)
      case .close(let id): file.close(id, now: now)
      }
    }
  }

  private mutating func open(_ id: PieceID, _ segment: Segment, of file: LineFile) {
    let now = traffic.now
    guard files.reduce(0, { $0 + $1.flows.count }) < line.connections else {
      file.plan.end(id, at: segment.lowerBound, now: now)
      file.giveBack(at: segment.lowerBound)
      return file.growth.refused(connections: file.flows.count, now: now, until: nil)
    }
    let flow = takeFlow()
    file.begin(id, segment, flow)
    file.latency += (flow.start - now - file.latency) / 4
  }

  /// Returns an idle connection, or a new one.
  private mutating func takeFlow() -> LineFlow {
    let now = traffic.now
    let patience = max(0.3, 2 * traffic.roundTrip)
    idle.removeAll { now - $0.since >= patience }
    if let used = idle.popLast()?.flow {
      used.reuse(at: now + traffic.roundTrip)
      return used
    }
    defer { opened += 1 }
    return LineFlow(isBBR: line.isBBR, start: now + 2 * traffic.roundTrip, number: opened)
  }
}
