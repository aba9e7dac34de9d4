// The life of one attempt as a state machine: its states, and the action that follows each event. The state machine has
// no effects: `Attempt` carries out the actions, and reports their results as the next events.

internal import DrayEngine
internal import DrayStore

/// The states of an attempt. Each method stands for an event, and returns the next action.
struct AttemptStateMachine: Sendable {
  private enum State: Sendable {
    /// Either the share, the part file and the target are being examined, or the files that an interrupted publish has
    /// left.
    case preparing
    /// Bytes are being received or sent.
    case transferring
    /// All bytes are present, and are compared with what is known about the file.
    case checking(WholeFile)
    /// A checked file is brought to its target's place.
    case staging(size: Int64, PublishFacts)
    /// The publisher has the file.
    case publishing
    /// The publish failed with this failure, but the file may have got its name nevertheless.
    case doubting(Failure)
    /// The object store refused an upload, which may start over once. If that fails as well, the attempt ends in this
    /// way.
    case uploadingAgain(Failure, AttemptEnd)
    /// The bytes are not those of the file, and a remedy is being chosen.
    case mismatched(Failure, isPage: Bool)
    /// The attempt failed, but pending commands are read first.
    case failing(Failure, TransferOutcome?)
    /// The share of the job's directory may have caused a failure. If it did not cause the failure, the attempt ends in
    /// this way.
    case judging(otherwise: AttemptEnd, TransferOutcome?)
    /// The end is being recorded, or the attempt has left the run.
    case ending
  }

  let id: JobID
  private var state: State
  private(set) var place: Place
  /// The phase to show; it stays the same while an end is being decided.
  private(set) var phase: JobPhase
  private(set) var cancelled: CancelReason?
  var names: TargetNames

  init(_ id: JobID, _ beginning: Beginning) {
    (self.id, names) = (id, TargetNames(job: id))
    (state, place, phase) =
      switch beginning {
      case .slot: (.preparing, .slot, .connecting)
      case .transfer: (.transferring, .slot, .connecting)
      case .publish: (.publishing, .publisher, .publishing)
      }
  }

  var isCancelled: Bool { cancelled != nil }

  var hasCommand: Bool { if case .end(.command)? = cancelled { true } else { false } }

  // MARK: Beginning

  /// - Parameters:
  ///   - plan: The plan, if the destination was already examined.
  ///   - isPublished: Whether an earlier attempt began to publish the file.
  func begin(_ plan: Result<AttemptPlan, Failure>?, isPublished: Bool) -> Action {
    // Finish an interrupted publish before anything is started again, however the job returned to the queue.
    isPublished ? .findPublished : .plan(plan)
  }

  /// The share of the job's directory does not work here, so that another machine must transfer the job; or the store
  /// failed.
  mutating func refused(byShare failure: Failure) -> Action { handBack(failure, nil) }

  mutating func planned(_ plan: Result<AttemptPlan, Failure>) -> Action {
    guard case .preparing = state else { return .wait }
    switch plan {
    case .failure(let failure): return failed(failure)
    case .success(.skip(let path)): return end(.skipped(path: path))
    case .success(.cancelled): return stopped()
    case .success(.transfer) where isCancelled: return stopped()
    case .success(.transfer(let plan)): return .transfer(plan)
    }
  }

  mutating func found(_ found: Result<HalfPublished, Failure>, of job: Job) -> Action {
    guard case .preparing = state else { return .wait }
    switch found {
    case .success(.renamed(let path, let finished)): return renamed(finished, path, job)
    case .success(.ready(let part, let size)) where job.hasProved && !job.mayLackProof:
      state = .staging(size: size, PublishFacts(digest: job.knownDigest, note: job.note))
      return .stage(part, size: size)
    case .success(.ready(let part, let size)):
      return isWhole(
        WholeFile(
          part: part, size: size, response: job.response, offered: job.recordedCheck.offered, isResumed: true,
          note: job.note))
    case .success(.neither) where !job.specification.request.isSafe:
      return end(.answerLost("its file was lost while it was published"))
    // Neither file exists. Continue as if the publish had never started, and examine the destination.
    case .success(.neither): return .plan(nil)
    case .failure(let failure): return judge(failure, otherwise: .publishingCutOff(failure))
    }
  }

