// The jobs that clients asked for last, so that the next question is answered without waiting.

internal import DrayCore
internal import Synchronization

/// Keeps the jobs that calls have read for as long as these calls would read the same again. Any thread may look.
final class Aria2Glance: Sendable {
  /// A name that clients use for a job, and how much of the job was read.
  struct Name: Hashable {
    var gid: GID
    /// Whether the job was read with its mirrors and segments.
    var isWhole: Bool
  }

  private struct State {
    var jobs: [Name: (job: Aria2Job, until: ContinuousClock.Instant)] = [:]
    /// The number of changes so far.
    var changes = 0
  }

  private let state = Mutex(State())

  /// The maximum number of jobs. Clients ask for a few again and again.
  static let most = 1000

  /// Returns a job if it is still valid.
  func job(_ name: Name, now: ContinuousClock.Instant = .now) -> Aria2Job? {
    state.withLock { state in
      guard let (job, until) = state.jobs[name], until > now else { return nil }
      return job
    }
  }

  /// The number of changes so far, which a call takes before it reads.
  var changes: Int { state.withLock(\.changes) }

  /// Keeps a job, unless something has changed since the call that read it took the number of `changes`.
  func keep(_ job: Aria2Job, _ name: Name, until: ContinuousClock.Instant, after changes: Int) {
    state.withLock { state in
      guard state.changes == changes else { return }
      if state.jobs.count >= Aria2Glance.most { state.jobs = [:] }
      state.jobs[name] = (job, until)
    }
  }

  /// Records a change, after which no job is valid.
  func change() {
    state.withLock { state in
      state.changes += 1
      state.jobs = [:]
    }
  }
}
