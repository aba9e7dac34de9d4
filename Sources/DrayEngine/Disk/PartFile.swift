// The part file of a job: created hidden and private beside its target, written in place, and made durable.

public import DrayCore
public import Posix
internal import Synchronization

/// An open part file. Its methods do little more than system calls, and any thread may call them.
public final class PartFile: Sendable {
  private struct Home {
    var directory: TargetDirectory
    var name: String
  }

  /// The directory of the file; moving the file changes it.
  public var directory: TargetDirectory { home.withLock { $0.directory } }
  public var name: String { home.withLock { $0.name } }
  private let home: Mutex<Home>
  let descriptor: Int32
  let label: PartLabel
  private let locked = Mutex<PartLocks.Hold?>(nil)
  /// The first error that reported lost bytes (``keepingFirstError(_:)``).
  private let loss = Mutex<SystemError?>(nil)
  /// Locked during calls that sync the file or check its bytes.
  private let asking = Mutex<Void>(())

  private init(_ descriptor: Int32, _ directory: TargetDirectory, _ name: String, _ label: PartLabel = PartLabel()) {
    self.descriptor = descriptor
    home = Mutex(Home(directory: directory, name: name))
    self.label = label
  }

  deinit { PartLocks.close(descriptor, locked.withLock(\.self)) }

  /// Creates an empty part file with mode 0600. An existing file with that name is replaced, unless it is in use or
  /// belongs to another store.
  /// - Parameter store: The job store that owns the file, for its label.
  public static func create(
    _ name: String, in directory: TargetDirectory, store: String? = nil
  ) throws(SystemError) -> PartFile {
    let descriptor: Int32
    do throws(SystemError) { descriptor = try make(name, in: directory) } catch {
      guard error.code == SystemError.exists else { throw error }
      try remove(name, in: directory, store: store)
      descriptor = try make(name, in: directory)
    }
    let file = PartFile(descriptor, directory, name, PartLabel(store: store))
    try file.hold(for: store)
    return file
  }

  /// Creates an empty file with mode 0600 under a name that must be free.
  private static func make(_ name: String, in directory: TargetDirectory) throws(SystemError) -> Int32 {
    try System.open(name, in: directory.descriptor, .new, mode: 0o600, as: "create")
  }

  /// Opens any file with this name, except a link; `nil` if that is impossible.
  private static func openOrNil(_ name: String, in directory: TargetDirectory) -> Int32? {
    try? System.open(name, in: directory.descriptor, [.reading, .noFollow, .nonBlocking])
  }

  /// Whether a file with a part file's name belongs to a store or is in use.
  public static func isInUse(_ name: String, in directory: TargetDirectory) -> Bool {
    guard let opened = openOrNil(name, in: directory) else { return false }
    defer { System.close(opened) }
    return PartLabel.owner(of: opened) != nil || (try? PartLocks.check(opened)) == nil
  }

  /// Removes a file of any kind with this name; a missing file is not an error.
  /// - Parameter store: The job store that owns the file.
  /// - Throws: An error whose ``SystemError/isOfAnother`` is set if the file is in use or belongs to another store.
  public static func remove(
    _ name: String, in directory: TargetDirectory, store: String?
  ) throws(SystemError) {
    // If the file cannot be opened, either it is a link or a directory, and therefore not a part file, or no descriptor
    // is free.
    guard let opened = openOrNil(name, in: directory) else { return try directory.remove(name) }
    defer { System.close(opened) }
    if (try? System.status(opened))?.isRegular ?? false {
      if PartLabel.isAnothers(opened, own: store) { throw SystemError("open", SystemError.notUnique) }
      if !PartOwnership.isFenced(by: store) { try PartLocks.check(opened) }
    }
    try directory.remove(name)
  }

