// Counts the connections to each origin.

internal import DrayCore

/// The number of connections of a loop's transfers to each origin.
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

  /// Counts a connection at `target` instead of `origin`; `nil` means nowhere.
  func move(_ origin: inout Origin?, to target: Origin?) {
    guard origin != target else { return }
    if let origin { change(origin) { $0.connections -= 1 } }
    if let target { change(target) { $0.connections += 1 } }
    total += (target == nil ? 0 : 1) - (origin == nil ? 0 : 1)
    origin = target
  }

  /// Changes the number of files fetched in segments from `origin`.
  func count(crewAt origin: Origin, _ change: Int) { self.change(origin) { $0.crews += change } }

  /// Returns the number of connections that a file may have at an origin. Files that share an origin share its
  /// connections evenly.
  /// - Parameters:
  ///   - mine: The number of connections that the file has there.
  ///   - wanted: The maximum it would have alone.
  ///   - atMost: The maximum of all files together at the origin.
  func room(at origin: Origin, mine: Int, wanted: Int, atMost: Int) -> Int {
    let entry = entries[origin] ?? Entry()
    let room = ConnectionShare.room(
      wanted: wanted, mine: mine, all: entry.connections, limit: max(atMost, wanted), files: entry.crews)
    // The file keeps the connections that it has. Another one must fit the total limit. A connection that is about to
    // be opened is already in `mine` but not in `total`.
    return min(room, max(1, mine + min(wanted, max(0, limit - max(0, total)))))
  }

  /// Records that an origin asked to wait. None of its files gets another connection before `until`.
  func hold(_ origin: Origin, until: Double) {
    guard until > holds[origin] ?? 0 else { return }
    if holds.count >= 256 { holds = [:] }
    holds[origin] = until
  }

  /// Whether an origin asked to wait.
  func isHeld(_ origin: Origin, now: Double) -> Bool { holds[origin].map { now < $0 } ?? false }

  private func change(_ origin: Origin, _ body: (inout Entry) -> Void) {
    var entry = entries[origin] ?? Entry()
    body(&entry)
    entries[origin] = entry.connections > 0 || entry.crews > 0 ? entry : nil
  }
}
