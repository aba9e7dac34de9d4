// A directory of this machine as a destination.

package import DrayCore
internal import Glibc
internal import Posix

/// An open directory that files are published in.
package final class LocalDestination: Destination {
  /// The directory.
  package let directory: TargetDirectory
  /// The path of the state directory whose jobs it serves, for the labels of part files; `nil` if there is none.
  private let store: String?

  /// Makes a destination of an open directory.
  /// - Parameter store: the path of the state directory whose jobs it serves.
  package init(_ directory: TargetDirectory, store: String?) { (self.directory, self.store) = (directory, store) }

  package var place: DirectoryPlace { directory.place }
  package var volume: Volume { directory.fileSystem.volume }
  package var isInPlace: Bool { directory.isInPlace }
  package var room: Int64? { directory.freeSpace }

  // MARK: Targets

  package func occupant(of name: String) -> Occupant? { directory.occupant(of: name) }
  package func identity(of name: String) -> FileIdentity? { directory.identity(of: name) }
  package func checkName(_ name: String) throws(Failure) { try directory.checkName(name) }

  package func openTarget(_ name: String) throws(Failure) -> (any StoredBytes)? {
    try failing(on: PathText.join(path, name)) { () throws(SystemError) in
      try PartFile.openPublished(name, in: directory).map { LocalPart($0, in: self) }
    }
  }

  // MARK: Parts

  package func createPart(_ name: String) throws(Failure) -> any PartStorage {
    try failing(on: PathText.join(path, name)) { () throws(SystemError) in
      LocalPart(try PartFile.create(name, in: directory, store: store), in: self)
    }
  }

  package func openPart(_ name: String) throws(Failure) -> (any PartStorage)? {
    try failing(on: PathText.join(path, name)) { () throws(SystemError) in
      try PartFile.open(name, in: directory, store: store).map { LocalPart($0, in: self) }
    }
  }

  package func discardPart(_ name: String) throws(Failure) {
    try failing(on: PathText.join(path, name)) { () throws(SystemError) in
      try PartFile.remove(name, in: directory, store: store)
    }
  }

  // MARK: Publishing

  package func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) throws(Failure) -> PublishOutcome {
    guard let file = (part as? LocalPart)?.file else { throw .moved(part.path) }
    // Before the rename: a program that waits for the target may open it the moment it exists. A journal makes the mode
    // durable no later than the name. A crash here leaves a part file with the mode of the target (P5).
    let remark = file.makePublic().map { "its mode could not be set: \($0.text)" }
    do throws(SystemError) {
      let renaming: Renaming?
      switch replacement {
      case .nothing: renaming = try directory.rename(file.name, to: name, replacing: false)
      case .anything: renaming = try directory.rename(file.name, to: name, replacing: true)
      case .files(let mayBe): renaming = try directory.replace(file.name, over: name, if: mayBe) ? .asWanted : nil
      }
      if let renaming {
        let unguarded = renaming == .looked ? LocalDestination.unguarded : nil
        return .done(notes: [remark, unguarded].compactMap(\.self))
      }
      file.makePrivate()
      return .taken
    } catch {
      // If the rename takes two steps, the first may have succeeded.
      if !has(file, name) { file.makePrivate() }
      if error.code == EEXIST { return .taken }
      throw failure(error, name)
    }
  }

  /// Whether a file has this name.
  private func has(_ file: PartFile, _ name: String) -> Bool {
    guard let identity = try? file.identity() else { return false }
    return directory.identity(of: name)?.isUnchanged(since: identity) ?? false
  }

  private func failure(_ error: SystemError, _ name: String) -> Failure {
    let path = PathText.join(path, name)
    if error.code == EISDIR || error.code == ENOTEMPTY {
      return Failure(.file, path, "a directory has that name", advice: "choose another name with \(.output)")
    }
    return directory.refusal(of: name, error) ?? error.failure(path)
  }

  /// The note on a file system without exclusive renames.
  private static let unguarded =
    "this file system can neither rename without replacing nor link: the name was checked before the rename, not by it"

  package func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool {
    try failing(on: path) { () throws(SystemError) in
      let keepsName = try removeOldName(partName, name, identity, replacement)
      try directory.sync()
      return keepsName
    }
  }

  /// Removes the part file's name that a two-step rename left. A file that was exchanged for it, and may not be
  /// replaced, gets its name back.
  private func removeOldName(
    _ partName: String, _ name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(SystemError) -> Bool {
    guard directory.exists(partName) else { return true }
    let left = directory.identity(of: partName)
    let mayBeReplaced = if case .files(let mayBe) = replacement { left.map(mayBe) ?? false } else { false }
    if mayBeReplaced || left?.isUnchanged(since: identity) ?? false {
      try directory.remove(partName)
      return true
    }
    // A copy of this store may have created its own part file with this name.
    guard case .files = replacement, !PartFile.isInUse(partName, in: directory) else { return true }
    try directory.exchange(partName, name)
    return false
  }

  package func syncNames() throws(Failure) {
    try failing(on: path) { () throws(SystemError) in try directory.sync() }
  }

  package func syncVolume() throws(Failure) {
    try failing(on: path) { () throws(SystemError) in try directory.syncFileSystem() }
  }
}
