// The parts of a job's file, of what its runner shows and what the store knows.

internal import DrayCore
internal import DrayStore

/// What is there of a file, and what is being fetched.
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
    // One connection fetches from the first gap on; the runner's count is newer than the checkpoint.
    guard let live, live.phase == .receiving else { return }
    if done.count <= 1, done.first?.lowerBound ?? 0 == 0, live.received > done.first?.upperBound ?? 0 {
      done = [0..<live.received]
    }
    let start = done.first?.lowerBound == 0 ? done[0].upperBound : 0
    let end = done.first { $0.lowerBound > start }?.lowerBound ?? size
    if let end, start < end { fetching = [start..<end] }
  }
}
