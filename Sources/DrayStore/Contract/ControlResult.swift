public import DrayCore

/// The result of a `ControlAction` for one job.
public enum ControlResult: Sendable, Equatable {
  /// The command was carried out. The value is the job after the command; for a removed job, as it was before.
  indirect case done(Job)
  /// The runner that owns the job was asked to carry out the command.
  indirect case asked(Job)
  /// The command is not possible, for this reason.
  case refused(String, advice: Advice? = nil)
  /// No such job exists.
  case unknown
}
