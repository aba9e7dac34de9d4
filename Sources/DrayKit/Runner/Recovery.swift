internal import DrayEngine
internal import DrayStore
internal import Posix
internal import Threads

/// Recovers the jobs of dead runners, in any process.
enum Recovery {
  /// Releases the jobs of dead runners, and carries out their pending commands.
  static func reap(
    _ store: any JobStoring, _ home: StateDirectory, _ destinations: any Destinations
  ) async throws(Failure) {
    let named = try await store.activeRunners()
    let dead = try await store.deadRunners(among: named)
    guard !dead.isEmpty else { return }
    for job in try await store.movedJobs(ofDeadRunners: dead) {
      // If a part file cannot be moved to its place now, the job and its bytes stay unchanged.
      guard let runner = job.runner, areReached(job, destinations), (try? endMove(of: job)) != nil else { continue }
      try await store.recordMoveEnd(job.id, ofDeadRunner: runner)
    }
    // Delete the part files durably before their jobs: a crash in between leaves jobs without part files, which the
    // next recovery removes, and never part files without jobs (P5). Each round also removes the jobs whose removal was
    // requested during the round before. The last round removes nothing, so that a runner whose lease has begun again
    // keeps its jobs.
    var hasRemoved: Bool
    repeat {
      var doomed = try await store.doomedJobs(ofDeadRunners: dead)
      // If a part file cannot be removed, its job stays, and a later recovery tries again.
      let failures = removeParts(of: doomed, destinations)
      doomed.removeAll { failures[$0.id] != nil }
      let recovered = try await store.applyCommands(ofDeadRunners: dead, removing: Set(doomed.map(\.id)))
      let removed = recovered.filter { $0.command == .remove }
      for one in removed { JobFiles.remove(of: one.job, in: home) }
      hasRemoved = !removed.isEmpty
    } while hasRemoved
    await sweepLeases(store)
  }

  /// Returns whether the directories of a moved job can be examined. If a share does not work here, a file that cannot
  /// be found proves nothing.
  private static func areReached(_ job: Job, _ destinations: any Destinations) -> Bool {
    let move = job.specification.options.moving
    do throws(Failure) {
      for place in [job.specification.place, move?.from, move?.to].compactMap(\.self) {
        _ = try destinations.find(place)
      }
      return true
    } catch {
      return false
    }
  }

  /// Completes an interrupted move of a part file. The job's directory decides where the file belongs (`PartMoveRule`).
  static func endMove(of job: Job) throws(SystemError) {
    guard let move = job.specification.options.moving else { return }
    let place = job.specification.place
    func open(_ place: DirectoryPlace) throws(SystemError) -> TargetDirectory? {
      do throws(SystemError) { return try TargetDirectory(place) } catch {
        // If the directory is missing, it has no part file.
        if error.isMissing || error.code == SystemError.linkInTheWay { return nil }
        throw error
      }
    }
    guard let other = try open((place == move.to ? move.from : move.to).partPlace) else { return }
    let own = try open(place.partPlace)
    if let own, own.isSame(as: other) { return }
    let name = job.partFileName
    let isHere = own?.identity(of: name) != nil
    switch PartMoveRule.decide(move, place: place, isHere: isHere, isThere: other.identity(of: name) != nil) {
    case .nothing: break
    case .remove:
      try other.remove(name)
      try other.sync()
    case .giveBack:
      let home = if let own { own } else { try TargetDirectory(place.partPlace, create: true) }
      try MovedPart(name, from: home, to: other).takeBack()
    }
  }

  /// Forgets dead runners, whether or not they have jobs. If the store cannot be read, no runner is forgotten.
  static func sweepLeases(_ store: any JobStoring) async { try? await store.forgetDeadRunners() }

  /// Removes the part of a job that has no owner, even if only the directory for unfinished files still exists. A
  /// missing part, or a missing destination, is not an error. A part of another store stays (P17).
  static func removePart(of job: Job, _ destinations: any Destinations) {
    _ = destinations.discardParts(job.partFileNames, at: job.specification.place)
  }

  /// Removes the parts of jobs that are about to be deleted, and makes the removal durable: without their jobs, nobody
  /// could find the parts (P5). It is not a failure if the server of an upload no longer exists or refuses: the upload
  /// then stays recorded without its job.
  /// - Returns: The failure for each job whose parts cannot be removed.
  @discardableResult
  static func removeParts(of jobs: [Job], _ destinations: any Destinations) -> [JobID: Failure] {
    var failures: [JobID: Failure] = [:]
    for (place, jobs) in Dictionary(grouping: jobs, by: \.specification.place) {
      let left = destinations.discardParts(jobs.flatMap(\.partFileNames), at: place)
      for job in jobs {
        let failure = job.partFileNames.lazy.compactMap { left[$0] }.first
        if place.object == nil || failure?.kind == .store { failures[job.id] = failure }
      }
    }
    return failures
  }
}

/// The state in which an interrupted publish has left the file.
enum HalfPublished: Sendable {
  case renamed(path: String, Finished)
  case ready(any PartStorage, size: Int64)
  case neither

  /// - Parameter sums: The known checksums of the file, which are used if its inode and its time are not enough.
  static func look(
    _ job: Job, _ destinations: any Destinations, sums: BlockSums
  ) throws(Failure) -> HalfPublished {
    guard let expected = job.publishing, let name = job.fileName else { return .neither }
    // A destination that cannot be examined proves nothing, and may contain the only copy of an answer.
    let destination = try destinations.existing(job.specification.place)
    let bytes = PublishedBytes(sums, job.digest, size: expected.size)
    func settled() throws(Failure) -> HalfPublished? {
      guard let target = try destination.identity(of: name), try bytes.are(target, expected, in: name, of: destination)
      else { return nil }
      // The target exists, but its name may not be on the disk; a publish in two steps may have stopped before the
      // second step.
      let replacement = Conflict.replacement(job, named: name)
      guard try destination.settle(job.partFileName, as: name, target, replacement) else {
        return try look(job, destinations, sums: sums)
      }
      return .renamed(
        path: PathText.join(destination.path, name),
        Finished(
          id: job.id, published: target, received: expected.size, size: expected.size, note: job.note,
          digest: job.knownDigest))
    }
    if let there = try settled() { return there }
    if let part = try destination.openPart(job.partFileName, recorded: job.checkpoint) {
      return try bytes.are(try part.identity(), expected, in: job.partFileName, of: destination)
        ? .ready(part, size: expected.size) : .neither
    }
    // The job's last owner may have renamed the part file after the target was examined.
    return try settled() ?? .neither
  }
}

extension Destinations {
  func existing(_ place: DirectoryPlace) throws(Failure) -> any Destination {
    if let destination = try find(place) { return destination }
    throw Failure(
      .file, place.path, "no such directory", advice: "mount its disk, or create it", recovery: .keep)
  }
}
