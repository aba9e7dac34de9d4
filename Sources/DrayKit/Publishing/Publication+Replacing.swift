// Replaces the one file that a job may replace, and no other.

internal import DrayEngine
internal import Posix

extension Publication {
  /// Renames a part file to the target of `job`, if the file there is the one that the job may replace.
  /// - Returns: whether it was done.
  static func replace(
    _ partName: String, over name: String, of job: Job, in directory: TargetDirectory
  ) throws(Failure) -> Bool {
    try replace(partName, over: name, in: directory) {
      Conflict.mayReplace($0, named: name, job.specification, addedAt: job.addedAt)
    }
  }
}
