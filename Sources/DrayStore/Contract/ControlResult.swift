public import DrayCore

/// The result of a command.
public enum ControlResult: Sendable, Equatable {
  /// The command was carried out. The job as it is now; a removed job as it was.
  case done(Job)
  /// The runner that holds the job was asked.
  case asked(Job)
  /// The command is not possible, for this reason.
  case refused(String, advice: Advice? = nil)
  /// No such job exists.
  case unknown
}
