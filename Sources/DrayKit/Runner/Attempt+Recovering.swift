// Finishes a publish that was interrupted by a crash, or by a suspension of the run.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Examines the files that an interrupted publish has left.
  func findPublished() async -> Action {
    if let failure = await shareRefusal() { return state.refused(byShare: failure) }
    let found = await disk.attemptRun { [job, destinations, store] () async throws(Failure) in
      try HalfPublished.look(job, destinations.all, sums: try await store.sums(of: job.id))
    }
    if case .success(.ready) = found, job.mayLackProof { search = DigestSearchTask(job.specification, engine) }
    return state.found(found, of: job)
  }

  /// Examines whether the file has its name although its publish failed. The job's last owner may have been paused
  /// inside its rename; the rename takes effect when that process continues (P20).
  func lookAgain(_ failure: Failure) async -> Action {
    guard failure.kind == .file, let recorded = try? await store.job(job.id), recorded.runner == runner,
      recorded.publishing != nil
    else { return state.lookedAgain(.neither, of: job) }
    let found = await disk.attemptRun { [destinations, store] () async throws(Failure) -> HalfPublished in
      // If the part file exists, the failure has another cause.
      guard let destination = try destinations.all.find(recorded.specification.place),
        !destination.hasPart(recorded.partFileName)
      else { return .neither }
      return try HalfPublished.look(recorded, destinations.all, sums: try await store.sums(of: recorded.id))
    }
    guard case .success(.renamed(let path, let finished)) = found else { return state.lookedAgain(.neither, of: job) }
    job = recorded
    return state.lookedAgain(.renamed(path: path, finished), of: job)
  }

  /// Records a file that was published after it had passed all checks that were required at that time.
  func record(_ finished: Finished, at path: String) async throws(Failure) -> Action {
    switch try await end(finished, arranging: job.fileName) {
    case .failure(let failure): return state.notProved(failure, path: path)
    case .success(false): return state.failed(.leaseLost(job.id))
    case .success(true): break
    }
    // The digest was required only after the file had been published, so the job stays complete even if the digest does
    // not match.
    if let failure = await disproved(size: finished.received) { return .leave(.failed(failure), bytes: 0) }
    return .leave(
      .complete(path: path, size: finished.received, digest: job.knownDigest, note: job.note), bytes: 0)
  }

  /// Makes a published file visible to the programs that it is for, and completes the job. If another process has asked
  /// for another link or entry in the meantime, both are done once more.
  /// - Parameter name: The file's name; `nil` if nothing can be arranged.
  /// - Returns: Whether the runner owned the job, or why the file cannot be arranged.
  func end(_ finished: Finished, arranging name: String?) async throws(Failure) -> Result<Bool, Failure> {
    var finished = finished
    while true {
      let arrangements = job.specification.arrangements
      if let name, !arrangements.isEmpty {
        let arranged = await disk.attemptRun { [job] () throws(Failure) in
          try Arranging().finish(job.specification, named: name)
        }
        if case .failure(let failure) = arranged { return .failure(failure) }
        finished.arranged = arrangements
      }
      let held = try await store.finish([finished], runner: runner, now: WallClock.now())
      if held.contains(job.id) { return .success(true) }
      guard finished.arranged != nil, let recorded = try await store.job(job.id), recorded.state == .active,
        recorded.runner == runner, recorded.specification.arrangements != arrangements
      else { return .success(false) }
      job.specification.options.source = recorded.specification.options.source
    }
  }

  /// Returns the failure if a published file does not match a digest or a length that was required later; otherwise
  /// `nil`.
  private func disproved(size: Int64) async -> Failure? {
    guard !job.hasProved, let name = job.fileName else { return nil }
    let proved = await hasher.attemptRun { [signal, job, destinations] () throws(Failure) in
      let destination = try destinations.all.existing(job.specification.place)
      try FileHashing.prove(job.specification.options, name, in: destination, size: size) {
        signal.isStopping
      }
    }
    if case .failure(let failure) = proved { return failure }
    return nil
  }

  /// Finishes the publish of an object that may never have been compared with its digest. Until then, the job is not
  /// complete (P1, P12).
  func prove(_ finished: Finished, at path: String) async throws(Failure) -> Action {
    var finished = finished
    do throws(Failure) {
      guard let proof = try await proof(of: finished) else { return state.notProved(nil, path: path) }
      finished.digest = proof.digest ?? finished.digest
      if let note = proof.note { finished.note = JobNote.adding(note, to: finished.note) }
    } catch {
      return state.notProved(error, path: path)
    }
    let held = try await store.finish([finished], runner: runner, now: WallClock.now())
    guard held.contains(job.id) else { return state.failed(.leaseLost(job.id)) }
    return .leave(
      .complete(path: path, size: finished.received, digest: finished.digest, note: finished.note), bytes: 0)
  }

  /// Reads the object from its server, and compares its digests.
  /// - Returns: The proven digest, and a note; `nil` if the run was stopped.
  private func proof(of finished: Finished) async throws(Failure) -> (digest: SourcedDigest?, note: String?)? {
    guard let name = job.fileName else { return (nil, nil) }
    let subject = job.specification.request.url.description
    var (check, note) = (job.recordedCheck, String?.none)
    state.verifying()
    search = DigestSearchTask(job.specification, engine)
    if let search {
      guard let result = await search.result() else { return nil }
      note = try search.add(result, to: &check, subject)
    }
    guard !check.algorithms.isEmpty else { return (nil, note) }
    let destination = try await disk.run { [job, destinations] () throws(Failure) in
      try destinations.all.existing(job.specification.place)
    }
    do throws(Failure) {
      let digest = try await destination.proveTarget(
        name, finished.published, check.algorithms, isStopped: { [signal] in signal.isStopping }
      ) { [check] (found) throws(Failure) in
        try DigestCheck.outcome(check.verdict(found), subject).digest
      }
      return (digest, note)
    } catch {
      if signal.isStopping, error.kind != .integrity { return nil }
      throw error
    }
  }
}

extension Job {
  /// Whether the checks that are required now had all been passed when the publish began. The user may have added a
  /// digest or a length since then (P12).
  var hasProved: Bool { specification.options.areProved(by: digest, size: publishing?.size) }
}
