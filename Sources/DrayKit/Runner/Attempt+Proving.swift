// Proves an object whose publish was cut off before it was read back.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Finishes the publish of an object that may never have been compared with its digest. The job is not complete before
  /// that (P1, P12).
  func finishUnproved(_ finished: Finished, at path: String) async {
    var finished = finished
    do throws(Failure) {
      guard let proof = try await proof(of: finished) else {
        let stopped = Failure(
          .other, path, "stopped before the object was read back", advice: "\(.run) continues", recovery: .keep)
        return await end(.publishingCutOff(stopped))
      }
      finished.digest = proof.digest ?? finished.digest
      if let note = proof.note { finished.note = JobNote.adding(note, to: finished.note) }
    } catch {
      return await endUnproved(error)
    }
    do throws(Failure) {
      let held = try await store.finish([finished], runner: runner, now: WallClock.now())
      guard held.contains(job.id) else { return await fail(.leaseLost(job.id)) }
      leave(reporting: .complete(path: path, size: finished.received, digest: finished.digest, note: finished.note))
    } catch {
      leave(failingRun: error)
    }
  }

  /// Reads the object back.
  /// - Returns: the proven digest, and a note; `nil` if the run was stopped.
  private func proof(of finished: Finished) async throws(Failure) -> (digest: SourcedDigest?, note: String?)? {
    guard let name = job.fileName else { return (nil, nil) }
    let subject = job.specification.request.url.description
    var (check, note) = (job.recordedCheck, String?.none)
    phase = .verifying
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

  /// Ends the attempt as a publish that was not cut off does.
  private func endUnproved(_ failure: Failure) async {
    switch failure.kind {
    case .store: leave(failingRun: failure)
    case .integrity where failure.leavesWrongObject: await end(.refused(failure))
    // The object is gone.
    case .integrity where failure.recovery == .retry: await mismatch(failure.recovering(.final), resumed: true)
    case .integrity: await fail(failure)
    default: await end(.publishingCutOff(failure))
    }
  }
}
