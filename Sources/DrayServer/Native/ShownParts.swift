// The parts of a job's file, from the progress that its runner reports and from the store.

internal import DrayCore
internal import DrayStore

/// The parts of a file that are present, and those that are being fetched.
struct ShownParts: Sendable, Equatable {
  var size: Int64?
  var done: [Segment]
  var fetching: [Segment] = []

  init(_ job: Job, live: ProgressEntry?) {
    let live = live.flatMap { $0.phase == .sending ? nil : $0 }
    size = live?.size ?? job.checkpoint.size ?? job.published?.size
    if let parts = live?.parts {
      (done, fetching) = (parts.done.segments, parts.fetching)
      return
    }
    done = job.checkpoint.segments.segments
    if job.state == .complete, done.isEmpty, let size, size > 0 { done = [0..<size] }
    // A job with a single connection fetches from the first gap on. The runner's figures are newer than the checkpoint
    // in the store.
    guard let live, live.phase == .receiving else { return }
    if done.count <= 1, done.first?.lowerBound ?? 0 == 0, live.received > done.first?.upperBound ?? 0 {
      done = [0..<live.received]
    }
    let start = done.first?.lowerBound == 0 ? done[0].upperBound : 0
    let end = done.first { $0.lowerBound > start }?.lowerBound ?? size
    if let end, start < end { fetching = [start..<end] }
  }
}
