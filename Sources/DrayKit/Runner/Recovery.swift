// What is done about jobs whose runner died.

internal import DrayEngine
internal import DrayStore
internal import Glibc
internal import Posix
internal import Threads

/// Recovery that any process may do.
enum Recovery {
  /// Sets the jobs of dead runners free, and does what those had been asked and did not do.
  static func reap(
    _ store: any JobStoring, _ home: StateDirectory, _ destinations: any Destinations
  ) async throws(Failure) {
    let named = try await store.activeRunners()
    let dead = try await store.deadRunners(among: named)
    guard !dead.isEmpty else { return }
    for job in try await store.movedJobs(ofDeadRunners: dead) {
      // What cannot be put in its place now is left, and what was received there with it.
      guard let runner = job.runner, (try? endMove(of: job)) != nil else { continue }
      try await store.recordMoveEnd(job.id, ofDeadRunner: runner)
    }
    // The part files first, and durably: whatever a crash leaves then is a job that is still to be removed, not a file that is
    // nobody's (P5). A job that is to be removed meanwhile has its turn in the next round.
    var doomed: [Job]
    repeat {
      doomed = try await store.doomedJobs(ofDeadRunners: dead)
      // What cannot be removed keeps its job, for another time.
      let failures = removeParts(of: doomed, destinations)
      doomed.removeAll { failures[$0.id] != nil }
      let recovered = try await store.applyCommands(ofDeadRunners: dead, removing: Set(doomed.map(\.id)))
      for one in recovered where one.command == .remove { BodyFiles.remove(of: one.job, in: home) }
    } while !doomed.isEmpty
    await sweepLeases(store)
  }

  /// Ends the move of a part file that was cut off: the directory of the job decides where it belongs (`PartMoveRule`).
  static func endMove(of job: Job) throws(SystemError) {
    guard let move = job.specification.options.moving else { return }
    let place = job.specification.place
    func open(_ place: DirectoryPlace) throws(SystemError) -> TargetDirectory? {
      do throws(SystemError) { return try TargetDirectory(place) } catch {
        // One that is not there has nothing of it.
        if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
        throw error
      }
    }
    guard let other = try open(place == move.to ? move.from : move.to) else { return }
    let own = try open(place)
    if let own, own.isSame(as: other) { return }
    let name = job.partFileName
    let isHere = own?.identity(of: name) != nil
    switch PartMoveRule.decide(move, place: place, isHere: isHere, isThere: other.identity(of: name) != nil) {
    case .nothing: break
    case .remove:
      try other.remove(name)
      try other.sync()
    case .giveBack:
      let home = if let own { own } else { try TargetDirectory(place, create: true) }
      try MovedPart(name, from: home, to: other).takeBack()
    }
  }

  /// Forgets runners that died, with jobs or without. A store that cannot be read keeps them.
  static func sweepLeases(_ store: any JobStoring) async { try? await store.forgetDeadRunners() }

  /// Removes the part of a job without a holder. A missing one is not an error; a destination that is gone took it along;
  /// one of another store is left (P17).
  static func removePart(of job: Job, _ destinations: any Destinations) {
    try? destinations.find(job.specification.place)?.discardPart(job.partFileName)
  }

  /// Removes the parts of jobs that are to be forgotten, durably: nobody would know where to search for them (P5).
  /// - Returns: the jobs whose parts cannot be removed, and why.
  @discardableResult
  static func removeParts(of jobs: [Job], _ destinations: any Destinations) -> [JobID: Failure] {
    var failures: [JobID: Failure] = [:]
    for (place, jobs) in Dictionary(grouping: jobs, by: \.specification.place) {
      let left = destinations.discardParts(jobs.map(\.partFileName), at: place)
      for job in jobs { failures[job.id] = left[job.partFileName] }
    }
    return failures
  }
}

@RunActor
extension Attempts {
  /// Finishes the publish of a job that this runner holds.
  func finishPublish(_ job: Job) async {
    let outcome = await disk.attemptRun { [destinations, store] () async throws(Failure) in
      try HalfPublished.look(job, destinations.all, sums: try await store.sums(of: job.id))
    }
    switch outcome {
    case .success(.renamed(let path, let finished)):
      do throws(Failure) {
        _ = try await store.finish([finished], runner: id, now: WallClock.now())
        if let failure = await disproved(job, size: finished.received) {
          // It was published before anybody asked for this digest, and so is as complete as it was.
          leave(job, reporting: .failed(failure))
        } else {
          leave(job, reporting: .complete(path: path, size: finished.received, digest: job.knownDigest, note: job.note))
        }
      } catch {
        leave(job.id, failingRun: error)
      }
    case .success(.ready(let part, let size)) where job.hasProved:
      publish(job, part, size: size, PublishFacts(digest: job.knownDigest, note: job.note))
    case .success(.ready(let part, let size)):
      await check(
        job, part, size: size, response: job.response, offered: job.checkpoint.offered, resumed: true, note: job.note)
    case .failure(let failure):
      await end(job, .publishingCutOff(failure))
    case .success(.neither) where !job.specification.request.isSafe:
      await end(job, .answerLost("its file was lost while it was published"))
    case .success(.neither):
      // As if it had never begun: the attempt that follows checks what there is.
      await attempt(job)
    }
  }

  /// What there is to say of a file that was published before a digest or a length was asked for, if it does not have them.
  private func disproved(_ job: Job, size: Int64) async -> Failure? {
    guard !job.hasProved, let name = job.fileName else { return nil }
    let proved = await hasher.attemptRun { [signal, destinations] () throws(Failure) in
      let destination = try destinations.all.existing(job.specification.place)
      try FileHashing.prove(job.specification.options, name, in: destination, size: size) {
        signal.isStopping
      }
    }
    if case .failure(let failure) = proved { return failure }
    return nil
  }
}

extension Job {
  /// Whether what is asked of the file was asked when its publish began, and was proved then: its user may have asked for a
  /// digest or a length since (P12).
  fileprivate var hasProved: Bool { specification.options.areProved(by: digest, size: publishing?.size) }
}

/// A publish that was cut off: how far it came.
enum HalfPublished: Sendable {
  case renamed(path: String, Finished)
  case ready(any PartStorage, size: Int64)
  case neither

  /// - Parameter sums: the known checksums of the file, for when its number and time do not suffice.
  static func look(
    _ job: Job, _ destinations: any Destinations, sums: BlockSums
  ) throws(Failure) -> HalfPublished {
    guard let expected = job.publishing, let name = job.fileName else { return .neither }
    // A destination that cannot be looked into proves nothing: what is in it may be all there is of an answer.
    let destination = try destinations.existing(job.specification.place)
    func isIt(_ found: FileIdentity?, _ name: String) throws(Failure) -> Bool {
      switch found?.recognition(of: expected) {
      case .same?: true
      case .renumbered?, .retimed?:
        try PublishedBytes(sums, job.digest, size: expected.size).are(in: name, of: destination)
      case .other?, nil: false
      }
    }
    if let target = destination.identity(of: name), try isIt(target, name) {
      // It has the name. Whether that is durable is unknown, and whether a publish of two steps got to the second.
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
    guard let part = try destination.openPart(job.partFileName) else { return .neither }
    return try isIt(try part.identity(), job.partFileName) ? .ready(part, size: expected.size) : .neither
  }
}

extension Destinations {
  /// Opens a destination that must be there.
  func existing(_ place: DirectoryPlace) throws(Failure) -> any Destination {
    if let destination = try find(place) { return destination }
    throw Failure(
      .file, place.path, "no such directory", advice: "mount its disk, or create it", recovery: .keep)
  }
}
