// The locks of part files (flock(2)): only one process at a time writes to a file. Within a process several open files
// share the lock, because an attempt may begin before the previous one has closed the file.

internal import DrayCore
internal import Glibc
public import Posix
internal import Synchronization

enum PartLocks {
  /// A descriptor that holds a lock.
  private struct Entry {
    let descriptor: Int32
    /// The number of open files that rely on it.
    var users = 1
  }

  /// The locks of this process, by the ends of the part files' names.
  private static let held = Mutex<[String: [Entry]]>([:])
  /// Returns the part of a name that a file keeps when it is moved.
  private static func key(_ name: String) -> String { String(name.suffix(keyLength)) }
  /// The length of `UUID.part`.
  private static let keyLength = 41
  /// The number of tries to lock. Another process may hold a lock briefly, only to check whether a file is in use.
  private static let tries = 20

  /// Locks an open part file.
  /// - Returns: The descriptor that holds the lock, for ``close(_:holder:_:)``; `nil` if the file system has no locks.
  /// - Throws: `EBUSY` if another process holds it.
  static func hold(_ descriptor: Int32, _ name: String) throws(SystemError) -> Int32? {
    switch lock(descriptor, name, isKept: true) {
    case .locked: return descriptor
    case .shared(let holder): return holder
    case .unknown: return nil
    case .busy: throw SystemError("lock", EBUSY)
    }
  }

  /// Checks that no other process uses an open file with a part file's name.
  /// - Throws: `EBUSY` if one does.
  static func check(_ descriptor: Int32, _ name: String) throws(SystemError) {
    if case .busy = lock(descriptor, name, isKept: false) { throw SystemError("lock", EBUSY) }
  }

  private enum Outcome {
    case locked, unknown, busy
    case shared(Int32)
  }

  private static func lock(_ descriptor: Int32, _ name: String, isKept: Bool) -> Outcome {
    let name = key(name)
    for attempt in 1...tries {
      let outcome = held.withLock { held -> Outcome in
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
          if isKept { held[name, default: []].append(Entry(descriptor: descriptor)) }
          return .locked
        }
        guard errno == EWOULDBLOCK else { return .unknown }
        guard let index = held[name]?.firstIndex(where: { isSame($0.descriptor, descriptor) }) else { return .busy }
        let holder = held[name]?[index].descriptor ?? descriptor
        if isKept { held[name]?[index].users += 1 }
        return .shared(holder)
      }
      guard case .busy = outcome, attempt < tries else { return outcome }
      usleep(10_000)
    }
    return .busy
  }

  /// Closes a part file. The descriptor that holds its lock stays open while another open file relies on it.
  static func close(_ descriptor: Int32, holder: Int32?, _ name: String) {
    let name = key(name)
    var closed = holder == descriptor ? [] : [descriptor]
    if let holder {
      held.withLock { held in
        guard let index = held[name]?.firstIndex(where: { $0.descriptor == holder }) else { return }
        held[name]?[index].users -= 1
        guard held[name]?[index].users == 0 else { return }
        held[name]?.remove(at: index)
        if held[name]?.isEmpty ?? false { held[name] = nil }
        closed.append(holder)
      }
    }
    for descriptor in closed { System.unlockAndClose(descriptor) }
  }

  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_ino == second.st_ino
      && first.st_dev == second.st_dev
  }
}

extension SystemError {
  /// Whether a part file was left because another process uses it, or another store owns it.
  public var isOfAnother: Bool { code == ENOTUNIQ || code == EBUSY && call == "lock" }
}
