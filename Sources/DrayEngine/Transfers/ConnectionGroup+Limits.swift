// Limits the connections of a group, both in total and to each server.

internal import DrayCore
internal import Threads

extension ConnectionGroup {
  /// The number of mirrors that are being tested or will be tested.
  private var pending: Int {
    sources.count { $0.standing == .untried || $0.standing == .sampled || isToBeCompared($0) }
  }

  /// Records that a source's server refused or cut a connection. The refusal limits only the connections to that
  /// server.
  func noteRefusal(of source: Int, now: Double, until: Double?) {
    let server = sources[source].url.origin
    let others = plan.pieces.count { sources[$0.source].url.origin == server }
    limits.refused(by: server, connections: others, now: now, until: until)
    // If this is the only server, no other connection can replace the refused one, so limit the total.
    if sources.allSatisfy({ $0.url.origin == server }) {
      let line = sources[source].line
      let connections = plan.pieces.count { sources[$0.source].line == line }
      lines.refused(line: line, connections: connections, now: now, until: until)
    }
  }

  /// Records that connections to the file got different versions, and reports what follows.
  func noteDisagreement() {
    let until = shared.connections.noteDisagreement(about: task.request.address, now: WallClock.now())
    if let until { observer.transferLimitsConnections(until: until) }
  }

  /// If the servers refused connections, limits the total to the number that they accept together.
  func boundGrowth(_ now: Double) {
    guard sources.count > 1, !lines.isSeveral else { return }
    for server in Set(sources.map(\.url.origin)) {
      let accepted = plan.pieces.count { $0.hasBytes && !$0.isClosing && sources[$0.source].url.origin == server }
      limits.accepted(by: server, connections: accepted)
    }
    // Wait for mirrors that are being tested, because they may accept the refused connections.
    guard pending == 0, let most = limits.bound(uses(), below: lines.limit, now: now) else { return }
    lines.refused(line: 0, connections: most, now: now, until: limits.nextTry(after: now))
  }

  func room(_ now: Double) -> SegmentPlan.Room {
    let uses = uses()
    let rooms = limits.rooms(uses, now: now)
    let perSource = sources.indices.map { index in
      let use = uses[index]
      let isWaiting = now < sources[index].notBefore || shared.load.isHeld(use.server, now: now)
      return isWaiting && use.room > 0 ? use.connections : rooms[index]
    }
    var room = SegmentPlan.Room(
      connections: lines.limit, perSource: perSource, kept: lines.kept, firstPiece: lines.firstPiece)
    if lines.isSeveral { (room.lines, room.lineOfSource) = (lines.limits, sources.map(\.line)) }
    return room
  }

  /// Returns the number of connections to each source, and the maximum without refusals.
  private func uses() -> [ServerLimits.Use] {
    let counts = plan.pieces.reduce(into: Array(repeating: 0, count: sources.count)) { $0[$1.source] += 1 }
    let pending = pending
    return sources.indices.map { index in
      ServerLimits.Use(
        sources[index].url.origin, connections: counts[index],
        room: mostConnections(to: index, mine: counts[index], pending: pending))
    }
  }

  /// - Parameters:mine: The present connections to the source.
  ///   - mine: The source's present connections.
  ///   - pending: The number of connections that are reserved for mirrors under test.
  private func mostConnections(to index: Int, mine: Int, pending: Int) -> Int {
    let source = sources[index]
    guard source.standing == .proved, source.proof != .comparison || comparison.isServed else { return 0 }
    guard source.servesRanges else { return mine }
    let room = shared.load.room(at: source.url.origin, mine: mine, wanted: ceiling, atMost: task.maxPerOrigin)
    // Reserve a connection for each mirror under test.
    return source.isOwn ? min(room, max(1, mine, ceiling - pending)) : room
  }
}

// MARK: Lines

