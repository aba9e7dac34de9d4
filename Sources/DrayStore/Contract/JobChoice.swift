public import DrayCore

/// Selects jobs by properties that a store can look up without reading all jobs.
public struct JobChoice: Sendable, Equatable {
  /// `nil` for all states.
  public var states: Set<JobState>?
  /// Each selected job has all of them.
  public var labels: [JobLabel]
  /// `nil` for any queue.
  public var queue: String?
  /// `nil` for any group.
  public var group: GroupID?

  public init(states: Set<JobState>? = nil, labels: [JobLabel] = [], queue: String? = nil, group: GroupID? = nil) {
    (self.states, self.labels, self.queue, self.group) = (states, labels, queue, group)
  }
}
