// A directory of this machine as a destination.

package import DrayCore
internal import Posix

/// An open directory in which files are published.
package final class LocalDestination: DirectDestination {
  package let directory: TargetDirectory
  /// The directory of unfinished files; `nil` if they are in `directory`.
  private let parts: TargetDirectory?
  /// The path of the state directory with the destination's jobs, for the labels of part files; `nil` for none.
  let store: String?
  /// Stops the writes of a runner whose lease may be over.
  let fence: WriteFence?

  /// Creates a destination from open directories.
  /// - Parameters:
  ///   - parts: The directory of unfinished files; `nil` if they are in `directory`.
  ///   - store: The path of the state directory with the destination's jobs.
  package init(
    _ directory: TargetDirectory, parts: TargetDirectory? = nil, store: String?, fence: WriteFence? = nil
  ) {
    (self.directory, self.store, self.fence) = (directory, store, fence)
    self.parts = parts.flatMap { $0.isSame(as: directory) ? nil : $0 }
  }

  /// The directories that may contain a part file; if both contain it, the file in the first one counts.
  private var partHomes: [TargetDirectory] { [parts, directory].compactMap(\.self) }

  package var partDirectory: TargetDirectory { parts ?? directory }

  package var place: DirectoryPlace { directory.place }
  package var volume: Volume { directory.fileSystem.volume }
  package var isInPlace: Bool { partHomes.allSatisfy(\.isInPlace) }
  /// The free space of the fuller file system; an unfinished file and its target may be on different file systems.
  package var room: Int64? { partHomes.compactMap(\.freeSpace).min() }

  // MARK: Targets

  package var folding: NameFolding { directory.folding }
  package func otherSpelling(of name: String) -> String? { directory.otherSpelling(of: name) }
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
    if parts != nil { try discardPart(name) }
    try fence?.check(PathText.join(partDirectory.path, name))
    return try failing(on: PathText.join(partDirectory.path, name)) { () throws(SystemError) in
      LocalPart(try PartFile.create(name, in: partDirectory, store: store), in: self)
    }
  }

  package func openPart(_ name: String) throws(Failure) -> (any PartStorage)? {
    for home in partHomes {
      let file = try failing(on: PathText.join(home.path, name)) { () throws(SystemError) in
        try PartFile.open(name, in: home, store: store)
      }
      if let file { return LocalPart(file, in: self) }
    }
    return nil
  }

  package func discardPart(_ name: String) throws(Failure) {
    try fence?.check(PathText.join(path, name))
    for home in partHomes {
      try failing(on: PathText.join(home.path, name)) { () throws(SystemError) in
        try PartFile.remove(name, in: home, store: store)
        if parts != nil { try PartFile.remove(PartName.copy(of: name), in: home, store: store) }
      }
    }
  }

  package func hasPart(_ name: String) -> Bool { partHomes.contains { $0.exists(name) } }

  package func copyPart(
    _ name: String, to new: String, _ segments: SegmentSet, isCancelled: () -> Bool
  ) throws(Failure) -> Bool? {
    for home in partHomes {
      try fence?.check(PathText.join(home.path, new))
      let copied = try failing(on: PathText.join(home.path, new)) { () throws(SystemError) in
        try PartFile.copy(name, to: new, segments, in: home, store: store, isCancelled: isCancelled)
      }
      if copied != false { return copied }
    }
    return false
  }

  // MARK: Publishing

  package func publish(
    _ part: any PartStorage, as name: String, _ replacement: Replacement
  ) throws(Failure) -> PublishOutcome {
    // An attempt has already staged its file. Only a saved page may still be in the directory of unfinished files.
    let local = try part.isAway ? part.stage(size: part.identity().size, isCancelled: { false }) : part
    guard let file = (local as? LocalPart)?.file else { throw .moved(part.path) }
    try fence?.check(PathText.join(path, name))
    // Set the mode before the rename, because a program that waits for the target may open it at once. On a journaling
    // file system, the mode then becomes durable no later than the name. A crash before the rename leaves a part file
    // with the target's mode (P5).
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
      // The first step of a rename in two steps may have succeeded.
      if !has(file, name) { file.makePrivate() }
      if error.code == SystemError.exists { return .taken }
      throw failure(error, name)
    }
  }

  private func has(_ file: PartFile, _ name: String) -> Bool {
    guard let identity = try? file.identity() else { return false }
    return directory.identity(of: name)?.isUnchanged(since: identity) ?? false
  }

  private func failure(_ error: SystemError, _ name: String) -> Failure {
    let path = PathText.join(path, name)
    if error.code == SystemError.isDirectory || error.code == SystemError.notEmpty {
      return Failure(.file, path, "a directory has that name", advice: "choose another name with \(.output)")
    }
    return directory.refusal(of: name, error) ?? error.failure(path)
  }

  private static let unguarded =
    "this file system can neither rename without replacing nor link: the name was checked before the rename, not by it"

  package func settle(
    _ partName: String, as name: String, _ identity: FileIdentity, _ replacement: Replacement
  ) throws(Failure) -> Bool {
    try failing(on: path) { () throws(SystemError) in
      let keepsName = try removeOldName(partName, name, identity, replacement)
      if let parts, keepsName {
        // After a power cut, the old name may exist again.
        do throws(SystemError) { try PartFile.remove(partName, in: parts, store: store) } catch {
          if !error.isOfAnother { throw error }
        }
      }
      for home in partHomes { try home.sync() }
      return keepsName
    }
  }

  /// Removes the part file's name after a rename in two steps. If the part file was exchanged for a file that may not
  /// be replaced, that file gets its name back.
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
    // A copy of this job store may have created the part file under the same name.
    guard case .files = replacement, !PartFile.isInUse(partName, in: directory) else { return true }
    try directory.exchange(partName, name)
    return false
  }

  package func syncNames() throws(Failure) {
    for home in partHomes { try failing(on: home.path) { () throws(SystemError) in try home.sync() } }
  }

  package func syncVolume() throws(Failure) {
    try failing(on: path) { () throws(SystemError) in try directory.syncFileSystem() }
  }
}
