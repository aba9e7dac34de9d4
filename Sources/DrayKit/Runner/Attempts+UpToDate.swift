// A job that has nothing to fetch: the target is of the version that the server has.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
extension Attempts {
  /// Makes a job complete whose target is up to date, untouched.
  func upToDate(_ job: Job, _ response: ResponseRecord?) async {
    let baseline = job.specification.request.cache?.ifChanged
    await checkpointer.forgetCounts(of: job.id)
    await removePart(of: job)
    do throws(Failure) {
      let name = try await targetName(job, baseline)
      let path = PathText.join(job.specification.directory, name)
      let digest = job.specification.options.digest
      let found = await hasher.attemptRun { [signal, destinations] () throws(Failure) in
        let destination = try destinations.all.find(job.specification.place)
        return try UpToDate.look(name, path, in: destination, digest, known: baseline) { signal.isStopping }
      }
      guard let found = try found.get() else { return await endCancelled(job, nil) }
      let finished = Finished(
        id: job.id, published: found, received: found.size, size: found.size, note: "up to date: nothing was fetched",
        digest: digest.map { SourcedDigest($0, .given) }
          ?? baseline?.digest.map { SourcedDigest($0, job.digestSource ?? .given) },
        attempt: record("up to date", job))
      _ = try await worker.run { [store, id] () async throws(Failure) in
        // What is recorded of the answer that brought the file says more than a 304.
        if let response, job.response == nil {
          _ = try await store.recordResponse(job.id, runner: id, response, size: nil)
        }
        return try await store.finish([finished], runner: id, now: WallClock.now())
      }
      leave(job, reporting: .upToDate(path: path), bytes: found.size)
    } catch {
      await fail(job, error, nil)
    }
  }

  /// The name of the target, fixed if it was not yet.
  private func targetName(_ job: Job, _ baseline: TargetBaseline?) async throws(Failure) -> String {
    if let name = running[job.id]?.fixedName ?? job.fileName { return name }
    guard let name = baseline?.name else { return TargetName.provisional(job) }
    let fixed = try await store.fixName(
      job.id, runner: id, directory: job.specification.directory, name: name, policy: .fail, exists: { _ in false })
    guard let fixed else { throw Failure.leaseLost(job.id) }
    return fixed
  }
}

/// A target that is up to date, as it was checked.
private enum UpToDate {
  /// Which file it is, after its digest was proved where one is asked for; `nil` if that was given up. Blocks.
  static func look(
    _ name: String, _ target: String, in destination: (any Destination)?, _ digest: DigestValue?,
    known: TargetBaseline?, isCancelled: () -> Bool
  ) throws(Failure) -> FileIdentity? {
    guard let destination, let identity = destination.identity(of: name) else {
      throw Failure(.file, target, "it disappeared after it was compared", advice: "repeat the command to fetch it")
    }
    let isUnchanged = known?.identity.map(identity.isUnchanged) ?? false
    guard let digest, !isUnchanged || digest != known?.digest else { return identity }
    guard let file = try? destination.openTarget(name) else {
      throw Failure(.file, target, "it cannot be read to check its digest", advice: "check its permissions")
    }
    guard let found = try FileHashing.digest(digest.algorithm, file, identity.size, isCancelled) else {
      return nil
    }
    guard found == digest else {
      throw Failure(
        .integrity, target, "it is up to date, but its digest is \(found.hex), expected \(digest.hex)",
        advice: "omit \(.ifChanged) to fetch it again")
    }
    return identity
  }
}
