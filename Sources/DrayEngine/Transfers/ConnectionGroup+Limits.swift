// Limits the connections of a group, both in total and to each server.

internal import DrayCore

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
      growth.refused(connections: plan.pieces.count, now: now, until: until)
    }
  }

  /// If the servers refused connections, limits the total to the number that they accept together.
  func boundGrowth(_ now: Double) {
    guard sources.count > 1 else { return }
    for server in Set(sources.map(\.url.origin)) {
      let accepted = plan.pieces.count { $0.hasBytes && !$0.isClosing && sources[$0.source].url.origin == server }
      limits.accepted(by: server, connections: accepted)
    }
    // Wait for mirrors that are being tested, because they may accept the refused connections.
    guard pending == 0, let most = limits.bound(uses(), below: growth.limit, now: now) else { return }
    growth.refused(connections: most, now: now, until: limits.nextTry(after: now))
  }

  func room(_ now: Double) -> SegmentPlan.Room {
    let uses = uses()
    let rooms = limits.rooms(uses, now: now)
    let perSource = sources.indices.map { index in
      let use = uses[index]
      let isWaiting = now < sources[index].notBefore || shared.load.isHeld(use.server, now: now)
      return isWaiting && use.room > 0 ? use.connections : rooms[index]
    }
    return SegmentPlan.Room(
      connections: growth.limit, perSource: perSource, kept: growth.kept, firstPiece: growth.firstPiece)
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
    return index == 0 ? min(room, max(1, mine, ceiling - pending)) : room
  }
}
