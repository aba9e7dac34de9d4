// Deletes finished jobs and stray part files (P5).

internal import DrayEngine
internal import DrayStore
internal import Posix
internal import Threads

/// The results of ``DownloadManager/clean(directory:olderThan:)``.
public struct CleanReport: Sendable, Equatable {
  /// A file that was left, with the reason.
  public struct Left: Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The reason, as a clause without a full stop.
    public var reason: String
    /// How to remove the file.
    public var advice: Advice?
    /// Whether the user named this file.
    public var wasNamed: Bool
  }

  /// The number of deleted jobs.
  public var forgotten = 0
  /// Part files and request bodies that were removed.
  public var removed: [String] = []
  /// The objects whose unfinished uploads were aborted.
  public var aborted: [String] = []
  /// The number of unfinished uploads below the given place that this store did not begin.
  public var others = 0
  /// Part files that were left although no job of this store owns them.
  public var left: [Left] = []

  /// Creates a report.
  public init(forgotten: Int = 0, removed: [String] = []) {
    self.forgotten = forgotten
    self.removed = removed
  }
}

extension DownloadManager {
  /// Deletes complete and failed jobs; aborts uploads of this store that no job uses; and removes part files that no
  /// job owns, from the directories of all jobs, from those for their unfinished files, and from `directory`. Files
  /// that other programs may need are left (`StrayRule`).
  /// - Parameters:
  ///   - path: Another directory to clean; a part file to remove even if its owner is unknown; or a place in an object
  ///     store. For such a place, only the uploads below it are aborted, and those of other programs are counted.
  ///   - olderThan: How long ago a job must have ended to be deleted, in seconds; `nil` deletes all.
  /// - Throws: Kind `store`, or kind `file` for a directory that cannot be read.
  public func clean(directory path: String? = nil, olderThan: Double? = nil) async throws(Failure) -> CleanReport {
    try await executor.run { () async throws(Failure) in
      try await self.cleanBlocking(directory: path, olderThan: olderThan)
    }
  }

  private func cleanBlocking(directory path: String?, olderThan: Double?) async throws(Failure) -> CleanReport {
    try await refresh()
    var directories: Set<DirectoryPlace> = []
    do {
      try await store.forEachSummary { summary in
        guard summary.place.traits.keepsPartFiles else { return }
        directories.formUnion([summary.place.alone, summary.place.partPlace.alone])
      }
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.other, store.path, "\(error)")
    }
    var report = CleanReport()
    // A bucket concerns uploads only, and neither jobs nor files of this machine.
    if let path, ObjectPlace.isMeant(by: path) {
      report.others = try await uploadsOfOthers(below: path)
      await abortStrayUploads(below: ObjectPlace(path), &report)
      return report
    }
    let named = path.flatMap { DownloadManager.isPartFile($0) ? $0 : nil }
    let directory = named.map { PathText.directory(of: $0) } ?? path
    if let directory {
      try await removeStrays(in: DirectoryPlace(directory), named: named, isRequired: true, &report)
    }
    for one in directories.sorted(by: { $0.path < $1.path }) where one.path != directory {
      try await removeStrays(in: one, isRequired: false, &report)
    }
    await abortStrayUploads(&report)
    report.forgotten = try await store.forgetFinished(before: olderThan.map { WallClock.now() - $0 })
    report.removed += try await BodyFiles.sweep(home) { () async throws(Failure) in try await store.bodyNames() }
    report.removed += try await JournalFiles.sweep(home, store)
    report.removed += DownloadManager.cleanTemporary()
    await Recovery.sweepLeases(store)
    return report
  }

  /// Removes files from the temporary directory that belong to fetches without a job whose process died. It needs no
  /// job store.
  /// - Returns: The removed paths.
  package static func cleanTemporary() -> [String] { SpoolDirectory.sweep() }

  /// Returns whether a path ends in the name of a part file.
  package static func isPartFile(_ path: String) -> Bool {
    Job.ofPartFile(named: PathText.name(of: path)) != nil
  }

  private func removeStrays(
    in place: DirectoryPlace, named: String? = nil, isRequired: Bool, _ report: inout CleanReport
  ) async throws(Failure) {
    let (open, names): (TargetDirectory, [String])
    do throws(SystemError) {
      open = try TargetDirectory(place)
      names = try open.names()
    } catch {
      guard isRequired else { return }
      throw Failure(.file, place.path, "this directory cannot be read", advice: "check the path and its permissions")
    }
    let parts = names.compactMap { name in Job.ofPartFile(named: name).map { (name: name, uuid: $0) } }
    // Read the directory before the store, so that the store knows the jobs that start in between.
    let owned = try await store.unfinished(among: Set(parts.map(\.uuid)))
    let nameOnly = named.map { PathText.name(of: $0) }
    if let named, parts.contains(where: { $0.name == nameOnly && owned.contains($0.uuid) }) {
      report.left.append(
        .init(path: named, reason: "a job of this store uses it", advice: "\(.remove) removes both", wasNamed: true))
    }
    for (name, uuid) in parts.sorted(by: { $0.name < $1.name }) {
      if owned.contains(uuid) {
        // The job does not use part files of earlier generations, whose owners died. Its present part file was recorded
        // before it was created, so a file with another name is an earlier one.
        guard let job = try await store.job(uuid: uuid), !job.part.mustBeReplaced, job.part != PartGeneration(),
          !job.partFileNames.contains(name), name != PartName.copy(of: job.partFileName)
        else { continue }
      }
      let (path, isNamed) = (PathText.join(place.path, name), name == nameOnly)
      let isKnown = PartName.isHidden(name) ? false : try await store.job(uuid: uuid) != nil
      switch remove(name, in: open, path, isNamed: isNamed, isKnown: isKnown) {
      case .removed: report.removed.append(path)
      case .gone: break
      case .left(let reason, let advice):
        report.left.append(.init(path: path, reason: reason, advice: advice, wasNamed: isNamed))
      }
    }
  }

  private enum Stray {
    case removed, gone
    case left(String, Advice?)
  }

  /// - Parameter isKnown: Whether a job of this store has the part file's UUID.
  private func remove(
    _ name: String, in directory: TargetDirectory, _ path: String, isNamed: Bool, isKnown: Bool
  ) -> Stray {
    do throws(SystemError) {
      guard let stray = try StrayPart(name, in: directory) else { return .gone }
      var facts = stray.facts(store: store.label, now: WallClock.now())
      if isKnown, facts.owner == .unknown { facts.owner = .thisStore }
      guard StrayRule.isPartFile(facts, isHidden: PartName.isHidden(name), isNamed: isNamed, isKnown: isKnown) else {
        return .gone
      }
      if let objection = StrayRule.reasonToLeave(facts, isNamed: isNamed, path: path) {
        return .left(objection.reason, objection.advice)
      }
      return try stray.remove() ? .removed : .gone
    } catch {
      return .left(error.failure(path).reason, nil)
    }
  }
}
