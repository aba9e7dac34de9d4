// Completes jobs that have nothing to fetch, because the target is the server's version.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Returns whether the server's file has a different length than the target although it is not newer. A 304 for the
  /// target's time does not show the length, so the server is asked for the length.
  func hasOtherLength(_ response: ResponseRecord?) async -> Bool {
    guard response?.head.status == 304, let baseline = job.specification.request.cache?.ifChanged,
      baseline.hasOtherLength != true, let name = state.names.fixed ?? job.fileName ?? baseline.name
    else { return false }
    let looked = await worker.attemptRun { [destinations, job] () throws(Failure) in
      try destinations.find(job.specification.place)?.identity(of: name)
    }
    guard let found = try? looked.get() else { return false }
    // Some servers send the file's length with a 304; other servers send 0.
    let told = (try? ContentLength.parse(response?.head.all("content-length") ?? [])) ?? nil
    let size = baseline.size(of: found)
    if let told, told > 0 { return told != size }
    guard baseline.leavesLengthOpen(for: found),
      let request = try? job.specification.request.credentialed(),
      let cookies = try? await cookies.given(for: request, job: job.id),
      let answer = try? await engine.probe(request, cookies: cookies),
      let length = ResponseFacts(answer.response).size
    else { return false }
    return length != size
  }

  /// Completes the job. Its target is up to date and stays unchanged.
  /// - Parameter compared: The digest of the received bytes, if they were compared with those of the target.
  func finishUpToDate(
    _ response: ResponseRecord?, _ compared: AttemptStateMachine.Compared?
  ) async -> Action {
    let baseline = job.specification.request.cache?.ifChanged
    let edited = compared == nil ? baseline?.published : nil
    let note =
      edited != nil
      ? "the server's version is the one that was fetched; the file was changed here since, and stays"
      : "up to date: \(compared == nil ? "nothing was fetched" : "the file there has the same bytes")"
    await abandonPart()
    await removePart()
    do throws(Failure) {
      let name = try await targetName(baseline)
      let path = PathText.join(job.specification.directory, name)
      let digest = job.specification.options.digest
      let found = await hasher.attemptRun { [signal, destinations, job] () throws(Failure) in
        let destination = try destinations.all.find(job.specification.place)
        return try UpToDate.look(name, path, in: destination, digest, known: baseline) { signal.isStopping }
      }
      guard let found = try found.get(),
        let proof = try await judge(found, named: name, response, isEdited: edited != nil)
      else {
        // The run may have ended before it could cancel the attempt.
        if signal.isHalted { cancelForEnd() }
        return state.stopped()
      }
      // The record keeps describing the fetched file and not the edited one, so that the edit is noticed next time,
      // too.
      let recorded = edited ?? found
      let before = baseline?.digest.map { SourcedDigest($0, baseline?.digestSource ?? job.digestSource ?? .given) }
      let finished = Finished(
        id: job.id, published: recorded, received: recorded.size, size: recorded.size,
        note: proof.note.map { JobNote.adding($0, to: note) } ?? note,
        digest: edited != nil
          ? before : digest.map { SourcedDigest($0, .given) } ?? proof.digest ?? compared?.digest ?? before,
        attempt: record("up to date"))
      // Keep a recorded answer that delivered the file, because it is more useful than a 304. An answer of another
      // version, which was not published, must not count as that of the file.
      if let response, !job.hasAnswer(of: baseline?.validators) {
        try await worker.run { [store, job, runner] () async throws(Failure) in
          _ = try await store.recordResponse(job.id, runner: runner, response, size: nil)
        }
      }
      guard try await end(finished, arranging: name).get() else { throw Failure.leaseLost(job.id) }
      return .leave(.upToDate(path: path, isEdited: edited != nil), bytes: found.size)
    } catch {
      return state.failed(error)
    }
  }

  /// Returns the name of the target, and fixes it if it is not fixed.
  private func targetName(_ baseline: TargetBaseline?) async throws(Failure) -> String {
    if let name = state.names.fixed ?? job.fileName { return name }
    guard let name = baseline?.name else { return TargetName.provisional(job) }
    let fixed = try await store.fixName(
      job.id, runner: runner, directory: job.specification.directory, name: name, policy: .fail, taken: [])
    guard let fixed else { throw Failure.leaseLost(job.id) }
    return fixed
  }
}

private enum UpToDate {
  /// Returns the file's identity, after comparing a given digest; `nil` if cancelled. The call blocks the calling
  /// thread.
  static func look(
    _ name: String, _ target: String, in destination: (any Destination)?, _ digest: DigestValue?,
    known: TargetBaseline?, isCancelled: () -> Bool
  ) throws(Failure) -> FileIdentity? {
    guard let destination, let identity = try destination.identity(of: name) else {
      throw Failure(.file, target, "it disappeared after it was compared", advice: "repeat the command to fetch it")
    }
    guard let digest, digest != known?.knownDigest(of: identity) else { return identity }
    guard let file = try? destination.openTarget(name) else {
      throw Failure(.file, target, "it cannot be read to check its digest", advice: "check its permissions")
    }
    guard let found = try FileHashing.digest(digest.algorithm, file, identity.size, isCancelled) else {
      return nil
    }
    guard found == digest else {
      throw Failure(
        .integrity, target, "it is up to date, but its digest is \(found.hex), expected \(digest.hex)",
        advice: known == nil ? "move it away to fetch it again" : "omit \(.ifChanged) to fetch it again")
    }
    return identity
  }
}

extension Job {
  /// Whether the recorded answer may be that of the version with these validators.
  func hasAnswer(of version: Validators?) -> Bool {
    guard let recorded = response?.head.validators else { return false }
    guard let version else { return true }
    return recorded.etag == version.etag && recorded.lastModified == version.lastModified
  }
}
