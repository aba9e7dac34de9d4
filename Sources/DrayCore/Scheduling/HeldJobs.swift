/// The jobs that wait for one hold.
public struct HeldJobs: Sendable, Equatable {
  /// The hold.
  public var hold: OriginHold
  /// The number of jobs.
  public var count: Int
  /// The lowest job number.
  public var first: JobID

  /// Creates a group.
  public init(hold: OriginHold, count: Int, first: JobID) {
    (self.hold, self.count, self.first) = (hold, count, first)
  }
}
