// A published file that is deleted together with its job. The file first gets a hidden name, so that the deletion can
// be undone.

package import DrayCore
internal import DrayEngine
internal import Posix

/// A file that was set aside: it has a hidden name in its directory.
package struct DeletedFile: Sendable, Equatable, Codable {
  private let place: DirectoryPlace
  private let name: String
  private let aside: String
  private let identity: FileIdentity

  /// Sets the published file of a complete job aside. Only the file that the job's record describes is set aside. A
  /// file that was changed or replaced since then stays. The call blocks the calling thread.
  /// - Parameter directories: The directories in which files may be deleted.
  /// - Throws: Kind `file`, with the reason why the file was left in place.
  package init(of job: Job, in directories: AllowedDirectories) throws(Failure) {
    let target = job.target ?? "job \(job.id)"
    func refusal(_ reason: String) -> Failure { Failure(.file, target, reason, recovery: .keep) }
    guard job.state == .complete, let recorded = job.published, let name = job.fileName else {
      throw refusal("it has no complete file")
    }
    let specification = job.specification
    guard let place = directories.place(specification.directory, foreignDepth: specification.foreignDepth) else {
      throw refusal("its directory is not among those that are allowed")
    }
    guard place.traits.holdsFiles else { throw refusal("objects in a bucket are not deleted from here") }
    (self.place, self.name, identity) = (place, name, recorded)
    aside = ".\(job.uuid.text).deleted"
    let objection: String?
    do throws(SystemError) {
      objection = try DeletedFile.setAside(name, as: aside, recorded, in: try TargetDirectory(place))
    } catch {
      throw error.failure(target)
    }
    if let objection { throw refusal(objection) }
  }

  /// Sets the file aside. Returns the reason if that failed; `nil` if it succeeded.
  private static func setAside(
    _ name: String, as aside: String, _ recorded: FileIdentity, in directory: TargetDirectory
  ) throws(SystemError) -> String? {
    let changed = "it was changed since the download"
    guard let found = directory.identity(of: name) else { return "it no longer exists" }
    guard found.isUnchanged(since: recorded) else { return changed }
    try directory.rename(name, to: aside, replacing: false)
    // Another program may have put a file there between the two calls.
    guard directory.identity(of: aside)?.isUnchanged(since: recorded) ?? false else {
      try directory.rename(aside, to: name, replacing: false)
      return changed
    }
    try directory.sync()
    return nil
  }

  private var target: String { PathText.join(place.path, name) }

  /// Gives the file its name back. The call blocks the calling thread.
  /// - Throws: Kind `file` if the name is taken, or the file cannot be renamed.
  package func restore() throws(Failure) {
    do throws(SystemError) {
      let directory = try TargetDirectory(place)
      try directory.rename(aside, to: name, replacing: false)
      try directory.sync()
    } catch {
      throw error.code == SystemError.exists
        ? Failure(.file, target, "another file has this name now", recovery: .keep) : error.failure(target)
    }
  }

  /// Deletes the file for good, unless another file has its hidden name by now. The call blocks the calling thread.
  package func discard() {
    guard let directory = try? TargetDirectory(place),
      directory.identity(of: aside)?.isUnchanged(since: identity) ?? false
    else { return }
    try? directory.remove(aside)
  }
}
