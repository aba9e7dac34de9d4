// Decides which file gets memory for the next part of its upload. One limit applies to all files together.

/// Counts the memory of all parts that wait to be uploaded.
///
/// A part that has memory fills up, is sent, and then passes its memory to a waiting part. Files take turns: the one
/// that has waited longest is next. Only one part at a time may exceed the limit, and only in two cases: parts are so
/// large that two never fit, or no part with memory is about to be sent.
package struct UploadRoom: Sendable, Equatable {
  private struct Waiting: Sendable, Equatable {
    let file: Int
    var askedAt: Double
  }

  /// A file loses its turn if it has not asked for memory for this many seconds.
  package static let patience = 2.0

  /// The number of bytes in memory.
  package private(set) var used = 0
  /// The number of parts that are being sent or will be sent next.
  package private(set) var leaving = 0
  private var pieces: [Int: Int] = [:]
  /// The files that wait for memory; the first one has waited longest.
  private var waiting: [Waiting] = []

  /// Creates an empty memory.
  package init() {}

  /// Takes memory for a part; if there is none, its file waits.
  /// - Parameters:
  ///   - size: The length of the part.
  ///   - file: The number of its file.
  ///   - limit: The maximum of all parts together.
  /// - Returns: Whether memory was taken.
  package mutating func take(_ size: Int, for file: Int, limit: Int, now: Double) -> Bool {
    waiting.removeAll { $0.file != file && now - $0.askedAt >= UploadRoom.patience }
    let isNext = waiting.first.map { $0.file == file } ?? true
    guard isNext, fits(size, limit) else {
      if let index = waiting.firstIndex(where: { $0.file == file }) {
        waiting[index].askedAt = now
      } else {
        waiting.append(Waiting(file: file, askedAt: now))
      }
      return false
    }
    waiting.removeAll { $0.file == file }
    add(size)
    return true
  }

  private func fits(_ size: Int, _ limit: Int) -> Bool {
    if used + size <= limit { return true }
    guard used <= max(limit, pieces.keys.max() ?? 0) else { return false }
    return leaving == 0 || size > limit / 2
  }

  /// Takes memory, even beyond the limit.
  package mutating func add(_ size: Int) {
    used += size
    pieces[size, default: 0] += 1
  }

  /// Gives memory back.
  package mutating func giveBack(_ size: Int) {
    used -= size
    pieces[size] = pieces[size].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Counts one more (1) or one less (-1) part that is being sent or will be sent next.
  package mutating func countLeaving(_ change: Int) { leaving += change }

  /// Forgets a file that needs no more memory.
  package mutating func leave(_ file: Int) { waiting.removeAll { $0.file == file } }
}
