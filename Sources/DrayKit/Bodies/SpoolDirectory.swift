// The private directory that `-o -` spools to, and the removal of those whose process has died (P5).

internal import DrayEngine
internal import FoundationEssentials
internal import Posix
internal import Threads

/// A private directory with one part file in it, locked while its process lives.
struct SpoolDirectory {
  private static let prefix = "dray."
  /// The seconds before a directory may be removed, because between its creation and its lock, nothing shows that it is
  /// in use.
  private static let grace = 60.0

  let directory: TargetDirectory
  /// The UUID in the name of the part file.
  let uuid = UUID()
  var name: String { Job.partFileName(uuid) }
  private let lock: Int32

  init() throws(Failure) {
    let path = PathText.join(System.temporaryDirectory, SpoolDirectory.prefix + UUID().uuidString)
    do throws(SystemError) { try System.makeDirectory(path, mode: 0o700) } catch {
      throw Failure(
        .file, path, "the temporary file cannot be created", advice: "set TMPDIR to a writable directory")
    }
    // Some file systems have no locks; the directory is then used without one.
    lock = (try? System.open(path, [.reading, .directory])) ?? -1
    _ = try? System.tryLock(lock, shared: true)
    do throws(SystemError) { directory = try TargetDirectory(path: path) } catch {
      System.close(lock)
      System.removeDirectory(path)
      throw error.failure(path)
    }
  }

  var destination: any Destination { LocalDestination(directory, store: nil) }

  func remove() {
    try? directory.remove(name)
    System.removeDirectory(directory.path)
    System.unlockAndClose(lock)
  }

  /// Removes from the temporary directory what dead processes of this user have left: directories of `-o -`, and bodies
  /// spooled for a fetch without a job.
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
        abs(WallClock.machine() - Double(status.modified.seconds)) > grace, (try? System.tryLock(descriptor)) == true
      else { return nil }
      return (isBody ? System.remove(path) : removeDirectory(path)) ? path : nil
    }
  }

  /// Removes a directory, unless it contains anything but a part file.
  private static func removeDirectory(_ path: String) -> Bool {
    guard let directory = try? TargetDirectory(path: path) else { return false }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      guard name.hasPrefix("."), name.hasSuffix(".part"), UUID(uuidString: String(name.dropFirst().dropLast(5))) != nil
      else { return false }
      try? directory.remove(name)
    }
    return System.removeDirectory(path)
  }
}
