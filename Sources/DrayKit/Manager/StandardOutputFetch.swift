// `-o -`: fetches a file for standard output. The file is first stored in a private temporary file, and written once it
// is complete and checked: what was written to a pipe cannot be taken back if the server's version changes (P2, P12).

internal import DrayEngine
internal import Posix
internal import Threads

extension DownloadManager {
  /// Fetches a file, and writes it to a descriptor. There is no job, so nothing is left when the process has ended.
  /// - Parameters:
  ///   - specification: The download; directory and name are ignored.
  ///   - descriptor: The descriptor to write to, which must be blocking.
  ///   - manager: The manager whose HSTS list is applied and extended.
  ///   - hosts: Additional settings for requests to some hosts.
  ///   - progress: Receives the progress ten times a second.
  ///   - emit: Receives the events.
  /// - Returns: Whether all bytes were written. `false` if the reader of a pipe has gone, or if the task was cancelled;
  ///   `CancellationError` is not thrown.
  /// - Throws: The failure of the last attempt; kind `file` if the descriptor does not take the bytes.
  public static func fetch(
    _ specification: JobSpecification, toDescriptor descriptor: Int32, knowing manager: DownloadManager? = nil,
    hosts: HostRules = HostRules(), progress: (@Sendable (ActiveJob) -> Void)? = nil,
    emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) -> Bool {
    do throws(Failure) {
      // The whole fetch reads and writes files.
      return try await withTaskExecutorPreference(BlockingExecutor("dray.output")) { () async throws(Failure) in
        let engine = try Engine(transport: await transport(of: manager?.store), hosts: hosts)
        defer { engine.stop() }
        let spool = try SpoolDirectory()
        defer { spool.remove() }
        let keeper = CookieKeeper(home: manager?.home, store: nil)
        var fetch = try await StandardOutputFetch(specification, engine, spool, keeper, emit)
        defer { fetch.search?.cancel() }
        return try await fetch.run(to: descriptor, progress)
      }
    } catch {
      throw error.ofNoJob
    }
  }
}

/// A fetch without a job, whose attempts are planned and end like those of a job.
private struct StandardOutputFetch {
  private let engine: Engine
  private let spool: SpoolDirectory
  private let keeper: CookieKeeper
  private let emit: @Sendable (JobEvent.Kind) -> Void
  private let limiters: [RateLimiter]
  private let names = NameLookup()
  let search: DigestSearchTask?
  private let specification: JobSpecification
  /// The record of the fetch, which is in no store.
  private var job: Job
  private var mirrors: MirrorChoice?
  private var cookies: [String]
  /// The remedy that is left for a digest that does not match.
  private var remedy: MismatchRemedy? = .cleanFetch
  /// Whether the server has asked to wait.
  private var hasWaited = false

  init(
    _ specification: JobSpecification, _ engine: Engine, _ spool: SpoolDirectory, _ keeper: CookieKeeper,
    _ emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) {
    (self.specification, self.engine, self.spool, self.keeper, self.emit) = (specification, engine, spool, keeper, emit)
    var spooled = specification
    (spooled.directory, spooled.output) = (spool.directory.path, nil)
    (spooled.options.partStem, spooled.options.partDirectory) = (nil, nil)
    job = Job(id: 0, uuid: spool.uuid, specification: spooled, addedAt: WallClock.now())
    mirrors = MirrorChoice(specification.options)
    limiters = specification.options.rateLimit.map { [RateLimiter(bytesPerSecond: $0)] } ?? []
    cookies = try await keeper.given(for: specification.request)
    search = DigestSearchTask(specification, engine)
  }

