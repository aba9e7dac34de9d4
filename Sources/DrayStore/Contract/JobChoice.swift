public import DrayCore

/// Selects jobs by properties that a store can look up without reading all jobs.
public struct JobChoice: Sendable, Equatable {
  /// The states; `nil` for all.
  public var states: Set<JobState>?
  /// The labels, all of which a selected job has.
  public var labels: [JobLabel]
  /// The named queue; `nil` for any.
  public var queue: String?
  /// The group; `nil` for any.
  public var group: GroupID?

  public init(states: Set<JobState>? = nil, labels: [JobLabel] = [], queue: String? = nil, group: GroupID? = nil) {
    (self.states, self.labels, self.queue, self.group) = (states, labels, queue, group)
  }
}