  /// Opens an existing part file. Returns `nil` if the file is missing or not ours: not regular, with a second name, of
  /// another user, or with a mode that part files never have.
  /// - Parameter store: The job store that owns the file, for its label.
  /// - Throws: An error whose ``SystemError/isOfAnother`` is set if the file is in use or belongs to another store.
  public static func open(
    _ name: String, in directory: TargetDirectory, store: String? = nil
  ) throws(SystemError) -> PartFile? {
    guard let file = try open(name, in: directory, .both, PartLabel(store: store, mayBeThere: true)) else {
      return nil
    }
    guard let status = try? System.status(file.descriptor), status.isRegular, status.links == 1,
      !directory.fileSystem.keepsOwners || isOwn(status)
    else { return nil }
    // A copy of a state directory has the same jobs, but must not write to the part files of the original (P17).
    if PartLabel.isAnothers(file.descriptor, own: store) { throw SystemError("open", SystemError.notUnique) }
    try file.hold(for: store)
    // After a crash just before the rename, the file has the target's mode (P5).
    if status.mode & 0o077 != 0 { file.makePrivate() }
    return file
  }

  /// Whether this user owns the file, and the mode is that of a part file or a target.
  private static func isOwn(_ status: FileStatus) -> Bool {
    let mode = status.mode
    return status.owner == System.effectiveUserID && (mode & 0o7077 == 0 || mode == 0o666 & ~Umask.current)
  }

  /// Locks the file for a store's runner, unless the store itself keeps its runners apart.
  private func hold(for store: String?) throws(SystemError) {
    if !PartOwnership.isFenced(by: store) { try hold() }
  }

  /// Locks the file for this process while it is open, so that no other process writes or removes it. Some file systems
  /// have no locks; the file is then used without one.
  private func hold() throws(SystemError) {
    let hold = try PartLocks.hold(descriptor)
    locked.withLock { $0 = hold }
  }

  /// Locks the file; returns `false` if another process has locked it.
  public func lock() -> Bool { locked.withLock { $0 != nil } || (try? hold()) != nil }

  /// Opens a file; returns `nil` if the file is missing or a link.
  static func open(
    _ name: String, in directory: TargetDirectory, _ mode: OpenFlags, _ label: PartLabel = PartLabel()
  ) throws(SystemError) -> PartFile? {
    do throws(SystemError) {
      let flags = mode.union([.noFollow, .nonBlocking])
      return PartFile(try System.open(name, in: directory.descriptor, flags), directory, name, label)
    } catch {
      switch error.code {
      case SystemError.noEntry, SystemError.linkInTheWay, SystemError.isDirectory: return nil
      default: throw error
      }
    }
  }

  /// Whether the file is a regular file.
  func isRegular() throws(SystemError) -> Bool { try System.status(descriptor).isRegular }

  /// Returns the identity and length of the file.
  public func identity() throws(SystemError) -> FileIdentity { FileIdentity(try System.status(descriptor)) }

  /// The number of bytes on disk, including reserved blocks.
  var allocated: Int64 { (try? look().allocated) ?? 0 }

  struct Look {
    var size: Int64
    /// The number of bytes on disk, including reserved blocks.
    var allocated: Int64
    /// Whether the name still belongs to this file.
    var isInPlace: Bool
  }

  /// Renames the file, possibly into another directory of its file system. An old part file with the new name is
  /// replaced.
  /// - Parameter store: The job store that owns the file.
  /// - Throws: Also an error whose ``SystemError/isOfAnother`` is set, if the old file is in use or belongs to another
  ///   store.
  func move(to directory: TargetDirectory, _ name: String, store: String?) throws(SystemError) {
    let old = home.withLock { $0 }
    try PartFile.remove(name, in: directory, store: store)
    try directory.receive(old.name, from: old.directory, as: name)
    home.withLock { $0 = Home(directory: directory, name: name) }
  }

  func look() throws(SystemError) -> Look {
    let here = try System.status(descriptor)
    let there = try? System.status(name, in: directory.descriptor)
    return Look(size: here.size, allocated: here.allocated, isInPlace: there.map(here.isSame) ?? false)
  }

  public var isInPlace: Bool { (try? look().isInPlace) ?? false }

  /// Drops the file's bytes from memory, so that they are read from the disk; failures are ignored.
  func forgetMemory() { System.forgetMemory(descriptor) }