  /// Makes attempts until the file is complete and written, or until none is left.
  /// - Returns: Whether all bytes were written.
  mutating func run(
    to descriptor: Int32, _ progress: (@Sendable (ActiveJob) -> Void)?
  ) async throws(Failure) -> Bool {
    while true {
      var plan = try AttemptPlan.transfer(job.placed(at: mirrors), in: spool.destination, cookies)
      plan.limiters = limiters
      plan.keepsAnswer = true
      let transfer = engine.start(plan, observer: SpoolWatcher(emit: emit))
      let clock = specification.options.maxTime.map { Clock(TimeLimit($0), transfer) }
      let looks = progress.map { [job] in Looks(at: transfer, of: job, $0) }
      let outcome = await withTaskCancellationHandler {
        await transfer.outcome()
      } onCancel: {
        transfer.cancel()
      }
      await looks?.stop()
      let isOutOfTime = await clock?.stop() ?? false
      try? await keeper.keep(outcome.cookies, of: specification.request, isOver: false)
      cookies = outcome.cookies?.after ?? cookies
      job.response = transfer.answer ?? job.response
      let end: AttemptEnd
      switch outcome.end {
      case .cancelled where isOutOfTime && !Task.isCancelled:
        end = .failed(TimeLimit(specification.options.maxTime ?? 0).failure(specification.request.url.description))
      case .cancelled, .upToDate:
        return false
      case .answered:
        emit(.completeWithoutFile(note: SubmissionRule.note(on: specification.request, outcome.response?.head)))
        return true
      case .whole(let part, let size, let length):
        switch try await check(part, size, transfer, outcome) {
        case .cancelled: return false
        case .right(let digest, var notes):
          guard let oddity = try await write(part, size, outcome, to: descriptor) else { return false }
          notes += oddity + outcome.notes(length)
          emit(.complete(path: "-", size: size, digest: digest, note: JobNote.joined(notes, startedOver: nil)))
          return true
        case .wrong(let failure):
          end = .mismatched(failure, outcome.resumedFrom > 0 || outcome.isMixed ? remedy : nil)
          remedy = nil
        }
      case .failed(let failure):
        end = .failed(await names.examined(failure, at: outcome.lastURL))
      }
      let wait = try goOn(after: end, transfer, outcome)
      if wait > 0 { do { try await Task.sleep(for: .seconds(wait)) } catch { return false } }
    }
  }

  private enum Verdict {
    case right(SourcedDigest?, notes: [String])
    case wrong(Failure)
    case cancelled
  }

  private func check(
    _ part: any PartStorage, _ size: Int64, _ transfer: Transfer, _ outcome: TransferOutcome
  ) async throws(Failure) -> Verdict {
    let subject = specification.request.url.description
    do throws(Failure) {
      try specification.options.checkSize(size, subject)
      var check = DigestCheck(binding: specification.options.binding, offered: outcome.offered)
      var note: String?
      if let search {
        let result = await withTaskCancellationHandler {
          await search.result()
        } onCancel: {
          search.cancel()
        }
        guard let result else { return .cancelled }
        note = try search.add(result, to: &check, subject)
      }
      let found = try await BlockingExecutor("dray.spool").run { [check] () throws(Failure) in
        try FileHashing.digests(check.algorithms, part, size, after: transfer) { false }
      }
      // A file that was not hashed completely must not count as checked.
      guard let found else { return .cancelled }
      let proof = try DigestCheck.outcome(check.verdict(found), subject)
      return .right(proof.digest, notes: [proof.doubt, note].compactMap(\.self))
    } catch {
      guard error.kind == .integrity else { throw error }
      return .wrong(error)
    }
  }

  /// Writes a checked file.
  /// - Returns: What is odd about the file's content; `nil` if the reader has gone, or if the task was cancelled.
  private func write(
    _ part: any PartStorage, _ size: Int64, _ outcome: TransferOutcome, to descriptor: Int32
  ) async throws(Failure) -> [String]? {
    let end = EndFlag()
    return try await withTaskCancellationHandler { () async -> Result<[String]?, Failure> in
      do throws(Failure) {
        return .success(try await write(part, size, outcome, to: descriptor, until: end))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      end.isSet = true
    }.get()
  }

  private func write(
    _ part: any PartStorage, _ size: Int64, _ outcome: TransferOutcome, to descriptor: Int32, until end: EndFlag
  ) async throws(Failure) -> [String]? {
    try await BlockingExecutor("dray.spool").run { [specification] () throws(Failure) in
      var notes: [String] = []
      switch try Publication(part: part, size: size).content(of: specification, outcome.response?.head) {
      case .fine, .wrong: break
      case .odd(let oddity): notes.append(oddity)
      case .page(let what): throw .pageInstead(specification.request.url, what)
      }
      return try Spool.copy(part, size, to: descriptor, until: end) ? notes : nil
    }
  }

  /// Handles an attempt that did not deliver the file.
  /// - Returns: The seconds to wait before the next attempt.
  /// - Throws: The final failure, if no attempt is left.
  private mutating func goOn(
    after end: AttemptEnd, _ transfer: Transfer, _ outcome: TransferOutcome
  ) throws(Failure) -> Double {
    let options = specification.options
    var facts = AttemptFacts(
      job: nil, request: specification.request, sending: outcome.wasSent ? .yes : .no,
      progress: AttemptFacts.Progress(kept: 0, reached: outcome.reached, continued: outcome.resumedFrom),
      retry: job.retry, policy: RetryPolicy(options, failsFast: true), mirrors: mirrors,
      jitter: Double.random(in: 0..<1))
    if case .failed(let failure) = end, failure.retryAfter ?? 0 > 0 {
      (facts.waitIsFree, hasWaited) = (!hasWaited, true)
    }
    if AttemptEnding.keepsBytes(end, facts) {
      // An answer without bytes leaves the checkpoint as it is.
      if transfer.hasTouchedPart { job.checkpoint = (try? transfer.checkpoint()) ?? Checkpoint() }
      facts.progress.kept = job.checkpoint.segments.count
    }
    let ending = AttemptEnding(end, facts)
    mirrors = ending.mirrors
    if let reason = outcome.startedOver { job.note = JobNote.startedOver(reason) }
    if case .startedOver(let reason) = ending.bytes {
      job.checkpoint = Checkpoint()
      try? spool.directory.remove(spool.name)
      emit(.restarted(reason))
    }
    switch ending.move {
    case .requeue(let delay, let failure, let retry):
      (job.failure, job.retry) = (failure, retry)
      if case .retrying(let failure, let delay)? = ending.report { emit(.retrying(failure, delay: delay)) }
      return delay ?? 0
    case .end(_, let failure?, _, _, _):
      throw failure
    default:
      throw Failure(.other, specification.request.url.description, "it was stopped")
    }
  }
}

/// Cancels a transfer after its time limit.
private struct Clock {
  private let task: Task<Bool, Never>

