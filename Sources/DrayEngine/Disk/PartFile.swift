// The part file of a job: created private and hidden beside its target, written in place, and made durable.

internal import CLinux
public import DrayCore
internal import Glibc
public import Posix
internal import Synchronization

/// An open part file. Its methods are little more than system calls. Any thread may call them.
public final class PartFile: Sendable {
  private struct Home {
    var directory: TargetDirectory
    var name: String
  }

  /// A move changes it.
  public var directory: TargetDirectory { home.withLock { $0.directory } }
  public var name: String { home.withLock { $0.name } }
  private let home: Mutex<Home>
  let descriptor: Int32
  let label: PartLabel
  private let lockHolder = Mutex<Int32?>(nil)
  /// Set once bytes were lost on their way to the disk: see ``keepingFirstError(_:)``.
  private let loss = Mutex<SystemError?>(nil)
  /// Held during disk calls.
  private let asking = Mutex<Void>(())

  private init(_ descriptor: Int32, _ directory: TargetDirectory, _ name: String, _ label: PartLabel = PartLabel()) {
    self.descriptor = descriptor
    home = Mutex(Home(directory: directory, name: name))
    self.label = label
  }

  deinit { PartLocks.close(descriptor, holder: lockHolder.withLock(\.self)) }

  private static let creating = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC

  /// Creates an empty part file with mode 0600. Replaces a file with the same name, unless that file is in use or
  /// another store's.
  /// - Parameter store: The job store that owns the new file, for its label.
  public static func create(
    _ name: String, in directory: TargetDirectory, store: String? = nil
  ) throws(SystemError) -> PartFile {
    var descriptor = openat(directory.descriptor, name, creating, 0o600)
    if descriptor < 0, errno == EEXIST {
      try remove(name, in: directory, store: store)
      descriptor = openat(directory.descriptor, name, creating, 0o600)
    }
    guard descriptor >= 0 else { throw SystemError("create") }
    let file = PartFile(descriptor, directory, name, PartLabel(store: store))
    try file.hold(for: store)
    return file
  }

  public static func isInUse(_ name: String, in directory: TargetDirectory) -> Bool {
    let opened = openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { return false }
    defer { close(opened) }
    return PartLabel.owner(of: opened) != nil || (try? PartLocks.check(opened)) == nil
  }

  /// A missing file is not an error, and any kind of file with this name is removed.
  /// - Parameter store: The job store that owns the file.
  /// - Throws: An error whose ``SystemError/isOfAnother`` is set if the file is in use or another store's.
  public static func remove(
    _ name: String, in directory: TargetDirectory, store: String?
  ) throws(SystemError) {
    let opened = openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    // If the file cannot be opened, either it is a link or a directory, so not a part file, or there are no free
    // descriptors.
    guard opened >= 0 else { return try directory.remove(name) }
    defer { close(opened) }
    var info = stat()
    if fstat(opened, &info) == 0, info.st_mode & S_IFMT == S_IFREG {
      if PartLabel.isAnothers(opened, own: store) { throw SystemError("open", ENOTUNIQ) }
      if !PartOwnership.isFenced(by: store) { try PartLocks.check(opened) }
    }
    try directory.remove(name)
  }

