// The small files of a run that are transferred as a batch: they have slots like other jobs, but no attempts. The
// loop's thread hands complete files to the publisher, and the runner only learns the outcomes. If anything unusual
// happens, an attempt is made for the file.

internal import DrayEngine
internal import Synchronization

extension Slots {
  // MARK: For the loop's thread

  /// Starts a small file that has a slot.
  func begin(_ small: SmallJob, _ outside: Outside, opensConnection: Bool) {
    let (isOpen, isFirst) = state.withLock { state in
      defer { state.small[small.id] = SmallEntry(job: small) }
      return (state.isOpen, state.small.isEmpty)
    }
    outside.startSmall(small, opensConnection, isFirst)
    // Notify a run that is ending about the job.
    if !isOpen { outside.notify(true) }
  }

  /// Accepts a complete small file, and starts the next jobs at once.
  /// - Returns: `false` if an attempt has taken over the file, or if the run is ending.
  func ended(_ small: SmallJob, size: Int64, _ answer: ResponseRecord) -> Bool {
    let origin = small.reserved.origin
    let handedOn = state.withLock { state -> (next: [ReservedJob], streams: Int?, outside: Outside?, isUrgent: Bool)? in
      guard state.isOpen, state.small[small.id] != nil else { return nil }
      state.small[small.id]?.isPublishing = true
      answered(&state, small.id, origin, size: size, version: answer.head.version)
      if state.mustHear(answer.head) { state.heard(answer.head, from: answer.finalURL, of: small.reserved.job) }
      vacate(&state, small.id, origin, isComplete: true, begunAt: small.begunAt)
      state.publishing += 1
      var next: [ReservedJob] = []
      while let one = take(&state, directOnly: true) { next.append(one) }
      return (next, takeStreams(&state), state.outside, state.reserve.count <= state.low)
    }
    guard let handedOn else { return false }
    if let streams = handedOn.streams { handedOn.outside?.limitStreams(streams) }
    for one in handedOn.next { begin(one) }
    // Notify the runner only if too few jobs wait, because each notification costs a wake-up.
    if handedOn.isUrgent || handedOn.next.isEmpty { handedOn.outside?.notify(true) }
    return true
  }

  /// Reports that a small file leaves the batch, unless an attempt has taken it over.
  func left(_ small: SmallJob) {
    let outside = state.withLock { state -> Outside? in
      guard state.small.removeValue(forKey: small.id) != nil else { return nil }
      state.news.append(.began(small.reserved, small.transfer, at: small.begunAt, time: small.startedAt))
      return state.outside
    }
    outside?.notify(true)
  }

  // MARK: For the runner

  var small: [SmallEntry] { state.withLock { Array($0.small.values) } }

  func hasSmall(_ id: JobID) -> Bool { state.withLock { $0.small[id] != nil } }

  /// Returns the jobs in `ids` that are in the batch and wait for their publish.
  func publishingSmall(_ ids: [JobID]) -> [JobID: SmallJob] {
    state.withLock { state in
      var found: [JobID: SmallJob] = [:]
      for id in ids { found[id] = state.small[id]?.job }
      return found
    }
  }

  /// Takes the jobs that are being transferred and meet a condition out of the batch; the caller makes attempts for
  /// them.
  func takeSmall(where condition: (Job) -> Bool) -> [SmallJob] {
    let wanted = small.filter { !$0.isPublishing && condition($0.job.reserved.job) }.map(\.job)
    guard !wanted.isEmpty else { return [] }
    return state.withLock { state in
      var taken: [SmallJob] = []
      for one in wanted {
        guard let entry = state.small[one.id], entry.job === one, !entry.isPublishing else { continue }
        state.small[one.id] = nil
        taken.append(one)
      }
      return taken
    }
  }

  /// Removes a job from the batch, because an attempt will finish its publish. The job still counts as waiting for its
  /// publish.
  func forgetSmall(_ id: JobID) { state.withLock { $0.small[id] = nil } }

  /// Removes published jobs of the batch.
  func endSmall(_ ids: [JobID]) {
    state.withLock { state in
      for id in ids { state.small[id] = nil }
      state.publishing -= ids.count
    }
  }
}