  init(_ limit: TimeLimit, _ transfer: Transfer) {
    task = Task {
      do { try await Task.sleep(for: .seconds(limit.seconds)) } catch { return false }
      transfer.cancel()
      return true
    }
  }

  /// Returns whether the time limit was reached.
  func stop() async -> Bool {
    task.cancel()
    return await task.value
  }
}

/// Reports the progress ten times a second.
private struct Looks {
  private let task: Task<Void, Never>

  init(at transfer: Transfer, of job: Job, _ progress: @escaping @Sendable (ActiveJob) -> Void) {
    task = Task {
      while !Task.isCancelled {
        var active = ActiveJob(
          id: job.id, name: TargetName.provisional(job), phase: transfer.answer == nil ? .connecting : .receiving,
          received: transfer.received, size: transfer.size)
        active.connections = max(1, transfer.connections)
        active.host = job.specification.request.url.origin.host
        active.parts = transfer.parts
        progress(active)
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Ends the reports; returns when the last one is finished.
  func stop() async {
    task.cancel()
    await task.value
  }
}

private enum Spool {
  /// The number of bytes that a pipe or a terminal with space accepts without blocking.
  private static let piece = 4096

  /// - Parameter end: Ends the copy, even if nobody reads.
  /// - Returns: `false` if the reader has gone, or if `end` was set.
  static func copy(
    _ part: any PartStorage, _ size: Int64, to descriptor: Int32, until end: EndFlag
  ) throws(Failure) -> Bool {
    let isFile = (try? System.status(descriptor))?.isRegular ?? false
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { block.deallocate() }
    var position: Int64 = 0
    while position < size {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: block[..<Int(min(Int64(block.count), size - position))])
      let count = try part.read(into: wanted, at: position)
      guard count > 0 else {
        throw Failure(.file, part.path, "the spooled file was truncated", advice: "try again")
      }
      var done = 0
      while done < count {
        if end.isSet { return false }
        if !isFile, !System.hasRoom(descriptor, within: 100) { continue }
        let next = isFile ? count : min(done + Spool.piece, count)
        do throws(SystemError) {
          done += try System.writeSome(UnsafeRawBufferPointer(rebasing: wanted[done..<next]), to: descriptor)
        } catch {
          if error.code == SystemError.tryAgain { continue }
          if error.code == SystemError.brokenPipe { return false }
          throw Failure(
            .file, "standard output", error.text, advice: "check the program that reads it", recovery: .keep)
        }
      }
      position += Int64(count)
    }
    return true
  }
}

private struct SpoolWatcher: TransferObserver {
  let emit: @Sendable (JobEvent.Kind) -> Void

  func transferFollows(_ redirect: RedirectStep) {
    emit(.redirected(status: redirect.status, from: redirect.from, to: redirect.to))
  }

  func transferReceives(_ response: ResponseRecord, from position: Int64, size: Int64?) {
    emit(.response(response, from: position, size: size))
  }

  func transferDrops(mirror: RequestURL, because reason: String) {
    emit(.mirrorDropped(mirror, reason: reason))
  }

  // Does nothing, because no record covers the temporary file, so its bytes may be discarded at once.
  func transferStartsOver(_ reason: StartOver) async throws(Failure) {}

  func transferRestarts(_ reason: StartOver) { emit(.restarted(reason)) }
}
