// Jobs whose request is not safe to repeat (P10). They are recorded before they are sent, and never sent again unless a
// user asks.

internal import DrayEngine
internal import DrayStore
internal import Threads

extension Attempt {
  /// Returns whether the attempt may start. Records first, durably, that an unsafe request is sent.
  func mayBegin() async -> Bool {
    guard !job.specification.request.isSafe else { return true }
    do throws(Failure) {
      let isHeld = try await store.beginSubmission(job.id, runner: runner, now: WallClock.now())
      if isHeld { return true }
    } catch {
      signal.fail(error)
    }
    leave()
    return false
  }

  /// Completes a job without a file: its answer has no body, or the body is not kept.
  func finishWithoutFile(_ response: ResponseRecord?) async {
    let note = SubmissionRule.note(on: job.specification.request, response?.head)
    let attempt = record("complete")
    await removePart()
    do throws(Failure) {
      _ = try await store.finishWithoutFile(
        job.id, runner: runner, response: response, note: note, now: WallClock.now(), attempt: attempt)
      leave(reporting: .completeWithoutFile(note: note))
    } catch {
      leave(failingRun: error)
    }
  }
}
