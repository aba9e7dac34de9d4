// Making a part file the target, step by step. Each step may be repeated after a crash; their order is the
// promise (P1): verify, sync, rename, sync the directory.

public import DrayCore
internal import Glibc
internal import Posix

/// A part file on its way to being the target.
public struct Publication: Sendable {
  /// The part file, all of its bytes written.
  public let part: PartFile
  /// How long it must be.
  public let size: Int64
  /// The time that the target gets, in seconds since 1970; `nil` is that of its arrival.
  public let modified: Int64?

  private var path: String { Job.join(part.directory.path, part.name) }

  /// Makes a publication.
  public init(part: PartFile, size: Int64, modified: Int64? = nil) {
    self.part = part
    self.size = size
    self.modified = modified
  }

  /// Gives the file its length, and checks that it is what it should be.
  /// - Parameter directoryIsInPlace: whether the directory is where it was, if that was just checked for all files in
  ///   it; `nil` has it checked.
  /// - Returns: which file it is, to be recorded before the rename.
  /// - Throws: ``Failure`` when the file is shorter than promised, bytes of it were lost on their way to the disk, or its
  ///   name or directory is gone.
  public func prepare(directoryIsInPlace: Bool? = nil) throws(Failure) -> FileIdentity {
    let present = try failing(on: path) { () throws(SystemError) in
      // Also where nothing is to be synced: what is known to be lost is not published.
      try part.checkNothingIsLost()
      return try part.look()
    }
    guard present.size >= size else {
      throw Failure(
        .integrity, path, "the part file has \(present.size) bytes of \(size)",
        advice: "\(.retry) fetches it again", recovery: .retry)
    }
    guard present.isInPlace, directoryIsInPlace ?? part.directory.isInPlace else {
      // It would not be found where it is now (P5).
      if present.isInPlace { try? part.directory.remove(part.name) }
      throw Publication.moved(path)
    }
    return try failing(on: path) { () throws(SystemError) in
      // Also gives back blocks that were reserved beyond the end; a small file never has any.
      if present.size > size || present.allocated - size > Publication.slack { try part.truncate(to: size) }
      // The last change of all but of its mode: the identity that is recorded is that of the target.
      if let modified { part.setModified(modified) }
      return try part.identity()
    }
  }

  /// Its present identity.
  public func identity() throws(Failure) -> FileIdentity {
    try failing(on: path) { () throws(SystemError) in try part.identity() }
  }

  /// The failure of a file whose part file, or directory, is not where it was.
  public static func moved(_ path: String) -> Failure {
    Failure(
      .file, path, "the directory or the part file was moved or removed meanwhile",
      advice: "\(.run) fetches it again", recovery: .wait)
  }

  /// Bytes that a file may take on disk beyond its length without having reserved them.
  private static let slack: Int64 = 64 << 10

  /// The first `count` bytes of it, or all where it has fewer.
  public func start(_ count: Int) throws(Failure) -> [UInt8] {
    guard count > 0 else { return [] }
    return try failing(on: path) { () throws(SystemError) in
      var bytes = [UInt8](repeating: 0, count: min(count, Int(clamping: size)))
      var result: Result<Int, SystemError> = .success(0)
      bytes.withUnsafeMutableBytes { buffer in
        do throws(SystemError) { result = .success(try part.read(into: buffer, at: 0)) } catch {
          result = .failure(error)
        }
      }
      bytes.removeLast(bytes.count - (try result.get()))
      return bytes
    }
  }

  /// Begins to write it back, without waiting for it: where many files are synced one by one, all are begun first.
  public func startWriteBack() { part.startWriteBack(0..<max(size, 1)) }

  /// Makes its bytes durable.
  public func sync() throws(Failure) {
    try failing(on: path) { () throws(SystemError) in try part.sync() }
  }

  /// Finds out whether its bytes got to the disk, after its file system was synced.
  public func checkWriteBack() throws(Failure) {
    try failing(on: path) { () throws(SystemError) in try part.checkWriteBack() }
  }

  /// Gives it the mode that the umask leaves a new file: the step before the rename, when all of it is durable.
  ///
  /// Not the step after: a program that waits for the target may open it the moment it exists, and a crash in between would leave one
  /// that no other user can read. File systems with a journal make the mode durable no later than the name that follows it. What a
  /// crash leaves between these two steps is a part file with the bytes and the mode of the target (P5).
  ///
  /// - Returns: a note if the file system refuses the mode; the file is published anyway.
  public func show() -> String? {
    part.makePublic().map { "its mode could not be set: \($0.text)" }
  }

  /// Makes it a part file again, as it could not be renamed (P5).
  public func hide() { part.makePrivate() }

  /// What became of a rename.
  public enum Renamed: Sendable, Equatable {
    /// It has the name.
    case done(Renaming)
    /// Something has that name, and was not to be replaced.
    case taken
  }

  /// Renames it to `name`.
  public static func rename(
    _ partName: String, to name: String, in directory: TargetDirectory, replacing: Bool
  ) throws(Failure) -> Renamed {
    do throws(SystemError) {
      return .done(try directory.rename(partName, to: name, replacing: replacing))
    } catch {
      if error.code == EEXIST { return .taken }
      throw failure(error, name, in: directory)
    }
  }

  /// Renames it to `name` if the file with this name may be replaced, and removes that file.
  /// - Returns: whether it was done.
  public static func replace(
    _ partName: String, over name: String, in directory: TargetDirectory, if mayBe: (FileIdentity) -> Bool
  ) throws(Failure) -> Bool {
    do throws(SystemError) {
      return try directory.replace(partName, over: name, if: mayBe)
    } catch {
      throw failure(error, name, in: directory)
    }
  }

  private static func failure(_ error: SystemError, _ name: String, in directory: TargetDirectory) -> Failure {
    let path = Job.join(directory.path, name)
    if error.code == EISDIR || error.code == ENOTEMPTY {
      return Failure(.file, path, "a directory has that name", advice: "choose another name with \(.output)")
    }
    return directory.refusal(of: name, error) ?? error.failure(path)
  }
}
