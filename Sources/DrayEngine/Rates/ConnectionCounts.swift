// Counts the connections to each origin, and the bytes that the files of an origin receive together.

internal import DrayCore

protocol SegmentedFile: AnyObject {
  var received: Int64 { get }
  var connections: Int { get }
}

/// The counts of all transfers of a loop.
final class ConnectionCounts {
  private struct Entry {
    var connections = 0
    var files: [any SegmentedFile] = []
    /// The bytes of files that have finished, minus the bytes that the present files had received before they were
    /// added.
    var bytes: Int64 = 0
    var outOfOrder = 0
  }

  private var entries: [Origin: Entry] = [:]
  private let limit: Int
  private var total = 0

  init(limit: Int = .max) { self.limit = limit }

  private var holds: [Origin: Double] = [:]

  /// Moves the count of a connection from `origin` to `target`; `nil` means no origin.
  func move(_ origin: inout Origin?, to target: Origin?) {
    guard origin != target else { return }
    if let origin { change(origin) { $0.connections -= 1 } }
    if let target { change(target) { $0.connections += 1 } }
    total += (target == nil ? 0 : 1) - (origin == nil ? 0 : 1)
    origin = target
  }

  func join(_ origin: Origin, _ file: any SegmentedFile) {
    change(origin) {
      $0.files.append(file)
      $0.bytes -= file.received
    }
  }

  func leave(_ origin: Origin, _ file: any SegmentedFile) {
    change(origin) {
      $0.files.removeAll { $0 === file }
      $0.bytes += file.received
    }
  }

  /// Whether several files are fetched from the origin in segments.
  func hasOthers(at origin: Origin) -> Bool { entries[origin]?.files.count ?? 0 > 1 }

  /// Returns the sums over the files of an origin that are fetched in segments.
  /// - Parameters:
  ///   - file: One of these files.
  ///   - mine: The number of connections of `file` that have received bytes.
  ///   - outOfOrder: The packets that `file` received out of order since the last call.
  func line(at origin: Origin, for file: any SegmentedFile, mine: Int, outOfOrder: Int) -> ConnectionGrowth.Look.Line {
    entries[origin]?.outOfOrder += outOfOrder
    let entry = entries[origin] ?? Entry()
    let others = entry.files.reduce(0) { $1 === file ? $0 : $0 + $1.connections }
    return ConnectionGrowth.Look.Line(
      connections: mine + others, bytes: entry.files.reduce(entry.bytes) { $0 + $1.received },
      outOfOrder: entry.outOfOrder)
  }

  /// Returns the number of connections that a file may have at an origin. Files that share an origin divide its
  /// connections evenly.
  /// - Parameters:
  ///   - mine: The number of connections that the file has at the origin.
  ///   - wanted: The maximum for this file alone.
  ///   - atMost: The maximum for all files of the origin together.
  func room(at origin: Origin, mine: Int, wanted: Int, atMost: Int) -> Int {
    let entry = entries[origin] ?? Entry()
    let room = ConnectionShare.room(
      wanted: wanted, mine: mine, all: entry.connections, limit: max(atMost, wanted), files: entry.files.count)
    // The file keeps the connections that it already has. Each further connection must fit into the total limit. A
    // connection that is about to be opened is already in `mine`, but not in `total`.
    return min(room, max(1, mine + min(wanted, max(0, limit - max(0, total)))))
  }

  /// Records that the origin asked to wait. Until then, none of its files gets another connection.
  func hold(_ origin: Origin, until: Double) {
    guard until > holds[origin] ?? 0 else { return }
    if holds.count >= 256 { holds = [:] }
    holds[origin] = until
  }

  func isHeld(_ origin: Origin, now: Double) -> Bool { holds[origin].map { now < $0 } ?? false }

  private func change(_ origin: Origin, _ body: (inout Entry) -> Void) {
    var entry = entries[origin] ?? Entry()
    body(&entry)
    entries[origin] = entry.connections > 0 || !entry.files.isEmpty ? entry : nil
  }
}