  // MARK: The transfer

  mutating func transferBegan() { state = .transferring }

  /// The head of the answer has arrived.
  mutating func answered() { if phase == .connecting { phase = .receiving } }

  /// The transfer of a plain job has ended. If the slot of the job already belongs to another job, a complete file is
  /// published; everything else is handled as usual.
  mutating func directTransferEnded(
    _ outcome: TransferOutcome, isHandedOn: Bool, _ facts: (Int64, LengthProof) -> PublishFacts
  ) -> Action {
    place = isHandedOn ? .backlog : .slot
    guard isHandedOn, !hasCommand, case .whole(let part, let size, let proof) = outcome.end, !part.isAway else {
      return .receive(outcome)
    }
    return .publish(part, size: size, facts(size, proof))
  }

  mutating func transferEnded(_ end: Received) -> Action {
    guard case .transferring = state else { return .wait }
    switch end {
    case .whole(let file): return isWhole(file)
    case .answered(let response):
      state = .ending
      return .finishWithoutFile(response)
    case .upToDate(_, hasOtherLength: true):
      state = .preparing
      return .plan(nil)
    case .upToDate(let response, hasOtherLength: false): return isUpToDate(response)
    case .cancelled: return stopped()
    case .failed(let failure, let outcome): return failed(failure, outcome)
    }
  }

  // MARK: Checking

  /// All bytes are present.
  mutating func isWhole(_ file: WholeFile) -> Action {
    state = .checking(file)
    return .check(file)
  }

  mutating func verifying() { phase = .verifying }

  /// The file is being brought to its target's place.
  mutating func staging() { phase = .publishing }

  mutating func checked(_ result: Checked) -> Action {
    guard case .checking(let file) = state else { return .wait }
    switch result {
    case .right(let part, let facts): return .publish(part, size: file.size, facts)
    case .upToDate: return isUpToDate(file.response)
    case .stopped: return stopped()
    case .wrong(let failure, let step):
      switch step {
      case .store: return .leaveFailing(failure)
      case .rules where failure.kind == .store: return .leaveFailing(failure)
      case .rules where failure.recovery == .final: return end(.refused(failure))
      // The bytes are not to blame, so the file is not fetched again.
      case .rules, .lists, .target: return failed(failure)
      case .length: return mismatch(failure, isResumed: file.isResumed)
      case .repair: return mismatch(failure, isResumed: false)
      case .blocks: return end(.otherVersion(failure))
      case .digests where failure.kind != .integrity: return failed(failure)
      case .digests(let file): return mismatch(failure, in: file, isResumed: file.isResumed)
      }
    }
  }

  mutating func retryRecorded(isFirst: Bool) -> Action {
    guard case .uploadingAgain(let failure, let end) = state else { return .wait }
    return .abandonPart(then: self.end(isFirst ? end : .refused(failure)))
  }

  mutating func remedied(_ remedy: MismatchRemedy?) -> Action {
    guard case .mismatched(let failure, _) = state else { return .wait }
    // Read the commands here: a command that came since the last beat would otherwise be lost with the job.
    guard let remedy else { return .pollCommands(after: nil) }
    return end(.mismatched(failure, remedy))
  }

  // MARK: Publishing

  mutating func staged(_ part: Result<(any PartStorage)?, Failure>) -> Action {
    guard case .staging(let size, let facts) = state else { return .wait }
    switch part {
    case .success(let part?): return .publish(part, size: size, facts)
    case .success(nil): return stopped()
    case .failure(let failure): return doubt(failure)
    }
  }

  /// The publisher has the file, under this name.
  mutating func handedOver(as name: String) {
    (state, place, phase) = (.publishing, .publisher, .publishing)
    names.chosen = name
  }

