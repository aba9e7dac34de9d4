// Decides when a run keeps the machine awake: while bytes are being received or sent.

/// The rule for keeping the machine awake.
package struct AwakeRule: Sendable {
  /// The seconds for which bytes must have moved before the machine is kept awake. Shorter transfers are not worth it.
  package static let delay = 1.0
  /// The seconds without progress after which the machine may sleep. The pauses between small files are shorter than
  /// this.
  package static let patience = 5.0

  private var progress: Int64?
  /// The times at which bytes began to move and last moved.
  private var moving: (began: Double, last: Double)?
  /// Whether the machine must stay awake.
  package private(set) var isAwake = false

  /// Creates the rule for a run in which no byte has moved yet.
  package init() {}

  /// Updates the rule with the state of the run at a monotonic time.
  /// - Parameters:
  ///   - progress: A number that changes whenever bytes are received or sent.
  ///   - hasJobs: Whether the run has active jobs.
  ///   - isWorking: Whether a file is checked, copied or made durable.
  /// - Returns: Whether the machine must stay awake.
  package mutating func look(_ progress: Int64, hasJobs: Bool, isWorking: Bool, now: Double) -> Bool {
    let isMoving = isWorking || self.progress.map { $0 != progress } ?? false
    self.progress = progress
    if isMoving { moving = (moving?.began ?? now, now) }
    guard hasJobs, let times = moving, now - times.last < AwakeRule.patience else {
      (moving, isAwake) = (nil, false)
      return false
    }
    isAwake = isAwake || now - times.began >= AwakeRule.delay
    return isAwake
  }
}
