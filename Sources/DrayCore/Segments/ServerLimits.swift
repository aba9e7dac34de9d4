// Decides how many connections each server of a file may have after it refused some. ``ConnectionGrowth`` decides the
// total number.

/// How many connections the servers of a file accept, as far as their refusals show.
///
/// A refusal limits only the server that refused; other servers may get more connections instead. After some time, one
/// more connection to that server is tried; when it has received bytes, a further one is tried, and so on.
///
/// If a file has only one server, ``ConnectionGrowth/refused(connections:now:until:)`` limits that server instead.
package struct ServerLimits: Sendable {
  /// One of a file's URLs, and the number of connections to it.
  package struct Use: Sendable, Equatable {
    /// The server.
    package var server: Origin
    /// The number of connections to the URL.
    package var connections: Int
    /// The maximum number of connections to the URL, apart from refusals.
    package var room: Int

    /// Creates the description of one URL.
    package init(_ server: Origin, connections: Int, room: Int) {
      (self.server, self.connections, self.room) = (server, connections, room)
    }
  }

  private struct Refusal {
    var connections: Int
    /// The time at which one more connection may be tried.
    var until: Double
  }

  private var refusals: [Origin: Refusal] = [:]

  /// Creates a record without refusals.
  package init() {}

  /// Records that a server refused or cut a connection (429, 503, reset) while `connections` others to it continue.
  /// That number is the limit until `until`, by default for ten seconds, but never less than one.
  package mutating func refused(by server: Origin, connections: Int, now: Double, until: Double?) {
    refusals[server] = Refusal(connections: max(1, connections), until: max(until ?? now + 10, now))
  }

  /// Records that this many connections to a server have received bytes.
  package mutating func accepted(by server: Origin, connections: Int) {
    guard let refusal = refusals[server], connections > refusal.connections else { return }
    refusals[server]?.connections = connections
  }

  /// Returns the maximum number of connections for each URL. The URLs of one server share what the server accepts. No
  /// open connection is closed because of a refusal.
  package func rooms(_ uses: [Use], now: Double) -> [Int] {
    guard !refusals.isEmpty, Set(uses.map(\.server)).count > 1 else { return uses.map(\.room) }
    var free: [Origin: Int] = [:]
    for (server, refusal) in refusals {
      let present = uses.reduce(0) { $0 + ($1.server == server ? $1.connections : 0) }
      let most = now < refusal.until ? refusal.connections : refusal.connections + 1
      free[server] = max(0, most - present)
    }
    var rooms: [Int] = []
    for use in uses {
      guard let left = free[use.server] else {
        rooms.append(use.room)
        continue
      }
      let room = min(use.room, use.connections + left)
      free[use.server] = left - max(0, room - use.connections)
      rooms.append(room)
    }
    return rooms
  }

  /// Returns the number of connections that all servers accept together; `nil` unless refusals make that less than
  /// `limit`.
  package func bound(_ uses: [Use], below limit: Int, now: Double) -> Int? {
    let most = max(1, rooms(uses, now: now).reduce(0, +))
    let wanted = min(limit, uses.reduce(0) { $0 + $1.room })
    return most < wanted ? most : nil
  }

  /// Returns the earliest time after `now` at which one more connection to a server may be tried; `nil` if there is
  /// none.
  package func nextTry(after now: Double) -> Double? { refusals.values.map(\.until).filter { $0 > now }.min() }
}
