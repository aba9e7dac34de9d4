// Jobs whose request is not safe to repeat (P10): noted before they are sent, never sent again without being asked.

internal import DrayEngine
internal import DrayStore
internal import Threads

@RunActor
extension Attempts {
  /// Whether an attempt may begin: of a request that must not be repeated it is first noted, durably, that it is sent.
  func mayBegin(_ job: Job) async -> Bool {
    guard !job.specification.request.isSafe else { return true }
    do throws(Failure) {
      let isHeld = try await store.beginSubmission(job.id, runner: id, now: WallClock.now())
      if isHeld { return true }
    } catch {
      signal.fail(error)
    }
    leave(job.id)
    return false
  }

  /// Completes a job without a file: the answer has no body, or it is not kept.
  func finishWithoutFile(_ job: Job, _ response: ResponseRecord?) async {
    let note = SubmissionRule.note(on: job.specification.request, response?.head)
    let attempt = record("complete", job)
    await removePart(of: job)
    do throws(Failure) {
      _ = try await store.finishWithoutFile(
        job.id, runner: id, response: response, note: note, now: WallClock.now(), attempt: attempt)
      leave(job, reporting: .completeWithoutFile(note: note))
    } catch {
      leave(job.id, failingRun: error)
    }
  }
}
