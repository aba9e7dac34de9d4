// Counts received bytes and ended jobs by origin. Any thread may use it.

internal import DrayCore
internal import Synchronization

final class RunMeter: Sendable {
  private struct State {
    var metrics = RunMetrics()
    /// For each active job, the number of bytes that were already counted or that were there before the attempt.
    var seen: [JobID: Int64] = [:]
  }

  private let state = Mutex(State())

  var metrics: RunMetrics { state.withLock(\.metrics) }

  /// Counts the bytes of an active job.
  /// - Parameters:
  ///   - received: The bytes of the job's file on disk.
  ///   - kept: The bytes that were on disk before the attempt.
  func note(_ job: JobID, _ origin: String, received: Int64, kept: Int64) {
    state.withLock { note(&$0, job, origin, received: received, kept: kept) }
  }

  /// Counts the end of a job, or of an attempt that another one will follow.
  /// - Parameter size: The length of the job's file, if it is complete.
  func ended(_ job: Job, _ kind: JobEvent.Kind, size: Int64 = 0) {
    let origin = job.specification.request.url.origin.description
    var counts = RunMetrics.Counts()
    switch kind {
    case .complete, .completeWithoutFile, .upToDate: counts.complete = 1
    case .failed: counts.failed = 1
    case .interrupted: counts.interrupted = 1
    case .retrying: counts.retries = 1
    default: break
    }
    state.withLock { state in
      if size > 0 { note(&state, job.id, origin, received: size, kept: job.checkpoint.segments.count) }
      state.seen[job.id] = nil
      if counts != RunMetrics.Counts() { state.metrics.add(counts, of: origin) }
    }
  }

  func suspended() { state.withLock { $0.metrics.suspensions += 1 } }

  private func note(_ state: inout State, _ job: JobID, _ origin: String, received: Int64, kept: Int64) {
    let before = state.seen[job] ?? kept
    // If a file starts over, its bytes are counted again, because counts never fall.
    state.seen[job] = received
    guard received > before else { return }
    state.metrics.add(RunMetrics.Counts(received: received - before), of: origin)
  }
}