extension ConnectionGroup {
  /// Adds a sample of each line to the decision on the number of its connections.
  func grow(_ now: Double) {
    lines.isHeldBack = members.contains { $0.pace.heldUntil > now }
    let isBusy = lines.isBusy(now: now, waited: outside.waited)
    let pieces = plan.pieces.filter { !$0.isClosing }
    var outOfOrder: [Int: Int] = [:]
    for worker in members {
      outOfOrder[worker.member.line, default: 0] += worker.member.newlyOutOfOrder(worker.socket)
    }
    let open = max(1, lines.limits.count { $0.connections > 0 })
    for line in lines.order {
      let ofLine = pieces.filter { sources[$0.source].line == line }
      let mine = ofLine.count(where: \.hasBytes)
      guard let sample = lines.sample(of: line) else { continue }
      var look = ConnectionGrowth.Look(
        connections: mine, opening: ofLine.count - mine, bytes: outside.received,
        remaining: plan.remaining / Int64(open), isSaturated: isBusy || lines.isHeldBack, latency: sample.latency,
        roundTrip: sample.roundTrip, setUp: sample.setUp)
      if lines.isSeveral {
        look.bytes = lines.received(over: line)
        look.line = .init(connections: mine, bytes: look.bytes, outOfOrder: outOfOrder[line] ?? 0)
      } else {
        look.line = shared.load.line(at: home, for: outside, mine: mine, outOfOrder: outOfOrder[line] ?? 0)
      }
      lines.look(look, line: line, now: now)
    }
    watchLines(now)
  }

  private func watchLines(_ now: Double) {
    guard lines.isSeveral else { return }
    var connections = Array(repeating: 0, count: lines.names.count)
    // A line that a rate limit holds back is not silent.
    for piece in plan.pieces where !piece.isClosing && !piece.isWaiting && !lines.isHeldBack {
      connections[sources[piece.source].line] += 1
    }
    for (line, change) in lines.watch(connections, now: now) { tell(change, of: line) }
    // Forget the rate of connections that went silent; a new one would look too slow to open.
    for line in connections.indices where lines.isTrying(line) && connections[line] == 0 {
      for source in sources.indices where sources[source].line == line { plan.forgetRate(of: source) }
    }
    for worker in members where worker.member.purpose != .fetch && shouldMove(worker) {
      worker.member.isDismissed = true
    }
  }

  /// Whether a comparison goes over a line that is away, while another can be used.
  private func shouldMove(_ worker: any SegmentWorker) -> Bool {
    lines.forComparison(own: worker.member.line) != worker.member.line
  }

  /// Returns whether a comparison ended because its line is away. If so, the same bytes are compared again, over another
  /// line.
  func repeatsComparison(of worker: any SegmentWorker, after end: SegmentEnd, now: Double) -> Bool {
    switch end {
    case .failed(let failure): guard losesLine(worker, failure, now: now) else { return false }
    case .done: guard worker.member.isDismissed else { return false }
    case _: return false
    }
    let moves = shouldMove(worker)
    if worker.member.purpose == .trial {
      sources[worker.member.source].isNotTried(until: moves ? nil : lines.awayUntil(worker.member.line))
    }
    guard ending == nil, moves else { return false }
    if worker.member.purpose == .proof { unproved.putBack() }
    return true
  }

  /// Returns whether a connection failed because its line is away. If so, its failure says nothing about the server.
  func losesLine(_ worker: any SegmentWorker, _ failure: Failure, now: Double) -> Bool {
    let line = worker.member.line
    guard lines.isSeveral, !worker.member.hasAnswered, failure.kind == .network, failure.httpStatus == nil else {
      return false
    }
    if let change = lines.fails(line, because: failure.reason, now: now) { tell(change, of: line) }
    guard lines.awayUntil(line) != nil else { return false }
    record.lastFailure = record.lastFailure ?? failure
    return true
  }

  private func tell(_ change: LineWatch.Change, of line: Int) {
    let name = lines.names[line]
    shared.lines.noteAway(name, until: lines.awayUntil(line))
    switch change {
    case .lost(let reason): observer.transferChanges(interface: name, problem: reason)
    case .back: observer.transferChanges(interface: name, problem: nil)
    }
  }
}
