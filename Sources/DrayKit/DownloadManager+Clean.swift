// Forgetting finished jobs and removing part files that nobody owns (P5).

internal import DrayEngine
internal import Foundation

/// What was cleaned.
public struct CleanReport: Sendable, Equatable {
  /// Jobs that were forgotten.
  public var forgotten = 0
  /// Part files, and bodies of requests, that were removed.
  public var removed: [String] = []

  /// Makes a report.
  public init(forgotten: Int = 0, removed: [String] = []) {
    self.forgotten = forgotten
    self.removed = removed
  }
}

extension DownloadManager {
  /// Forgets jobs that are complete or failed, and removes part files that no job owns: from the directories of all
  /// jobs, and from `directory`.
  /// - Parameter olderThan: seconds since a job ended; what ended later is kept.
  /// - Throws: kind `store`, or kind `file` for a directory that cannot be read.
  public func clean(directory: String? = nil, olderThan: Double? = nil) throws(Failure) -> CleanReport {
    try refresh()
    var directories: Set<String> = []
    do {
      try store.forEachSummary { directories.insert($0.directory) }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.other, store.path, "\(error)")
    }
    var report = CleanReport()
    if let directory { report.removed += try strays(in: directory, isRequired: true) }
    for one in directories.sorted() where one != directory {
      report.removed += try strays(in: one, isRequired: false)
    }
    report.forgotten = try store.forgetFinished(before: olderThan.map { WallClock.now() - $0 })
    report.removed += try BodyFiles.sweep(home) { () throws(Failure) in try store.bodyNames() }
    report.removed += DownloadManager.cleanTemporary()
    Recovery.sweepLeases(store, home)
    return report
  }

  /// Removes what fetches without a job left in the directory for temporary files when their process died.
  /// - Returns: the paths that were removed. Needs no job store.
  public static func cleanTemporary() -> [String] { SpoolDirectory.sweep() }

  private func strays(in path: String, isRequired: Bool) throws(Failure) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      guard isRequired else { return [] }
      throw Failure(.file, path, "this directory cannot be read", advice: "check the path and its permissions")
    }
    let parts = Set(names.compactMap(DownloadManager.owner))
    // First the directory, then the store: a job that begins in between is known.
    let strays = parts.subtracting(try store.unfinished(among: parts))
    guard !strays.isEmpty, let open = try? TargetDirectory(path: path) else { return [] }
    return strays.map(Job.partFileName).sorted().filter { name in
      open.identity(of: name) != nil && (try? open.remove(name)) != nil
    }.map { Job.join(path, $0) }
  }

  /// Whose part file has this name; `nil` for other names.
  private static func owner(of name: String) -> UUID? {
    guard name.hasPrefix("."), name.hasSuffix(".part") else { return nil }
    return UUID(uuidString: String(name.dropFirst().dropLast(5))).flatMap { Job.partFileName($0) == name ? $0 : nil }
  }
}