  /// The publisher has reported the result for the file.
  /// - Parameter halt: Why the run ends or is suspended; `nil` if it does neither.
  mutating func published(_ end: Published, halt: CancelReason?) -> Action {
    guard case .publishing = state else { return .wait }
    switch end.result {
    case .next, .published, .skipped, .unfinished: break
    case .failed(let failure) where failure.kind == .store: break
    // The attempt counts as running again, so that its pending command is carried out.
    case .equal, .stopped, .busy, .refused, .mismatched, .failed: place = .backlog
    }
    let item = end.item
    switch end.result {
    // The publisher keeps the file and publishes it with its next group.
    case .next: return .wait
    case .published(let path):
      let size = item.publication.size
      return .leave(.complete(path: path, size: size, digest: item.facts.digest, note: end.note), bytes: size)
    case .skipped(let path): return self.end(.skipped(path: path))
    case .equal:
      names.fixed = end.name
      return isUpToDate(item.facts.response, compared: Compared(digest: end.digest))
    case .stopped:
      cancelled = cancelled ?? halt
      return isCancelled ? stopped() : failed(.searchInterrupted(item.publication.part.path))
    case .busy(let failure): return self.end(.targetBusy(failure))
    case .unfinished(let failure): return judge(failure, otherwise: .publishingCutOff(failure))
    case .refused(let failure): return .abandonPart(then: mismatch(failure, isResumed: false, isPage: true))
    case .mismatched(let failure): return mismatch(failure, isResumed: false)
    case .failed(let failure) where failure.kind == .store: return .leaveFailing(failure)
    case .failed(let failure): return publishFailed(failure, item)
    }
  }

  private mutating func publishFailed(_ failure: Failure, _ item: PublishItem) -> Action {
    let part = item.publication.part
    if failure.leavesWrongObject { return .abandonPart(then: end(.refused(failure))) }
    // If the bytes arrive in order this time, the digest is known before the publish, unless the digest has an
    // unexpected algorithm.
    if failure.isUnproved { return uploadAgain(failure, .uploadUnproved(failure)) }
    if failure.kind == .integrity, failure.recovery == .retry {
      if failure.httpStatus != nil { return uploadAgain(failure, .partsRefused(failure)) }
      // The object was read from its server and deleted, because it was not the expected file.
      if !part.destination.traits.holdsFiles { return mismatch(failure.recovering(.final), isResumed: true) }
    }
    if failure.isUploadNameLost { return .abandonPart(then: end(.uploadNameTaken(failure))) }
    // By now, another job's target has the key of the upload.
    if failure.owner != nil, part.publishable.boundName != nil,
      failure.clashAnswer(item.box.job.specification.options.onConflict) == .rename
    {
      return .abandonPart(then: end(.uploadNameTaken(failure.recovering(.retry))))
    }
    return doubt(failure)
  }

  /// - Parameter found: What an interrupted publish has left.
  mutating func lookedAgain(_ found: HalfPublished, of job: Job) -> Action {
    guard case .doubting(let failure) = state else { return .wait }
    guard case .renamed(let path, let finished) = found else { return failed(failure) }
    return renamed(finished, path, job)
  }

  /// The object of an interrupted publish is wrong, or could not be compared with its digests; or a file that was
  /// published could not be made visible to its program.
  /// - Parameter failure: The reason; `nil` if the run was stopped.
  mutating func notProved(_ failure: Failure?, path: String) -> Action {
    guard let failure else {
      return end(
        .publishingCutOff(
          Failure(
            .other, path, "stopped before the object was read back", advice: "\(.run) continues", recovery: .keep)))
    }
    switch failure.kind {
    case .store: return .leaveFailing(failure)
    case .integrity where failure.leavesWrongObject: return end(.refused(failure))
    // The object was deleted.
    case .integrity where failure.recovery == .retry: return mismatch(failure.recovering(.final), isResumed: true)
    case .integrity: return failed(failure)
    default: return end(.publishingCutOff(failure))
    }
  }

  // MARK: Cancelling

  /// - Returns: Whether this reason counts: the first one does, and a stop after `upToDate`.
  mutating func cancel(_ reason: CancelReason) -> Bool {
    switch (cancelled, reason) {
    case (.upToDate?, .upToDate): return false
    case (nil, _), (.upToDate?, _): break
    case (_?, _): return false
    }
    cancelled = reason
    return true
  }

