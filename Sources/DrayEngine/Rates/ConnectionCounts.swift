// How many connections each origin has.

internal import DrayCore

/// How many connections the transfers of one loop have to each origin.
final class ConnectionCounts {
  private struct Entry {
    var connections = 0
    var crews = 0
  }

  private var entries: [Origin: Entry] = [:]
  private let limit: Int
  private var total = 0

  init(limit: Int = .max) { self.limit = limit }

  private var holds: [Origin: Double] = [:]

  /// Counts a connection at `target` from now on, and no longer at `origin`; `nil` is nowhere.
  func move(_ origin: inout Origin?, to target: Origin?) {
    guard origin != target else { return }
    if let origin { change(origin) { $0.connections -= 1 } }
    if let target { change(target) { $0.connections += 1 } }
    total += (target == nil ? 0 : 1) - (origin == nil ? 0 : 1)
    origin = target
  }

  /// A file is fetched from `origin` in segments from now on, or no longer.
  func count(crewAt origin: Origin, _ change: Int) { self.change(origin) { $0.crews += change } }

  /// How many connections a file may have at `origin` that has `mine` there and would have `wanted` at most: those that share
  /// an origin share what it may have in all evenly.
  /// - Parameter atMost: what the origin may have in all.
  func room(at origin: Origin, mine: Int, wanted: Int, atMost: Int) -> Int {
    let entry = entries[origin] ?? Entry()
    let room = ConnectionShare.room(
      wanted: wanted, mine: mine, all: entry.connections, limit: max(atMost, wanted), files: entry.crews)
    // What it has it may keep; one more must fit the limit of all.
    // One that is about to be opened is among its own already, and not among all.
    return min(room, max(1, mine + min(wanted, max(0, limit - max(0, total)))))
  }

  /// An origin asked to be left alone until then: none of its files gets one more connection.
  func hold(_ origin: Origin, until: Double) {
    guard until > holds[origin] ?? 0 else { return }
    if holds.count >= 256 { holds = [:] }
    holds[origin] = until
  }

  /// Whether an origin asked to be left alone.
  func isHeld(_ origin: Origin, now: Double) -> Bool { holds[origin].map { now < $0 } ?? false }

  private func change(_ origin: Origin, _ body: (inout Entry) -> Void) {
    var entry = entries[origin] ?? Entry()
    body(&entry)
    entries[origin] = entry.connections > 0 || entry.crews > 0 ? entry : nil
  }
}
