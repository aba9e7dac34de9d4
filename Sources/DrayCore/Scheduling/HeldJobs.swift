/// The jobs that wait for one hold.
public struct HeldJobs: Sendable, Equatable {
  /// The hold that the jobs wait for.
  public var hold: OriginHold
  /// The number of jobs that wait.
  public var count: Int
  /// The lowest number among these jobs.
  public var first: JobID

  /// Creates a group.
  public init(hold: OriginHold, count: Int, first: JobID) {
    (self.hold, self.count, self.first) = (hold, count, first)
  }
}
