// Converts errors of system calls on files to failures of jobs, with advice.

public import DrayCore
public import Posix

extension SystemError {
  public func failure(_ path: String) -> Failure {
    switch code {
    case _ where isOutOfSpace:
      return Failure(
        .file, path, "no space is left on the disk", advice: "free some space, then \(.run) continues",
        recovery: .wait
      ).ofStorage(.full)
    case Self.noAccess, Self.notPermitted:
      return Failure(
        .file, path, "no permission to \(call == "rename" ? "rename files" : "write") there",
        advice: "choose another directory with \(.directory)", recovery: .keep)
    case Self.readOnly:
      return Failure(
        .file, path, "the file system is read-only", advice: "choose another directory with \(.directory)",
        recovery: .keep
      ).ofStorage(.readOnly)
    case _ where isMissing && call == "mkdir":
      return Failure(
        .file, path, "it cannot be created", advice: "choose another directory with \(.directory)", recovery: .keep)
    // In some file systems, such as /proc, files cannot be created; the same is true of a directory that was removed.
    case Self.noEntry where call == "create", Self.unsupported where call == "create":
      return Failure(
        .file, path, "no file can be created there", advice: "choose another directory with \(.directory)",
        recovery: .keep)
    case Self.busy where isOfAnother:
      return Failure(
        .file, path, "another process is writing this part file",
        advice: "wait for it", recovery: .retry)
    case Self.notUnique:
      let store = PartLabel.owner(at: path)?.path ?? "another place"
      return Failure(
        .file, path, "this part file belongs to the job store in \(store), which has the same job",
        advice: "continue it there, or \(.remove) it here and fetch it again", recovery: .keep)
    case Self.tooLarge:
      return Failure(
        .file, path, "the file is too large for this file system", advice: "choose another disk with \(.directory)",
        recovery: .keep)
    case Self.isDirectory:
      return Failure(
        .file, path, "a directory has the name of this file", advice: "move it away, then \(.run) continues",
        recovery: .wait)
    case _ where System.isOutOfDescriptors(self):
      return Failure(
        .file, path, "\(call): \(text)", advice: "raise `ulimit -n` or lower \(.maxConcurrent)",
        recovery: .retry)
    case Self.linkInTheWay:
      return Failure(
        .file, path,
        "a symbolic link is in the way",
        advice: "name the directory with \(.directory)", recovery: .keep)
    default:
      let failure = Failure(.file, path, "\(call): \(text)", advice: "check the disk, or its mount", recovery: .keep)
      return isOfMount ? failure.ofStorage(.broken) : failure
    }
  }
}

public func failing<Value>(on path: String, _ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
  do throws(SystemError) { return try body() } catch { throw error.failure(path) }
}
