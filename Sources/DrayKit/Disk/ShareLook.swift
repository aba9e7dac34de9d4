// Looks at shares, and gives them marks. A mount whose server is gone may never answer, so each look has a separate
// thread, which may then be lost.

internal import FoundationEssentials
internal import Posix
internal import Synchronization

struct ShareLook: Sendable {
  var sight: ShareSight
  /// Shows later whether the path still leads to the directory.
  var node: FileNode?
  /// In bytes, if known.
  var free: Int64?

  /// Looks at the uppermost directory of a share. Blocks the thread.
  /// - Parameters:
  ///   - then: The free bytes when the share failed for lack of space; `nil` if it has not.
  ///   - tries: Whether to write a trial file, because a write has failed on the share.
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

  /// The text of a directory's mark; `nil` without a mark, or with an unfinished one.
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

  /// Gives a directory a mark, unless another machine does so at the same time. Blocks the thread.
  /// - Returns: The directory's mark.
  static func makeMark(in root: String) throws(SystemError) -> String {
    let path = path(in: root)
    var descriptor: Int32
    do throws(SystemError) { descriptor = try System.open(path, [.writing, .create, .exclusive], mode: 0o644) } catch {
      guard error.code == SystemError.exists else { throw error }
      // Its maker is about to write it. One that died leaves it empty.
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

  /// Writes a trial file, and removes it. If this user cannot create files in the directory, that says nothing about
  /// the share.
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

  /// On a separate thread.
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
          // Called before the caller continues, which may begin the next look at once.
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

/// The first of two answers counts.
private final class AnswerBox<Value: Sendable>: Sendable {
  private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

  init(_ continuation: CheckedContinuation<Value?, Never>) { waiting = Mutex(continuation) }

  /// Takes the right to answer; `nil` if it is taken.
  func take() -> CheckedContinuation<Value?, Never>? { waiting.withLock { $0.take() } }

  func answer(_ value: Value?) { take()?.resume(returning: value) }
}
