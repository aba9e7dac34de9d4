// Jobs whose request is not safe to repeat (P10): noted before they are sent, never sent again without being asked.

internal import DrayEngine
internal import Foundation

extension Runner {
  /// Whether an attempt may begin: of a request that must not be repeated it is first noted, durably, that it is sent.
  func mayBegin(_ job: Job) async -> Bool {
    guard !job.specification.request.isSafe else { return true }
    do throws(Failure) {
      let isHeld = try await store.beginSubmission(job.id, runner: id, now: WallClock.now())
      if isHeld { return true }
    } catch {
      giveUp(error)
    }
    leave(job.id)
    return false
  }

  /// A job was done, and the answer has no body.
  func finishWithoutFile(_ job: Job, _ response: ResponseRecord?) async {
    let note: String
    if let head = response?.head, !head.isHTTP {
      note = "no file: the body was accepted"
    } else {
      let status = response.map { StatusRule.name(of: $0.head.status) } ?? "nothing"
      note = "no file: the server answered \(status) without a body"
    }
    let attempt = ending(job, "complete", nil, last: nil)
    removePart(of: job)
    do throws(Failure) {
      _ = try await store.finishWithoutFile(
        job.id, runner: id, response: response, note: note, now: WallClock.now(), attempt: attempt)
      ended(job, .completeWithoutFile(note: note))
    } catch {
      giveUp(error)
      leave(job.id)
    }
  }

  /// What is said of a request that may have taken effect, where an attempt ended so, or its answer could not be
  /// published; `nil` if it did not, or the server's answer says what became of it.
  func unanswered(
    _ job: Job, _ failure: Failure, _ transfer: Transfer?, _ outcome: TransferOutcome?
  ) -> Failure? {
    guard !job.specification.request.isSafe, outcome?.wasSent ?? transfer?.wasSent ?? false, failure.httpStatus == nil
    else { return nil }
    return notRepeated(job, failure.reason, kind: failure.kind)
  }

  /// The failure of a job that is not repeated by itself.
  func notRepeated(_ job: Job, _ reason: String, kind: Failure.Kind = .network) -> Failure {
    let request = job.specification.request
    return SubmissionRule.unanswered(
      kind, request.method, subject: request.url.description, reason: reason, job: job.id)
  }

  /// Leaves a job interrupted until somebody says that it is to be sent again. What came of an answer is of no use.
  func leaveUnanswered(_ job: Job, _ failure: Failure) async throws(Failure) {
    await checkpointer.ended(job.id)
    removePart(of: job)
    try await stop(job, .interrupted, failure, job.retry, nil, mayBeRepeated: false)
    ended(job, .interrupted(failure))
  }
}
