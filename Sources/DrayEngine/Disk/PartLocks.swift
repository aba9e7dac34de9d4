// Locks part files (flock(2)), so that only one process at a time writes to a file. Within a process, several open
// files share the lock: an attempt may begin before the previous attempt has closed the file, and a repair may begin
// before the attempt that published the file has ended.

internal import DrayCore
public import Posix
internal import Synchronization

enum PartLocks {
  /// Identifies a file independently of its name, because the file may be moved while it is open.
  fileprivate struct File: Hashable {
    private let device, node: UInt64

    init?(_ descriptor: Int32) {
      guard let status = try? System.status(descriptor) else { return nil }
      (device, node) = (status.device, status.inode)
    }
  }

  /// A lock on which an open file relies.
  struct Hold: Sendable {
    fileprivate let file: File
    /// The descriptor that holds the lock.
    fileprivate let descriptor: Int32
  }

  private struct Entry {
    let descriptor: Int32
    /// The number of open files that rely on the lock.
    var users = 1
  }

  private static let held = Mutex<[File: Entry]>([:])
  /// The number of tries to lock a file. One is not enough: another process may lock the file briefly to check whether
  /// it is in use.
  private static let tries = 20

  /// Locks a file and returns the lock, for ``close(_:_:)``; `nil` if the file system has no locks.
  /// - Throws: `EBUSY` if another process holds the lock.
  static func hold(_ descriptor: Int32) throws(SystemError) -> Hold? {
    guard let file = File(descriptor) else { return nil }
    switch lock(descriptor, file, isKept: true) {
    case .locked: return Hold(file: file, descriptor: descriptor)
    case .shared(let holder): return Hold(file: file, descriptor: holder)
    case .unknown: return nil
    case .busy: throw SystemError("lock", SystemError.busy)
    }
  }

  /// Throws `EBUSY` if another process uses the file.
  static func check(_ descriptor: Int32) throws(SystemError) {
    guard let file = File(descriptor) else { return }
    if case .busy = lock(descriptor, file, isKept: false) { throw SystemError("lock", SystemError.busy) }
  }

  private enum Outcome {
    case locked, unknown, busy
    case shared(Int32)
  }

  private static func lock(_ descriptor: Int32, _ file: File, isKept: Bool) -> Outcome {
    for attempt in 1...tries {
      let outcome = held.withLock { held -> Outcome in
        guard let isLocked = try? System.tryLock(descriptor) else { return .unknown }
        if isLocked {
          if isKept { held[file] = Entry(descriptor: descriptor) }
          return .locked
        }
        guard let entry = held[file] else { return .busy }
        if isKept { held[file]?.users += 1 }
        return .shared(entry.descriptor)
      }
      guard case .busy = outcome, attempt < tries else { return outcome }
      System.pause(0.01)
    }
    return .busy
  }

  /// Closes a file; the descriptor that holds its lock stays open as long as another open file relies on it.
  static func close(_ descriptor: Int32, _ hold: Hold?) {
    var closed = hold?.descriptor == descriptor ? [] : [descriptor]
    if let hold {
      held.withLock { held in
        guard let users = held[hold.file]?.users else { return }
        held[hold.file]?.users -= 1
        guard users == 1 else { return }
        held[hold.file] = nil
        closed.append(hold.descriptor)
      }
    }
    for descriptor in closed { System.unlockAndClose(descriptor) }
  }
}

extension SystemError {
  /// Whether a part file was left alone because another process uses it, or another store owns it.
  public var isOfAnother: Bool { code == SystemError.notUnique || code == SystemError.busy && call == "lock" }
}
