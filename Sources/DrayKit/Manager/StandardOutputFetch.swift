// `-o -`: a file for standard output. It is spooled to a private temporary file and written out once it is whole and
// checked, because bytes that a pipe has taken cannot be taken back when the server changes its mind (P2, P12).

internal import DrayEngine
internal import Foundation
internal import Posix

extension DownloadManager {
  /// Fetches a file and writes it to a descriptor. There is no job: nothing of it outlives the process.
  /// - Parameters:
  ///   - specification: what to fetch; directory and name do not matter.
  ///   - descriptor: where to, blocking.
  ///   - manager: whose list of hosts that want https is applied and added to.
  ///   - hosts: what requests to some hosts carry.
  ///   - emit: told of the course.
  /// - Throws: the failure that the retries ended with; kind `file` when the descriptor does not take the bytes;
  ///   `CancellationError` is not thrown: a cancelled task returns with `false`.
  /// - Returns: whether all was written; whoever reads a pipe may have had enough.
  public static func fetch(
    _ specification: JobSpecification, toDescriptor descriptor: Int32, knowing manager: DownloadManager? = nil,
    hosts: HostRules = HostRules(), emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) -> Bool {
    do throws(Failure) {
      return try await fetchWithoutJob(specification, descriptor, manager, hosts, emit)
    } catch {
      throw error.ofNoJob
    }
  }

  private static func fetchWithoutJob(
    _ specification: JobSpecification, _ descriptor: Int32, _ manager: DownloadManager?, _ hosts: HostRules,
    _ emit: @escaping @Sendable (JobEvent.Kind) -> Void
  ) async throws(Failure) -> Bool {
    let engine = try Engine(security: security(of: manager), hosts: hosts)
    defer { engine.stop() }
    let spool = try SpoolDirectory()
    defer { spool.remove() }
    let queue = BlockingQueue("dray.spool")
    let request = try S3Access.credentialed(specification.request)
    var checkpoint = Checkpoint()
    var retry = RetryRecord()
    let keeper = CookieKeeper(home: manager?.home, store: nil)
    var cookies = try await keeper.given(for: specification.request)
    let search = DigestSearchTask(specification, engine)
    defer { search?.cancel() }
    var isSecondFetch = false

    while true {
      var plan: TransferPlan
      do throws(SystemError) {
        plan = try TransferPlan(
          request: request, directory: spool.directory, partName: spool.name, recorded: checkpoint,
          resume: specification.options.resume, digestIsKnown: specification.options.digest != nil)
      } catch {
        throw error.failure(spool.directory.path)
      }
      plan.cookies = cookies
      plan.digest = specification.options.digest
      plan.verify = specification.options.verify ?? .offered
      plan.expectedSize = specification.options.expectedSize
      plan.expectedType = specification.options.expectedType
      plan.maxConnections = specification.options.maxConnections ?? JobOptions.defaultConnections
      plan.mirrors = (specification.options.mirrors ?? []).map { specification.request.moved(to: $0) }
      plan.limiters = specification.options.rateLimit.map { [RateLimiter(bytesPerSecond: $0)] } ?? []
      let transfer = engine.start(plan, observer: SpoolWatcher(emit: emit))
      let outcome = await withTaskCancellationHandler {
        await transfer.outcome()
      } onCancel: {
        transfer.cancel()
      }
      try? await keeper.keep(outcome.cookies, of: specification.request, isOver: false)
      cookies = outcome.cookies?.after ?? cookies
      switch outcome.end {
      case .cancelled, .upToDate:
        return false
      case .answered:
        emit(.completeWithoutFile(note: "the server answered without a body"))
        return true
      case .whole(let part, let size, let length):
        let subject = specification.request.url.description
        try specification.options.checkSize(size, subject)
        var check = DigestCheck(binding: specification.options.binding, offered: outcome.offered)
        var searchNote: String?
        if let search {
          let result = await withTaskCancellationHandler {
            await search.result()
          } onCancel: {
            search.cancel()
          }
          guard let result else { return false }
          searchNote = try search.add(result, to: &check, subject)
        }
        let found = try await queue.run { [check] () throws(Failure) in
          try FileHashing.digests(check.algorithms, part, size, after: transfer) { false }
        }
        // What could not be hashed to its end must not be taken for checked.
        guard let found else { return false }
        let proof: (digest: SourcedDigest?, doubt: String?)
        do throws(Failure) {
          proof = try DigestCheck.outcome(check.verdict(found), subject)
        } catch {
          // What came in several answers may be good each, and not fit: one clean fetch from zero, as for any job.
          guard !isSecondFetch, outcome.resumedFrom > 0 || outcome.isMixed else { throw error }
          (isSecondFetch, checkpoint) = (true, Checkpoint())
          emit(.restarted(.digestMismatch))
          continue
        }
        let (oddity, isWritten) = try await queue.run { () throws(Failure) in
          let oddity = try Publication(part: part, size: size).oddity(of: specification, outcome.response?.head)
          return (oddity, try Spool.copy(part, size, to: descriptor))
        }
        guard isWritten else { return false }
        let notes = [proof.doubt, searchNote, oddity].compactMap(\.self) + outcome.notes(length)
        emit(
          .complete(path: "-", size: size, digest: proof.digest, note: JobNote.joined(notes, startedOver: nil)))
        return true
      case .failed(var failure):
        let request = specification.request
        if !request.isSafe, outcome.wasSent, failure.httpStatus == nil {
          failure = SubmissionRule.unanswered(
            failure.kind, request.method, subject: failure.subject, reason: failure.reason, job: nil)
        }
        do throws(SystemError) {
          checkpoint = try transfer.checkpoint() ?? (transfer.received > 0 ? checkpoint : Checkpoint())
        } catch {
          // Nothing tells how much of it is lost.
          checkpoint = Checkpoint()
        }
        let decision = RetryPolicy(specification.options).decide(
          failure, record: &retry, kept: checkpoint.segments.count, reached: outcome.reached,
          isSafe: specification.request.isSafe || !outcome.wasSent, jitter: Double.random(in: 0..<1))
        guard case .retry(let delay) = decision else {
          if case .stop(_, let told) = decision { throw told }
          throw failure
        }
        emit(.retrying(failure, delay: delay))
        do { try await Task.sleep(for: .seconds(delay)) } catch { return false }
      }
    }
  }
}

