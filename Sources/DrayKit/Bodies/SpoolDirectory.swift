// The private directory that `-o -` spools to, and the removal of such directories after their processes have died
// (P5).

internal import DrayEngine
internal import FoundationEssentials
internal import Posix
internal import Threads

/// A private directory, locked as long as its process lives.
struct SpoolDirectory {
  private static let prefix = "dray."
  /// The seconds for which a new body is never removed: between the creation and the locking of its file, nothing shows
  /// that the file is in use.
  private static let grace = 60.0

  let path: String
  private let lock: Int32

  init() throws(Failure) {
    while true {
      let path = PathText.join(System.temporaryDirectory, SpoolDirectory.prefix + UUID().uuidString)
      do throws(SystemError) { try System.makeDirectory(path, mode: 0o700) } catch {
        throw Failure(
          .file, path, "the temporary file cannot be created", advice: "set TMPDIR to a writable directory")
      }
      // The lock may fail, because some file systems have no locks.
      let lock = (try? System.open(path, [.reading, .directory])) ?? -1
      try? System.lock(lock, shared: true)
      // A clean-up may have removed the directory before it was locked.
      if (try? System.node(path)) != nil {
        (self.path, self.lock) = (path, lock)
        return
      }
      System.close(lock)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    System.unlockAndClose(lock)
  }

  /// Removes the files of this user's dead processes from the temporary directory: directories of `-o -`, and bodies
  /// that were spooled for a fetch without a job.
  /// - Returns: The removed paths.
  static func sweep() -> [String] {
    let parent = System.temporaryDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    return names.filter { $0.hasPrefix(prefix) }.sorted().compactMap { name in
      let rest = name.dropFirst(prefix.count)
      let isBody = rest.hasSuffix(".body")
      guard UUID(uuidString: String(isBody ? rest.dropLast(5) : rest)) != nil else { return nil }
      let path = PathText.join(parent, name)
      let kind: OpenFlags = isBody ? [.both, .nonBlocking] : [.reading, .directory]
      guard let descriptor = try? System.open(path, kind.union(.noFollow)) else { return nil }
      defer { System.unlockAndClose(descriptor) }
      guard let status = try? System.status(descriptor), status.owner == System.effectiveUserID,
        !isBody || abs(WallClock.machine() - Double(status.modified.seconds)) > grace,
        (try? System.tryLock(descriptor)) == true
      else { return nil }
      return (try? FileManager.default.removeItem(atPath: path)) == nil ? nil : path
    }
  }
}
