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
    // First the directory, then the store: a job that begins in between is known.
    let known = try store.knownUUIDs(in: path)
    var removed: [String] = []
    for name in names {
      guard name.hasPrefix("."), name.hasSuffix(".part"),
        let uuid = UUID(uuidString: String(name.dropFirst().dropLast(5))), !known.contains(uuid),
        Job.partFileName(uuid) == name, let open = try? TargetDirectory(path: path), open.identity(of: name) != nil
      else { continue }
      if (try? open.remove(name)) != nil { removed.append(Job.join(path, name)) }
    }
    return removed
  }
}