  /// Records the URL that the file came from, as other programs do (user.xdg.origin.url).
  /// - Returns: The error if the file system refused it.
  func setOrigin(_ url: String) -> SystemError? {
    do throws(SystemError) { try LinuxFile.setAttribute("user.xdg.origin.url", url, of: descriptor) } catch {
      return error
    }
    return nil
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError) {
    try checkNothingIsLost()
    try System.write(bytes, to: descriptor, at: position)
  }

  /// Writes like ``write(_:at:)`` and starts the write-back at once. Once the bytes are on disk, the kernel reuses
  /// their memory, which is much cheaper to fill than fresh memory (RWF_DONTCACHE, Linux 6.14).
  /// - Returns: `false` if the kernel or the file system does not support this; nothing is written in that case.
  func writeUncached(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError) -> Bool {
    try checkNothingIsLost()
    return try LinuxFile.writeUncached(bytes, to: descriptor, at: position)
  }

  /// Returns the number of bytes read, which is less than requested only at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(SystemError) -> Int {
    try System.read(descriptor, into: buffer, at: position)
  }

  /// Releases reserved blocks beyond the length.
  public func truncate(to length: Int64) throws(SystemError) {
    try System.truncate(descriptor, to: length, as: "truncate")
  }

  /// Continues with an empty file of the same name and another inode; the name must be free.
  func beginAnew() throws(SystemError) {
    try checkNothingIsLost()
    let new = try PartFile.make(name, in: directory)
    defer { System.close(new) }
    // From now on, all users of the descriptor use the new file.
    try LinuxFile.replace(descriptor, by: new)
    label.beginAnew()
  }

  /// Reserves the disk blocks of a range without changing the length, if the file system can. Failures are ignored,
  /// except for a full disk and an impossible length.
  func reserve(_ range: Segment) throws(SystemError) {
    do throws(SystemError) { try LinuxFile.reserve(range, of: descriptor) } catch {
      if error.isOutOfSpace || error.code == SystemError.tooLarge { throw error }
    }
  }

  /// Starts the write-back of a range, without waiting.
  func startWriteBack(_ range: Segment) { LinuxFile.startWriteBack(range, of: descriptor) }

  /// Makes the bytes and the length durable. After the first failure, this always fails (``keepingFirstError(_:)``).
  public func sync() throws(SystemError) {
    try keepingFirstError { () throws(SystemError) in try System.syncData(descriptor) }
  }

  /// Runs a call that makes written bytes durable, or checks them, and keeps the first error.
  ///
  /// If the write-back of pages fails, Linux reports the error once to each open file, and then marks the pages as
  /// clean. The next call would then succeed, and lost bytes would be recorded or published. Therefore, after an error
  /// this object writes nothing more, and reports no bytes as durable. The next attempt opens the file again, and
  /// continues from the bytes that were durable before (P1, P4).
  func keepingFirstError(_ call: () throws(SystemError) -> Void) throws(SystemError) {
    // Allow only one call at a time, because a second call could succeed before the first has recorded its error.
    try asking.withLock { _ throws(SystemError) in
      try checkNothingIsLost()
      do throws(SystemError) { try call() } catch {
        loss.withLock { $0 = error }
        throw error
      }
    }
  }

  func checkNothingIsLost() throws(SystemError) {
    if let error = loss.withLock(\.self) { throw error }
  }

  /// Sets the time of the last change, in seconds since 1970. Failures are ignored, because some file systems store no
  /// times.
  func setModified(_ seconds: Int64) {
    try? System.setModified(descriptor, seconds)
  }

  /// Sets the mode of a new file under the umask, and removes its label.
  /// - Returns: The error if the file system refused the mode.
  @discardableResult
  func makePublic() -> SystemError? {
    label.remove(from: descriptor)
    let mode = 0o666 & ~Umask.current
    do throws(SystemError) { try System.setMode(descriptor, mode) } catch {
      return (try? System.status(descriptor)).map { $0.mode & 0o777 == mode } ?? false ? nil : error
    }
    return nil
  }

  /// Gives the file the mode and the label of a part file again. Failures are ignored, because the bytes matter more
  /// than mode and label.
  func makePrivate() {
    try? System.setMode(descriptor, 0o600)
    label.putBack(on: descriptor, name)
  }
}