  /// Opens an existing part file; `nil` if it is missing or not ours: not a regular file, with a second name, of
  /// another user, or with a mode that part files never have.
  /// - Parameter store: The job store that owns the file, for its label.
  /// - Throws: An error whose ``SystemError/isOfAnother`` is set if the file is in use or another store's.
  public static func open(
    _ name: String, in directory: TargetDirectory, store: String? = nil
  ) throws(SystemError) -> PartFile? {
    guard let file = try open(name, in: directory, O_RDWR, PartLabel(store: store, mayBeThere: true)) else {
      return nil
    }
    var info = stat()
    guard fstat(file.descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_nlink == 1,
      !directory.fileSystem.keepsOwners || isOwn(info)
    else { return nil }
    // A copy of a state directory has the same jobs, but must not write to the files of the original (P17).
    if PartLabel.isAnothers(file.descriptor, own: store) { throw SystemError("open", ENOTUNIQ) }
    try file.hold(for: store)
    // A crash just before the rename left the file with the target's mode (P5).
    if info.st_mode & 0o077 != 0 { file.makePrivate() }
    return file
  }

  /// Whether this user owns a file, and its mode is that of a part file or a target.
  private static func isOwn(_ info: stat) -> Bool {
    let mode = info.st_mode & 0o7777
    return info.st_uid == geteuid() && (mode & 0o7077 == 0 || mode == 0o666 & ~Umask.current)
  }

  /// Locks the file for a store's runner, unless the store fences its runners in another way.
  private func hold(for store: String?) throws(SystemError) {
    if !PartOwnership.isFenced(by: store) { try hold() }
  }

  /// Locks the file for this process while it is open, so that no other process writes or removes it. Best effort: some
  /// file systems have no locks.
  private func hold() throws(SystemError) {
    let holder = try PartLocks.hold(descriptor)
    lockHolder.withLock { $0 = holder }
  }

  /// `false` if another process has locked it.
  public func lock() -> Bool { lockHolder.withLock(\.self) != nil || (try? hold()) != nil }

  /// `nil` if there is none, and for a link.
  static func open(
    _ name: String, in directory: TargetDirectory, _ mode: Int32, _ label: PartLabel = PartLabel()
  ) throws(SystemError) -> PartFile? {
    let descriptor = openat(directory.descriptor, name, mode | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP || errno == EISDIR { return nil }
      throw SystemError("open")
    }
    return PartFile(descriptor, directory, name, label)
  }

  func isRegular() throws(SystemError) -> Bool {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw SystemError("fstat") }
    return info.st_mode & S_IFMT == S_IFREG
  }

