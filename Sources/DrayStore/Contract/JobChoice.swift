// The jobs of a list.

public import DrayCore

/// Selects jobs by what a store finds without reading the other jobs.
public struct JobChoice: Sendable, Equatable {
  /// Their states; `nil` for all.
  public var states: Set<JobState>?
  /// The labels that each of them has.
  public var labels: [JobLabel]
  /// Their named queue; `nil` for any.
  public var queue: String?
  /// Their group; `nil` for any.
  public var group: GroupID?

  /// Creates a selection.
  public init(states: Set<JobState>? = nil, labels: [JobLabel] = [], queue: String? = nil, group: GroupID? = nil) {
    (self.states, self.labels, self.queue, self.group) = (states, labels, queue, group)
  }
}
