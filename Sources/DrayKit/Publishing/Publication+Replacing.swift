// Replacing the one file that a job may replace, and no other.

internal import DrayEngine
internal import Posix

extension Publication {
  /// Gives a part file the name of the target of `job`, if the file that is there is the one that the job replaces.
  /// - Returns: whether it was done.
  static func replace(
    _ partName: String, over name: String, of job: Job, in directory: TargetDirectory
  ) throws(Failure) -> Bool {
    try replace(partName, over: name, in: directory) {
      Conflict.mayReplace($0, named: name, job.specification, addedAt: job.addedAt)
    }
  }
}