/// What is done with a spooled file.
private enum Spool {
  /// - Returns: `false` if nobody reads any more.
  static func copy(_ part: PartFile, _ size: Int64, to descriptor: Int32) throws(Failure) -> Bool {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 4096)
    defer { block.deallocate() }
    var position: Int64 = 0
    while position < size {
      let wanted = UnsafeMutableRawBufferPointer(rebasing: block[..<Int(min(Int64(block.count), size - position))])
      let count: Int
      do throws(SystemError) {
        count = try part.read(into: wanted, at: position)
      } catch {
        throw error.failure(Job.join(part.directory.path, part.name))
      }
      guard count > 0 else {
        throw Failure(
          .file, Job.join(part.directory.path, part.name), "the spooled file was truncated", advice: "try again")
      }
      var done = 0
      while done < count {
        let written = write(descriptor, wanted.baseAddress?.advanced(by: done), count - done)
        guard written > 0 || errno == EINTR else {
          if errno == EPIPE { return false }
          throw Failure(
            .file, "standard output", String(cString: strerror(errno)), advice: "check the program that reads it",
            recovery: .keep)
        }
        done += max(0, written)
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

  // No record claims the spooled bytes: they may be given up at once.
  func transferStartsOver(_ reason: StartOver) async throws(Failure) {}

  func transferRestarts(_ reason: StartOver) { emit(.restarted(reason)) }
}
