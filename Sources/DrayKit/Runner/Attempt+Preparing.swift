// Prepares the request of an attempt: examines the destination, takes over the part file or another program's partial
// file, and checks the bytes from which the attempt will continue.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Plans the attempt, and carries out the steps that precede its request.
  /// - Parameter known: The plan, if the destination was already examined.
  func plan(_ known: Result<AttemptPlan, Failure>?) async -> Action {
    job = job.placed(at: registry.mirrors[job.id])
    if known == nil, let failure = await shareRefusal() { return state.refused(byShare: failure) }
    let plan: Result<AttemptPlan, Failure>
    do throws(Failure) { plan = .success(try await prepare(known)) } catch { plan = .failure(error) }
    return state.planned(plan)
  }

  /// Examines the share that contains the job's directory.
  /// - Returns: The reason why the job cannot be transferred on this machine, or a failure of the store; `nil` if the
  ///   job can be transferred.
  func shareRefusal() async -> Failure? {
    do throws(Failure) { try await shares?.admit(job.specification.place) } catch { return error }
    return nil
  }

  private func prepare(_ known: Result<AttemptPlan, Failure>?) async throws(Failure) -> AttemptPlan {
    guard try await takeOver() else { return .cancelled }
    let known = try await takeJournal() ? nil : known
    var plan: AttemptPlan
    if let known { plan = try known.get() } else { plan = try await look() }
    if case .transfer(let made) = plan, job.specification.options.adopts != nil { plan = try await adopting(made) }
    if case .transfer(let made) = plan, job.specification.options.seeding?.isDue ?? false {
      plan = try await seeding(made)
    }
    if case .transfer(let made) = plan { plan = try await checked(made) }
    return plan
  }

  /// Plans the attempt according to the state of its destination.
  func look() async throws(Failure) -> AttemptPlan {
    try await disk.run { [job, cookies, destinations, links = tools.links] () async throws(Failure) in
      try await AttemptPlan.make(job, cookies, destinations).completed(by: links, job)
    }
  }

  // MARK: The part file of an earlier owner

  /// Begins a new generation of the part file if the last owner may still write to the present one. Each step may be
  /// repeated after a crash: the new file is recorded before it exists, and the old file stays recorded until its copy
  /// is on the disk.
  /// - Returns: `false` if the attempt was cancelled.
  private func takeOver() async throws(Failure) -> Bool {
    // A destination without part files takes over each part as a whole.
    guard job.part.mustBeReplaced, job.specification.place.traits.keepsPartFiles else { return true }
    let (old, place, segments) = (job, job.specification.place, job.checkpoint.segments)
    let next = try await disk.run { [destinations] () throws(Failure) -> PartGeneration? in
      let destination = try destinations.open(place)
      let sourceExists = old.part.source.map { destination.hasPart(old.partFileName(of: $0)) } ?? false
      let next = old.part.next(.newGeneration(), sourceExists: sourceExists)
      // The present file is an incomplete copy, or none of its bytes are recorded. A file of another store stays (P17).
      let names = segments.isEmpty ? old.partFileNames : [old.partFileName]
      if segments.isEmpty || next?.source != old.part.number { _ = destinations.all.discardParts(names, at: place) }
      return next
    }
    guard let next else { return true }
    guard let source = next.source, !segments.isEmpty else {
      try await record(PartGeneration(next.number))
      return true
    }
    try await record(next)
    let copied = try await disk.run { [job, signal, destinations] () throws(Failure) -> Bool? in
      try destinations.open(place).copyPart(job.partFileName(of: source), to: job.partFileName, segments) {
        signal.isStopping
      }
    }
    guard copied != nil else { return false }
    try await record(PartGeneration(next.number))
    // A failure does not matter here, because `dray clean` would remove the file, too.
    _ = await disk.attemptRun { [destinations] () throws(Failure) in
      _ = destinations.all.discardParts([old.partFileName(of: source)], at: place)
    }
    return true
  }

  private func record(_ part: PartGeneration) async throws(Failure) {
    guard try await store.recordPart(job.id, runner: runner, part) else { throw .leaseLost(job.id) }
    job.part = part
  }

  // MARK: Another program's partial file

  /// Takes over another program's partial file before the first request for the rest.
  /// - Returns: The next step.
  private func adopting(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    guard let adoption = job.specification.options.adopts, adoption.outcome == nil else { return .transfer(plan) }
    var limited = plan
    limited.limiters = limiters
    let run = AdoptionRun(adoption, limited, engine, signal, cancelFlag)
    guard !isCancelled else { return .cancelled }
    do throws(AdoptionError) {
      let bytes = try await run.run()
      return try await taken(bytes, for: plan)
    } catch {
      guard let refusal = try error.refusal() else { return .cancelled }
      return try await refused(refusal.reason, isFinal: refusal.isFinal)
    }
  }

  /// Records the bytes that were taken over, and plans the transfer of the rest.
  private func taken(_ bytes: AdoptedBytes, for plan: TransferPlan) async throws(AdoptionError) -> AttemptPlan {
    await answered(bytes.response, size: bytes.checkpoint.size)
    guard !isCancelled else {
      _ = await disk.attemptRun { () throws(Failure) in
        try? plan.destination.discardPart(plan.partName)
      }
      return .cancelled
    }
    do throws(Failure) {
      try await checkpointer.adopt(job.id, bytes.outcome, bytes.checkpoint)
      job.specification.options.adopts?.outcome = bytes.outcome
      (job.checkpoint, job.response) = (bytes.checkpoint, bytes.response)
      job.fileName = job.fileName ?? state.names.fixed
      return try await again()
    } catch {
      throw .failed(error)
    }
  }

  /// Continues without the partial file, and reports the reason.
  /// - Parameter isFinal: Whether later attempts must not try to take over the file either.
  private func refused(_ refusal: AdoptionRefusal, isFinal: Bool) async throws(Failure) -> AttemptPlan {
    let outcome = Adoption.Outcome(refusal: refusal.text, wasEmpty: refusal == .empty)
    if isFinal { try await checkpointer.adopt(job.id, outcome, nil) }
    job.specification.options.adopts?.outcome = outcome
    return try await again()
  }

  /// Reports the outcome for the partial file, and examines the destination again, because the target may be taken by
  /// now.
  private func again() async throws(Failure) -> AttemptPlan {
    if let adopted = job.specification.options.adopts { emit(.adopted(adopted)) }
    return try await look()
  }

  // MARK: The bytes on disk

  /// Compares the bytes from which a plan continues with their checksums. Bytes that differ are fetched again, and are
  /// not recorded any more (P2, P12).
  ///
  /// Every attempt does this, because even a part file that was closed cleanly may have been changed since. Soon after
  /// another attempt, the check costs little, because the bytes are still in memory.
  private func checked(_ plan: TransferPlan) async throws(Failure) -> AttemptPlan {
    var plan = try await tied(plan)
    guard let part = plan.part, !plan.checkpoint.segments.isEmpty else { return .transfer(plan) }
    let sums = try await store.sums(of: job.id)
    let check = PartCheck(recorded: plan.checkpoint.segments, sums: sums, isSuspect: plan.isShort)
    guard part.isReadable else {
      // The server has already compared the checksums of the parts of an upload.
      let (segments, known) = check.kept(without: [])
      plan.build(on: segments, known)
      return .transfer(plan)
    }
    let bad = try await hasher.run { [signal] () throws(Failure) -> [BlockSums.Extent]? in
      let isCancelled = { signal.isStopping }
      guard let bad = BlockComparison.differing(check.first, in: part, isCancelled: isCancelled) else { return nil }
      if bad.isEmpty { return bad }
      return BlockComparison.differing(check.rest, in: part, isCancelled: isCancelled).map { bad + $0 }
    }
    guard let bad else { return .cancelled }
    let (segments, known) = check.kept(without: bad)
    plan.build(on: segments, known)
    guard !bad.isEmpty else { return .transfer(plan) }
    // If no byte is left, the attempt starts over and reports this. The record is cleared before the first write.
    if plan.part != nil {
      try await checkpointer.reduce(job.id, to: plan.checkpoint, without: bad)
      emit(.damaged(bytes: check.recorded.count - plan.checkpoint.segments.count))
    }
    return .transfer(plan)
  }

  /// Returns a plan that accepts only the version of the published file under repair. With mirrors, only the checksums
  /// decide, because validators of mirrors differ from the server's.
  private func tied(_ plan: TransferPlan) async throws(Failure) -> TransferPlan {
    let options = job.specification.options
    guard options.repairs != nil, options.mirrors?.isEmpty ?? true else { return plan }
    var plan = plan
    plan.expected.version = try await store.expected(of: job.id)?.repaired
    return plan
  }
}

extension UInt32 {
  /// Returns a random number for a generation of a part file that is not the first.
  static func newGeneration() -> UInt32 { .random(in: 1...UInt32.max) }
}