  /// The attempt or the run was stopped, and the reason decides how the attempt ends.
  mutating func stopped() -> Action {
    switch cancelled ?? .end(.shutdown) {
    case .end(.failed(let failure)):
      cancelled = nil
      return failed(failure)
    case .end(.leaseLost(let failure)): return lost(failure)
    case .end(let end): return self.end(end)
    case .upToDate(let response): return isUpToDate(response)
    // Nothing can be recorded any more. Recovery will continue from the job's last records.
    case .runFails(let failure): return .leaveFailing(failure)
    }
  }

  // MARK: Ending

  mutating func failed(_ failure: Failure, _ outcome: TransferOutcome? = nil) -> Action {
    // The new owner may have created the part file again.
    if failure == .leaseLost(id) { return lost(failure) }
    state = .failing(failure, outcome)
    return .pollCommands(after: failure)
  }

  mutating func commandsPolled() -> Action {
    if isCancelled { return stopped() }
    switch state {
    case .failing(let failure, let outcome): return judge(failure, otherwise: .failed(failure), outcome)
    case .mismatched(let failure, let isPage): return end(isPage ? .pageInstead(failure) : .mismatched(failure, nil))
    // The job goes on, unless this runner no longer owns it.
    case .ending: return .withdrawCommand
    default: return .wait
    }
  }

  /// - Parameter fault: The failure that the share caused; `nil` if it caused none.
  mutating func judged(_ fault: Failure?) -> Action {
    guard case .judging(let otherwise, let outcome) = state else { return .wait }
    return fault.map { handBack($0, outcome) } ?? end(otherwise, outcome)
  }

  /// A command came, or was withdrawn, while the attempt was ending; handle the command first.
  mutating func commandCameFirst() -> Action {
    (cancelled, state) = (nil, .ending)
    return .pollCommands(after: nil)
  }

  // MARK: Steps that several events share

  private mutating func end(_ end: AttemptEnd, _ outcome: TransferOutcome? = nil) -> Action {
    state = .ending
    return .end(end, outcome)
  }

  private mutating func lost(_ failure: Failure) -> Action {
    state = .ending
    return .endLost(failure)
  }

  private mutating func isUpToDate(_ response: ResponseRecord?, compared: Compared? = nil) -> Action {
    state = .ending
    // If the reason stayed, a job that is stopped while its target is judged would be judged again and again.
    if case .upToDate? = cancelled { cancelled = nil }
    return .finishUpToDate(response, compared: compared)
  }

  private mutating func renamed(_ finished: Finished, _ path: String, _ job: Job) -> Action {
    state = .ending
    return job.mayLackProof ? .prove(finished, path: path) : .record(finished, path: path)
  }

  private mutating func judge(
    _ failure: Failure, otherwise end: AttemptEnd, _ outcome: TransferOutcome? = nil
  ) -> Action {
    state = .judging(otherwise: end, outcome)
    return .judgeShare(failure)
  }

  /// - Parameter failure: The reason, or a failure of the store.
  private mutating func handBack(_ failure: Failure, _ outcome: TransferOutcome?) -> Action {
    failure.kind == .store ? .leaveFailing(failure) : end(.shareRefused(failure), outcome)
  }

  private mutating func doubt(_ failure: Failure) -> Action {
    state = .doubting(failure)
    return .lookAgain(failure)
  }

  /// Starts over an upload that cannot be published as it is. This is tried only once: a second try would cost as many
  /// bytes again, so the job then ends.
  private mutating func uploadAgain(_ failure: Failure, _ first: AttemptEnd) -> Action {
    if isCancelled { return stopped() }
    state = .uploadingAgain(failure, first)
    return .recordRetry
  }

  /// - Parameter isPage: Whether a web page came in place of the file, in which case no part file is left.
  private mutating func mismatch(
    _ failure: Failure, in file: WholeFile? = nil, isResumed: Bool, isPage: Bool = false
  ) -> Action {
    if isCancelled { return stopped() }
    state = .mismatched(failure, isPage: isPage)
    return .seekRemedy(file, isResumed: isResumed)
  }
}
