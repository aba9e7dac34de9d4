/// The jobs that wait for one hold.
package struct HeldJobs: Sendable, Equatable {
  /// The hold that the jobs wait for.
  package var hold: OriginHold
  /// The number of jobs that wait.
  package var count: Int
  /// The lowest number among these jobs.
  package var first: JobID

  /// Creates a group.
  package init(hold: OriginHold, count: Int, first: JobID) {
    (self.hold, self.count, self.first) = (hold, count, first)
  }
}
