// Checks a part file without a job in this store before it is removed.

internal import CLinux
public import DrayCore
internal import FoundationEssentials
internal import Glibc
public import Posix

/// An open file with the name of a part file. It is locked, unless it is in use.
public final class StrayPart {
  private let directory: TargetDirectory
  private let name: String
  private let descriptor: Int32

  /// `nil` if the file is gone or not regular.
  /// - Throws: ``SystemError`` if it cannot be opened.
  public init?(_ name: String, in directory: TargetDirectory) throws(SystemError) {
    let flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    // Some file systems lock a file for writing only if it is open for writing.
    var opened = openat(directory.descriptor, name, O_RDWR | flags)
    if opened < 0, errno == EACCES || errno == EPERM { opened = openat(directory.descriptor, name, O_RDONLY | flags) }
    if opened < 0, [ENOENT, ELOOP, EISDIR, ENXIO].contains(errno) { return nil }
    guard opened >= 0 else { throw SystemError("open") }
    var info = stat()
    guard fstat(opened, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      return nil
    }
    (self.directory, self.name, descriptor) = (directory, name, opened)
  }

  deinit { System.unlockAndClose(descriptor) }

  /// At a time in seconds since 1970.
  /// - Parameter store: The path of this store's state directory.
  public func facts(store: String, now: Double) -> StrayFacts {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return StrayFacts(lock: .unknown) }
    let lock: StrayFacts.Lock =
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { .free } else { errno == EWOULDBLOCK ? .held : .unknown }
    let owner = PartLabel.owner(of: descriptor).map { owner -> StrayFacts.Owner in
      let (own, present) = (PartLabel.node(of: store), PartLabel.presence(of: owner.path, own: store))
      if PartOwnership.isAnothers(owner, own: own, present: present) { return .store(owner.path, exists: true) }
      return present == .gone ? .store(owner.path, exists: false) : .thisStore
    }
    return StrayFacts(
      lock: lock, owner: owner ?? .unknown,
      isOfAnotherUser: directory.fileSystem.keepsOwners && info.st_uid != geteuid(),
      age: now - Double(info.st_mtim.tv_sec))
  }

  /// Whether its label and its file name belong to different jobs.
  public var isOfAnotherJob: Bool {
    guard let label = PartLabel.job(of: descriptor) else { return false }
    return label != Job.ofPartFile(named: name)?.uuidString
  }

  /// Removes the file, if its name still leads to it. Returns whether it was removed.
  public func remove() throws(SystemError) -> Bool {
    var here = stat()
    var there = stat()
    guard fstat(descriptor, &here) == 0, fstatat(directory.descriptor, name, &there, AT_SYMLINK_NOFOLLOW) == 0,
      here.st_ino == there.st_ino, here.st_dev == there.st_dev
    else { return false }
    try directory.remove(name)
    return true
  }
}
