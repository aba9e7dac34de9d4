// Examines shares, and gives them marks. If the server of a mount does not answer, a call may never return. Each look
// therefore has a separate thread, which is abandoned in that case.

internal import FoundationEssentials
internal import Posix
internal import Synchronization

struct ShareLook: Sendable {
  var sight: ShareSight
  /// The identity of the directory. Later, it shows whether the path still leads to this directory.
  var node: FileNode?
  /// The free bytes, if known.
  var free: Int64?

  /// Looks at the top directory of a share. The call blocks the calling thread.
  /// - Parameters:
  ///   - then: The number of free bytes when the share failed for lack of space; `nil` if that has not happened.
  ///   - tries: Whether to write a trial file, because a write on the share has failed.
  static func at(_ root: String, then: Int64?, tries: Bool) -> ShareLook {
    var look = ShareLook(sight: .missing)
    do throws(SystemError) {
      let directory = try System.open(root, [.reading, .directory])
      defer { System.close(directory) }
      look.node = try System.node(directory)
      let space = try System.space(directory)
      look.free = space.free
      var condition = ShareCondition.usable
      if space.isReadOnly {
        condition = .readOnly
      } else if ShareRule.isFull(free: space.free, then: then) {
        condition = .full
      } else if tries {
        condition = try trial(in: root)
      }
      look.sight = try mark(in: root).map { .marked($0, condition) } ?? .unmarked(condition)
    } catch {
      look.sight = error.isMissing ? .missing : .broken(error.text)
    }
    return look
  }

  /// Returns the text of a directory's mark; `nil` if the mark is missing or unfinished.
  private static func mark(in root: String) throws(SystemError) -> String? {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try System.read(path(in: root), limit: 4096) } catch {
      if error.code == SystemError.noEntry { return nil }
      throw error
    }
    let line = String(decoding: bytes.prefix { $0 != 10 && $0 != 13 }.filter { (33...126).contains($0) }, as: UTF8.self)
    return line.isEmpty ? nil : line
  }

  private static func path(in root: String) -> String { PathText.join(root, ShareRule.markName) }

  /// Gives a directory a mark, unless another machine is doing that at the same time. The call blocks the calling
  /// thread.
  /// - Returns: The directory's mark.
  static func makeMark(in root: String) throws(SystemError) -> String {
    let path = path(in: root)
    var descriptor: Int32
    do throws(SystemError) { descriptor = try System.open(path, [.writing, .create, .exclusive], mode: 0o644) } catch {
      guard error.code == SystemError.exists else { throw error }
      // Another machine has created the mark and is about to write its text. If that machine has died, the mark stays
      // empty.
      for _ in 0..<20 {
        if let mark = try mark(in: root) { return mark }
        System.pause(0.05)
      }
      descriptor = try System.open(path, .writing)
    }
    defer { System.close(descriptor) }
    let mark = UUID().uuidString.lowercased()
    try System.write(Array((mark + "\n").utf8), to: descriptor, at: 0)
    try System.sync(descriptor)
    System.syncDirectory(root)
    return mark
  }

  /// Writes a trial file, and removes it. If this user cannot create files in the directory, the trial says nothing
  /// about the share.
  private static func trial(in root: String) throws(SystemError) -> ShareCondition {
    let path = PathText.join(root, "\(ShareRule.markName)-trial-\(UUID().uuidString)")
    do throws(SystemError) {
      let descriptor = try System.open(path, [.writing, .create, .exclusive], mode: 0o600)
      defer {
        System.close(descriptor)
        System.remove(path)
      }
      try System.write([UInt8](repeating: 0, count: 4096), to: descriptor, at: 0)
      try System.sync(descriptor)
    } catch {
      if error.isOutOfSpace { return .full }
      if error.code == SystemError.readOnly { return .readOnly }
      if error.isOfMount { throw error }
    }
    return .usable
  }

  // MARK: Time limit

  /// Runs `body` on a separate thread.
  /// - Parameter ended: Called when the thread ends, however late.
  /// - Returns: `nil` if the thread did not end in time.
  static func timed<Value: Sendable>(
    within seconds: Double = ShareRule.patience, _ body: @escaping @Sendable () -> Value,
    ended: @escaping @Sendable (_ isLate: Bool) -> Void
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let box = AnswerBox(continuation)
      let clock = Task {
        try? await Task.sleep(for: .seconds(seconds))
        box.answer(nil)
      }
      do throws(SystemError) {
        try System.startThread("dray.share", stackSize: 256 << 10) {
          let value = body()
          let continuation = box.take()
          clock.cancel()
          // Call this before the caller continues: the caller may begin the next look at once.
          ended(continuation == nil)
          continuation?.resume(returning: value)
        }
      } catch {
        ended(true)
        box.answer(nil)
      }
    }
  }
}

/// Lets only the first of two answers count.
private final class AnswerBox<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

  init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

  /// Takes the right to answer; `nil` if it was already taken.
  func take() -> CheckedContinuation<Value?, Never>? { waiting.withLock { $0.take() } }

  func answer(_ value: Value?) { take()?.resume(returning: value) }
}