  public func identity() throws(SystemError) -> FileIdentity {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw SystemError("fstat") }
    return FileIdentity(info)
  }

  /// In bytes, including reserved blocks.
  var allocated: Int64 { (try? look().allocated) ?? 0 }

  struct Look {
    var size: Int64
    /// In bytes, including reserved blocks.
    var allocated: Int64
    /// Whether the name still leads to this file.
    var isInPlace: Bool
  }

  /// Gives the file another name, also in another directory of its file system. An old part file with that name is
  /// replaced.
  /// - Parameter store: The job store that owns the file.
  /// - Throws: Also an error whose ``SystemError/isOfAnother`` is set if the old file is in use or another store's.
  func move(to directory: TargetDirectory, _ name: String, store: String?) throws(SystemError) {
    let old = home.withLock { $0 }
    try PartFile.remove(name, in: directory, store: store)
    try directory.receive(old.name, from: old.directory, as: name)
    home.withLock { $0 = Home(directory: directory, name: name) }
  }

  func look() throws(SystemError) -> Look {
    var here = stat()
    var there = stat()
    guard fstat(descriptor, &here) == 0 else { throw SystemError("fstat") }
    let isInPlace =
      fstatat(directory.descriptor, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_ino == there.st_ino
      && here.st_dev == there.st_dev
    return Look(
      size: Int64(here.st_size), allocated: max(0, Int64(here.st_blocks).saturatingProduct(512)), isInPlace: isInPlace)
  }

  public var isInPlace: Bool { (try? look().isInPlace) ?? false }

  /// Drops the memory of the file's bytes, so that they are read from the disk. Best effort.
  func forgetMemory() { posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED) }

  /// Records the URL that the file came from, as other programs do (user.xdg.origin.url).
  /// - Returns: The error if the file system refused it.
  func setOrigin(_ url: String) -> SystemError? {
    let bytes = Array(url.utf8)
    return fsetxattr(descriptor, "user.xdg.origin.url", bytes, bytes.count, 0) == 0 ? nil : SystemError("setxattr")
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError) {
    try checkNothingIsLost()
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(position) + off_t(done))
      if count > 0 {
        done += count
      } else if count < 0, errno != EINTR {
        throw SystemError("write")
      }
    }
  }

  /// Writes like ``write(_:at:)``, starts the write-back at once, and lets the kernel reuse the memory once the bytes
  /// are on disk (RWF_DONTCACHE, Linux 6.14). Reused memory is much cheaper to fill.
  /// - Returns: `false` if the kernel or the file system lacks this. Nothing is then written.
  func writeUncached(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(SystemError) -> Bool {
    try checkNothingIsLost()
    var done = 0
    while done < bytes.count {
      var part = iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress?.advanced(by: done)), iov_len: bytes.count - done)
      let count = pwritev2(descriptor, &part, 1, off_t(position) + off_t(done), FileFlag.dontCache)
      if count > 0 {
        done += count
      } else if count < 0, done == 0, errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS {
        return false
      } else if count < 0, errno != EINTR {
        throw SystemError("write")
      }
    }
    return true
  }

  /// Fewer bytes than requested only at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(position) + off_t(done))
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw SystemError("read")
      }
    }
    return done
  }

  /// Releases reserved blocks beyond the length.
  public func truncate(to length: Int64) throws(SystemError) {
    while ftruncate(descriptor, off_t(length)) != 0 {
      guard errno == EINTR else { throw SystemError("truncate") }
    }
  }

  /// Continues with an empty file that has another inode, and the same name, which must be free.
  func beginAnew() throws(SystemError) {
    try checkNothingIsLost()
    let new = openat(directory.descriptor, name, PartFile.creating, 0o600)
    guard new >= 0 else { throw SystemError("create") }
    defer { close(new) }
    // From here on every user of the descriptor uses the new file.
    guard dup3(new, descriptor, O_CLOEXEC) >= 0 else { throw SystemError("dup3") }
    label.beginAnew()
  }

  /// Reserves the disk blocks of a range without changing the length, if the file system can. Best effort: only a full
  /// disk and an impossible length are errors. Never writes zeros, unlike posix_fallocate.
  func reserve(_ range: Segment) throws(SystemError) {
    let result = fallocate(descriptor, FileFlag.keepSize, off_t(range.lowerBound), off_t(range.count))
    if result != 0, [ENOSPC, EDQUOT, EFBIG].contains(errno) { throw SystemError("fallocate") }
  }

  /// Does not wait.
  func startWriteBack(_ range: Segment) {
    _ = sync_file_range(descriptor, off_t(range.lowerBound), off_t(range.count), FileFlag.writeBack)
  }

  /// Also makes the length durable. After the first failure it always fails: see ``keepingFirstError(_:)``.
  public func sync() throws(SystemError) {
    try keepingFirstError { () throws(SystemError) in
      while fdatasync(descriptor) != 0 {
        guard errno == EINTR else { throw SystemError("fdatasync") }
      }
    }
  }

  /// Runs a call that makes written bytes durable, or checks them, and keeps the first error.
  ///
  /// Linux reports a failed write of pages once to each open file, and then marks the pages clean. The next call would
  /// succeed, and lost bytes would be claimed or published. After an error this object therefore writes nothing more,
  /// and reports no bytes as durable. The next attempt opens the file again, and continues from the bytes that were
  /// durable before (P1, P4).
  func keepingFirstError(_ call: () throws(SystemError) -> Void) throws(SystemError) {
    // One call at a time: a second could succeed before the error of the first is recorded.
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

  /// Sets the time of the last change, in seconds since 1970. Best effort: some file systems keep no times.
  func setModified(_ seconds: Int64) {
    let times = [timespec(tv_sec: 0, tv_nsec: FileFlag.omit), timespec(tv_sec: time_t(seconds), tv_nsec: 0)]
    _ = futimens(descriptor, times)
  }

  /// Sets the mode of a new file under the umask, and removes its label.
  /// - Returns: The error if the file system refused the mode.
  @discardableResult
  func makePublic() -> SystemError? {
    label.remove(from: descriptor)
    let mode = 0o666 & ~Umask.current
    guard fchmod(descriptor, mode) != 0 else { return nil }
    let error = SystemError("chmod")
    var info = stat()
    return fstat(descriptor, &info) == 0 && info.st_mode & 0o777 == mode ? nil : error
  }

  /// Restores the mode of a part file, and its label. Ignores failures, because the bytes are worth more.
  func makePrivate() {
    _ = fchmod(descriptor, 0o600)
    label.putBack(on: descriptor, name)
  }
}

private enum FileFlag {
  /// `RWF_DONTCACHE` of pwritev2(2), which older headers lack.
  static let dontCache: Int32 = 0x80
  /// `FALLOC_FL_KEEP_SIZE` of fallocate(2), a macro that Swift cannot import.
  static let keepSize: Int32 = 1
  /// `UTIME_OMIT` of utimensat(2), likewise.
  static let omit = (1 << 30) - 2
  /// `SYNC_FILE_RANGE_WRITE` of sync_file_range(2), likewise.
  static let writeBack: UInt32 = 2
}

/// The umask of the process, read once.
enum Umask {
  static let current: mode_t = {
    // Linux shows the umask (proc(5)). Elsewhere a process can read it only by setting it, for all threads.
    if let status = try? System.read("/proc/self/status", limit: 1 << 16),
      let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }
      ),
      let mask = mode_t(line.dropFirst(6).drop(while: \.isWhitespace), radix: 8)
    {
      return mask
    }
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()
}
