// Whose a file is that has the name of a part file (P17).

internal import CLinux
internal import Glibc
internal import Posix
internal import Synchronization

extension PartFile {
  /// The descriptors of all part files that this process holds.
  private static let held = Mutex<Set<Int32>>([])

  /// Notes that this process holds a part file.
  static func noteHeld(_ descriptor: Int32) { _ = held.withLock { $0.insert(descriptor) } }

  /// Notes that it does not any more; to be called before the descriptor is closed.
  static func noteReleased(_ descriptor: Int32) { _ = held.withLock { $0.remove(descriptor) } }

  /// Whether what has this name is a part file of another store: its label says so, or, where it has none yet, another process holds it.
  /// - Parameter store: the store that asks.
  static func isForeign(_ name: String, in directory: TargetDirectory, store: String?) -> Bool {
    let descriptor = openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    if let owner = PartLabel.store(of: descriptor) { return store.map { $0 != owner && isStore(owner) } ?? false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return false }
    return errno == EWOULDBLOCK && !isHeldHere(descriptor)
  }

  /// Whether a job store is there: one that was moved leaves labels with its old path.
  private static func isStore(_ home: String) -> Bool { access(home + "/dray.sqlite", F_OK) == 0 }

  private static func isHeldHere(_ descriptor: Int32) -> Bool {
    var wanted = stat()
    guard fstat(descriptor, &wanted) == 0 else { return false }
    return held.withLock { held in
      held.contains { one in
        var found = stat()
        return fstat(one, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
      }
    }
  }
}
